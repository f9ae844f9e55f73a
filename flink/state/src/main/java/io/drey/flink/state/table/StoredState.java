package io.drey.flink.state.table;

import io.drey.store.entry.EntryKey;
import java.io.IOException;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.queryablestate.client.state.serialization.KvStateSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * The base of states of all types: an address under the current key and namespace, and serializers, which a new
 * registration may replace.
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 * @param <V> type of the whole state: the value, the list, the map
 */
public abstract class StoredState<K, N, V> implements InternalKvState<K, N, V> {
    protected final KeyedStore<K> store;
    protected final StateAddress<K, N> address;
    private final int table;
    private TypeSerializer<N> namespaceSerializer;
    private TypeSerializer<V> valueSerializer;
    private V defaultValue;

    protected StoredState(KeyedStore<K> store, StateTable table) {
        this.store = store;
        this.table = table.number();
        this.address = new StateAddress<>(store.key(), table.number());
    }

    /** Brings all values into the store, before the serializers change or somebody else reads them there. */
    public void settle() throws IOException {}

    /** Takes the serializers, functions and defaults of a registration, the first or a later one. */
    public void configure(StateDescriptor<?, V> descriptor, RegisteredKeyValueStateBackendMetaInfo<N, V> info) {
        namespaceSerializer = info.getNamespaceSerializer();
        valueSerializer = info.getStateSerializer();
        defaultValue = readDefault(descriptor);
        address.namespaceSerializer(namespaceSerializer);
    }

    @SuppressWarnings(
            "deprecation") // Deprecated for users, who are to keep defaults themselves; those who do not still get
    // them.
    private static <V> V readDefault(StateDescriptor<?, V> descriptor) {
        return descriptor.getDefaultValue();
    }

    /** Rewrites the bytes of one entry from the serializer of before to the one of now. */
    public abstract void migrate(
            DataInputDeserializer prior,
            DataOutputSerializer migrated,
            TtlAwareSerializer<V, ?> priorSerializer,
            TtlAwareSerializer<V, ?> serializer,
            TtlTimeProvider time)
            throws IOException;

    /** The bytes that a queryable-state client gets for an entry or map, or null if there is none. */
    protected abstract byte[] readForClient(KeyedStore<K> reader, EntryKey row, TypeSerializer<V> safeValueSerializer)
            throws IOException;

    @Override
    public final void setCurrentNamespace(N namespace) {
        address.namespace(namespace);
    }

    @Override
    public final TypeSerializer<K> getKeySerializer() {
        return store.key().serializer();
    }

    @Override
    public final TypeSerializer<N> getNamespaceSerializer() {
        return namespaceSerializer;
    }

    @Override
    public final TypeSerializer<V> getValueSerializer() {
        return valueSerializer;
    }

    /** A copy of the default value, or null. */
    protected final V defaultValue() {
        return defaultValue == null ? null : valueSerializer.copy(defaultValue);
    }

    @Override
    public void clear() {
        store.delete(address.row());
    }

    @Override
    public final byte[] getSerializedValue(
            byte[] serializedKeyAndNamespace,
            TypeSerializer<K> safeKeySerializer,
            TypeSerializer<N> safeNamespaceSerializer,
            TypeSerializer<V> safeValueSerializer)
            throws Exception {
        Tuple2<K, N> parts = KvStateSerializer.deserializeKeyAndNamespace(
                serializedKeyAndNamespace, safeKeySerializer, safeNamespaceSerializer);
        int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(parts.f0, store.keyGroups());
        DataOutputSerializer key = new DataOutputSerializer(64);
        safeKeySerializer.serialize(parts.f0, key);
        DataOutputSerializer namespace = new DataOutputSerializer(64);
        safeNamespaceSerializer.serialize(parts.f1, namespace);
        EntryKey entry = new EntryKey()
                .row(
                        table,
                        keyGroup,
                        key.getSharedBuffer(),
                        key.length(),
                        namespace.getSharedBuffer(),
                        namespace.length());
        return store.readForClient(reader -> readForClient(reader, entry, safeValueSerializer));
    }

    @Override
    public final StateIncrementalVisitor<K, N, V> getStateIncrementalVisitor(
            int recommendedMaxNumberOfReturnedRecords) {
        throw new UnsupportedOperationException("Drey has no incremental visitor of all entries of a state");
    }
}
