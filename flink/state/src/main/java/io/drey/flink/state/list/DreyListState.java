package io.drey.flink.state.list;

import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StoredState;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.Expiry;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** List state. Adding never reads; merging moves bytes without deserializing them. */
public final class DreyListState<K, N, T> extends StoredState<K, N, List<T>> implements InternalListState<K, N, T> {
    private final UnreadableLists unreadable;
    private TypeSerializer<T> elementSerializer;

    public DreyListState(KeyedStore<K> store, StateTable table) {
        super(store, table);
        this.unreadable = new UnreadableLists(table.info().getName(), store.counters());
    }

    @Override
    public void configure(
            StateDescriptor<?, List<T>> descriptor, RegisteredKeyValueStateBackendMetaInfo<N, List<T>> info) {
        super.configure(descriptor, info);
        elementSerializer = ((ListSerializer<T>) info.getStateSerializer()).getElementSerializer();
    }

    /** When lists expire whose elements begin with their last access. */
    public Expiry expiry(long ttlMs, LongSupplier clock, ClassLoader classes) {
        return new ListExpiry(elementSerializer, ttlMs, clock, classes, unreadable);
    }

    @Override
    public Iterable<T> get() throws IOException {
        return getInternal();
    }

    @Override
    public List<T> getInternal() throws IOException {
        return store.get(address.row()) ? ListLayout.readAll(store.input(), elementSerializer) : null;
    }

    @Override
    public void add(T value) throws IOException {
        ListLayout.writeElement(value, elementSerializer, store.output());
        store.append(address.row());
    }

    @Override
    public void addAll(List<T> values) throws IOException {
        Objects.requireNonNull(values, "List of values to add cannot be null.");
        if (!values.isEmpty()) {
            ListLayout.writeAll(values, elementSerializer, store.output());
            store.append(address.row());
        }
    }

    @Override
    public void update(List<T> values) throws IOException {
        updateInternal(values);
    }

    @Override
    public void updateInternal(List<T> values) throws IOException {
        Objects.requireNonNull(values, "List of values to add cannot be null.");
        if (values.isEmpty()) {
            clear();
        } else {
            ListLayout.writeAll(values, elementSerializer, store.output());
            store.put(address.row());
        }
    }

    @Override
    public void mergeNamespaces(N target, Collection<N> sources) {
        if (sources == null || sources.isEmpty()) {
            return;
        }
        EntryKey from = new EntryKey();
        EntryKey to = address.addressInto(new EntryKey(), target);
        for (N source : sources) {
            if (source != null && store.get(address.addressInto(from, source))) {
                store.delete(from);
                store.appendValue(to);
            }
        }
    }

    @Override
    public void migrate(
            DataInputDeserializer prior,
            DataOutputSerializer migrated,
            TtlAwareSerializer<List<T>, ?> priorSerializer,
            TtlAwareSerializer<List<T>, ?> serializer,
            TtlTimeProvider time)
            throws IOException {
        TtlAwareSerializer<T, ?> priorElements = elements(priorSerializer);
        TtlAwareSerializer<T, ?> elements = elements(serializer);
        while (prior.available() > 0) {
            elements.migrateValueFromPriorSerializer(
                    priorElements, () -> ListLayout.readElement(prior, priorElements), migrated, time);
            migrated.write(ListLayout.DELIMITER);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> TtlAwareSerializer<T, ?> elements(TtlAwareSerializer<List<T>, ?> list) {
        return ((TtlAwareSerializer.TtlAwareListSerializer<T>) list).getElementSerializer();
    }

    @Override
    protected byte[] readForClient(KeyedStore<K> reader, EntryKey row, TypeSerializer<List<T>> safeValueSerializer) {
        return reader.get(row) ? ListLayout.toCanonical(reader.valueBytes(), reader.valueLength()) : null;
    }
}
