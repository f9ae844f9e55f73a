package io.drey.flink.state.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The key that the task works on, as bytes: serialized when it is set, because a job may change the object afterwards
 * and its key group is chosen then too. Hot path; one thread.
 */
public final class CurrentKey<K> {
    private final TypeSerializer<K> serializer;
    private final DataOutputSerializer out = new DataOutputSerializer(64);
    private int keyGroup;
    private long version;
    private boolean present;

    public CurrentKey(TypeSerializer<K> serializer) {
        this.serializer = serializer;
    }

    public TypeSerializer<K> serializer() {
        return serializer;
    }

    /** Takes the next key; after a failure, or with null, there is none. */
    public void set(K newKey, int newKeyGroup) {
        present = false;
        keyGroup = newKeyGroup;
        version++;
        if (newKey != null) {
            out.clear();
            try {
                serializer.serialize(newKey, out);
            } catch (IOException e) {
                throw new UncheckedIOException("the key could not be serialized by " + serializer, e);
            }
            present = true;
        }
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
        if (!present) {
            throw new NullPointerException("No key set. This method should not be called outside of a keyed context.");
        }
        return out.getSharedBuffer();
    }

    int length() {
        return out.length();
    }
}
