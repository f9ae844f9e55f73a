package io.drey.flink.state.table;

import io.drey.store.entry.EntryKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Where a state lies under the current key and namespace. The address is made and hashed once for all operations on one
 * key and namespace. Hot path; one thread.
 */
public final class StateAddress<K, N> {
    private final CurrentKey<K> key;
    private final int table;
    private final EntryKey entry = new EntryKey();
    private final DataOutputSerializer namespaceBytes = new DataOutputSerializer(32);
    private TypeSerializer<N> namespaceSerializer;
    private boolean namespaceImmutable;
    private N namespace;
    private boolean namespaceChanged = true;
    private boolean namespaceSerialized;
    private long keyVersion = -1;
    private long version;

    StateAddress(CurrentKey<K> key, int table) {
        this.key = key;
        this.table = table;
    }

    void namespaceSerializer(TypeSerializer<N> serializer) {
        namespaceSerializer = serializer;
        namespaceImmutable = serializer.isImmutableType();
        namespaceChanged = true;
    }

    @SuppressWarnings(
            "ReferenceEquality") // The same immutable object has the same bytes; equal ones may be expensive to
    // compare.
    void namespace(N newNamespace) {
        if (newNamespace != namespace || !namespaceImmutable) {
            namespace = newNamespace;
            namespaceChanged = true;
        }
    }

    /** The address of the state's own entry, valid until the next call of any method here. */
    public EntryKey row() {
        if (keyVersion == key.version() && !namespaceChanged) {
            return entry.rowEntry();
        }
        Objects.requireNonNull(namespace, "No namespace set. A namespace is set before the state is used.");
        if (namespaceChanged || !namespaceSerialized || !namespaceImmutable) {
            serializeNamespace(namespace);
            namespaceSerialized = true;
        }
        addressInto(entry);
        keyVersion = key.version();
        namespaceChanged = false;
        version++;
        return entry;
    }

    /** Changes whenever {@link #row} has another key or namespace. */
    public long version() {
        return version;
    }

    /** The address of an entry of the map, valid until the next call of any method here. */
    public EntryKey mapKey(byte[] mapKey, int offset, int length) {
        return row().mapKey(mapKey, offset, length);
    }

    private void serializeNamespace(N object) {
        try {
            namespaceBytes.clear();
            namespaceSerializer.serialize(object, namespaceBytes);
        } catch (IOException e) {
            throw new UncheckedIOException("the namespace could not be serialized by " + namespaceSerializer, e);
        }
    }

    /** Addresses the state's own entry under the current key and another namespace. */
    public EntryKey addressInto(EntryKey target, N otherNamespace) {
        namespaceSerialized = false;
        serializeNamespace(otherNamespace);
        return addressInto(target);
    }

    private EntryKey addressInto(EntryKey target) {
        byte[] keyBytes = key.bytes();
        return target.row(
                table,
                key.keyGroup(),
                keyBytes,
                key.length(),
                namespaceBytes.getSharedBuffer(),
                namespaceBytes.length());
    }
}
