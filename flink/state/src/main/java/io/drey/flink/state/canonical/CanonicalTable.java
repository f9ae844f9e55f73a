package io.drey.flink.state.canonical;

import io.drey.flink.state.table.StateTable;
import io.drey.keyed.timer.TimerStore;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.TableInfo;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Makes the rows of one table; its position among all tables is its number in the canonical format.
 *
 * @param journals of a timer queue: the table with the journals of its timers; otherwise {@link #NONE}
 */
record CanonicalTable(int number, CompositeKey key, CanonicalValue value, int journals) {
    static final int NONE = -1;

    static CanonicalTable of(
            StateTable table, StoreSnapshot snapshot, TypeSerializer<?> keySerializer, int prefixBytes) {
        return new CanonicalTable(
                table.number(),
                CompositeKey.of(table, keySerializer, prefixBytes),
                CanonicalValue.of(table),
                journals(table, snapshot));
    }

    private static int journals(StateTable table, StoreSnapshot snapshot) {
        if (table.isKeyValue()) {
            return NONE;
        }
        String name = TimerStore.journals(table.info().getName());
        for (TableInfo info : snapshot.tables()) {
            if (info.name().equals(name)) {
                return info.number();
            }
        }
        return NONE;
    }
}
