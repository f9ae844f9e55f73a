package io.drey.flink.state.value;

import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import java.io.IOException;
import org.apache.flink.runtime.state.internal.InternalValueState;

/** Value state. */
public final class DreyValueState<K, N, V> extends SingleState<K, N, V> implements InternalValueState<K, N, V> {
    public DreyValueState(KeyedStore<K> store, StateTable table) {
        super(store, table);
    }

    @Override
    public V value() throws IOException {
        V value = read();
        return value == null ? defaultValue() : value;
    }

    @Override
    public void update(V value) throws IOException {
        if (value == null) {
            clear();
        } else {
            write(value);
        }
    }
}
