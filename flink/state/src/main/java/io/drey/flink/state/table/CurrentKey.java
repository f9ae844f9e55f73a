package io.drey.flink.state.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The key that the task works on, and its bytes: serialized once per key, at the first access to any state. Hot path;
 * one thread.
 */
public final class CurrentKey<K> {
    private final TypeSerializer<K> serializer;
    private final DataOutputSerializer out = new DataOutputSerializer(64);
    private K key;
    private int keyGroup;
    private long version;
    private boolean serialized;

    public CurrentKey(TypeSerializer<K> serializer) {
        this.serializer = serializer;
    }

    public TypeSerializer<K> serializer() {
        return serializer;
    }

    public void set(K newKey, int newKeyGroup) {
        key = newKey;
        keyGroup = newKeyGroup;
        serialized = false;
        version++;
    }

    /** Changes with every {@link #set}. */
    long version() {
        return version;
    }

    int keyGroup() {
        return keyGroup;
    }

    /** The bytes of the key, in {@code [0, length())}. */
    byte[] bytes() {
        if (!serialized) {
            Objects.requireNonNull(key, "No key set. This method should not be called outside of a keyed context.");
            try {
                out.clear();
                serializer.serialize(key, out);
            } catch (IOException e) {
                throw new UncheckedIOException("the key could not be serialized by " + serializer, e);
            }
            serialized = true;
        }
        return out.getSharedBuffer();
    }

    int length() {
        return out.length();
    }
}
