package io.drey.flink.state.canonical;

import io.drey.flink.state.table.StateTable;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** How the rows of one table are made; its position among all tables is its number in the canonical format. */
record CanonicalTable(int number, CompositeKey key, CanonicalValue value) {
    static CanonicalTable of(StateTable table, TypeSerializer<?> keySerializer, int prefixBytes) {
        return new CanonicalTable(
                table.number(), CompositeKey.of(table, keySerializer, prefixBytes), CanonicalValue.of(table));
    }
}
