package io.drey.flink.state.value;

import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StoredState;
import io.drey.store.entry.EntryKey;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** A state whose entry is the bytes of one value: what value, reducing and aggregating state have in common. */
abstract class SingleState<K, N, V> extends StoredState<K, N, V> {
    SingleState(KeyedStore<K> store, StateTable table) {
        super(store, table);
    }

    /** The stored value, or null. */
    final V read() throws IOException {
        return read(address.group());
    }

    private V read(EntryKey entry) throws IOException {
        return store.get(entry) ? getValueSerializer().deserialize(store.input()) : null;
    }

    final void write(V value) throws IOException {
        write(address.group(), value);
    }

    private void write(EntryKey entry, V value) throws IOException {
        getValueSerializer().serialize(value, store.output());
        store.put(entry);
    }

    /** Combines two values that merging brought together. */
    V combine(V first, V second) throws Exception {
        throw new UnsupportedOperationException(getClass() + " has no values to merge");
    }

    /** Moves the values of the sources, combined, into the target. */
    final void merge(N target, Collection<N> sources) throws Exception {
        if (sources == null || sources.isEmpty()) {
            return;
        }
        EntryKey entry = new EntryKey();
        V merged = null;
        for (N source : sources) {
            if (source == null) {
                continue;
            }
            V value = read(address.addressInto(entry, source));
            if (value != null) {
                store.delete(entry);
                merged = merged == null ? value : combine(merged, value);
            }
        }
        if (merged != null) {
            V value = read(address.addressInto(entry, target));
            write(entry, value == null ? merged : combine(merged, value));
        }
    }

    @Override
    public final void migrate(
            DataInputDeserializer prior,
            DataOutputSerializer migrated,
            TtlAwareSerializer<V, ?> priorSerializer,
            TtlAwareSerializer<V, ?> serializer,
            TtlTimeProvider time)
            throws IOException {
        serializer.migrateValueFromPriorSerializer(
                priorSerializer, () -> priorSerializer.deserialize(prior), migrated, time);
    }

    @Override
    protected final byte[] readForClient(KeyedStore<K> reader, EntryKey group, TypeSerializer<V> safeValueSerializer) {
        return reader.get(group) ? reader.copyOfValue() : null;
    }
}
