package io.drey.flink.state.value;

import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.internal.InternalReducingState;

/** Reducing state: each added value is reduced into the stored one. */
public final class DreyReducingState<K, N, V> extends SingleState<K, N, V> implements InternalReducingState<K, N, V> {
    private ReduceFunction<V> function;

    public DreyReducingState(KeyedStore<K> store, StateTable table) {
        super(store, table);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void configure(StateDescriptor<?, V> descriptor, RegisteredKeyValueStateBackendMetaInfo<N, V> info) {
        super.configure(descriptor, info);
        function = ((ReducingStateDescriptor<V>) descriptor).getReduceFunction();
    }

    @Override
    public V get() throws IOException {
        return read();
    }

    @Override
    public void add(V value) throws Exception {
        V stored = read();
        write(stored == null ? value : function.reduce(stored, value));
    }

    @Override
    V combine(V first, V second) throws Exception {
        return function.reduce(first, second);
    }

    @Override
    public void mergeNamespaces(N target, Collection<N> sources) throws Exception {
        merge(target, sources);
    }

    @Override
    public V getInternal() throws IOException {
        return read();
    }

    @Override
    public void updateInternal(V valueToStore) throws IOException {
        write(valueToStore);
    }
}
