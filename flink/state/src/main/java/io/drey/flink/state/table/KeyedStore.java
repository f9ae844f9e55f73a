package io.drey.flink.state.table;

import io.drey.flink.state.task.TaskThread;
import io.drey.foundation.Bytes;
import io.drey.store.MapScan;
import io.drey.store.Store;
import io.drey.store.entry.EntryKey;
import java.util.Arrays;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The store of a backend as its states see it: the current key, and buffers that every operation fills anew. What
 * {@link #input} and {@link #output} return is valid until the next operation of any state. Hot path; one thread.
 */
public final class KeyedStore<K> {
    /** Buffers larger than this are given up after use, so that one huge value does not stay on the heap. */
    private static final int BUFFER_BYTES_KEPT_MAX = 4 << 20;

    private final Store store;
    private final CurrentKey<K> key;
    private final TaskThread task;
    private final int keyGroups;
    private final DataInputDeserializer in = new DataInputDeserializer();
    private Bytes value = new Bytes();
    private DataOutputSerializer out = new DataOutputSerializer(256);

    public KeyedStore(Store store, CurrentKey<K> key, TaskThread task, int keyGroups) {
        this.store = store;
        this.key = key;
        this.task = task;
        this.keyGroups = keyGroups;
    }

    public CurrentKey<K> key() {
        return key;
    }

    /** Number of key groups of the job. */
    int keyGroups() {
        return keyGroups;
    }

    TaskThread task() {
        return task;
    }

    /** Reads an entry; false if there is none. */
    public boolean get(EntryKey entry) {
        if (value.array().length > BUFFER_BYTES_KEPT_MAX) {
            value = new Bytes();
        }
        return store.get(entry, value);
    }

    /** The value that was read last. */
    public DataInputDeserializer input() {
        in.setBuffer(value.array(), 0, value.length());
        return in;
    }

    /** Some other bytes as input. */
    public DataInputDeserializer input(byte[] bytes, int offset, int length) {
        in.setBuffer(bytes, offset, length);
        return in;
    }

    /** The bytes of the value that was read last, in {@code [0, valueLength())}. */
    public byte[] valueBytes() {
        return value.array();
    }

    public int valueLength() {
        return value.length();
    }

    public byte[] copyOfValue() {
        return Arrays.copyOf(value.array(), value.length());
    }

    /** An empty buffer to serialize a value into. */
    public DataOutputSerializer output() {
        if (out.getSharedBuffer().length > BUFFER_BYTES_KEPT_MAX) {
            out = new DataOutputSerializer(256);
        }
        out.clear();
        return out;
    }

    /** Puts what is in {@link #output}. */
    public void put(EntryKey entry) {
        store.put(entry, out.getSharedBuffer(), 0, out.length());
    }

    /** Appends what is in {@link #output}. */
    public void append(EntryKey entry) {
        store.append(entry, out.getSharedBuffer(), 0, out.length());
    }

    /** Appends the value that was read last. */
    public void appendValue(EntryKey entry) {
        store.append(entry, value.array(), 0, value.length());
    }

    public void delete(EntryKey entry) {
        store.delete(entry);
    }

    public void clearMap(EntryKey group) {
        store.clearMap(group);
    }

    public boolean isMapEmpty(EntryKey group) {
        return store.isMapEmpty(group);
    }

    public MapScan scanMap(EntryKey group, byte[] after) {
        return store.scanMap(group, after);
    }
}
