package io.drey.flink.state.table;

import io.drey.flink.state.metric.StateCounters;
import io.drey.flink.state.task.TaskThread;
import io.drey.foundation.Bytes;
import io.drey.keyed.cache.ObjectCache;
import io.drey.store.Store;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.Expiry;
import io.drey.store.read.MapScan;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The store of a backend as a state sees it: the current key, buffers that every operation fills anew, and the counters
 * of the state. What {@link #input} and {@link #output} return is valid until the next operation. Hot path;
 * one thread at a time.
 */
public final class KeyedStore<K> {
    /** Buffers larger than this are given up after use, so that one huge value does not stay on the heap. */
    private static final int BUFFER_BYTES_KEPT_MAX = 4 << 20;

    private final Store store;
    private final CurrentKey<K> key;
    private final TaskThread task;
    private final int keyGroups;
    private final ObjectCache objects;
    private final StateCounters counters;

    private final DataInputDeserializer in = new DataInputDeserializer();
    private Bytes value = new Bytes();
    private DataOutputSerializer out = new DataOutputSerializer(256);

    public KeyedStore(Store store, CurrentKey<K> key, TaskThread task, int keyGroups, ObjectCache objects) {
        this.store = store;
        this.key = key;
        this.task = task;
        this.keyGroups = keyGroups;
        this.objects = objects;
        this.counters = new StateCounters();
    }

    private KeyedStore(KeyedStore<K> other, StateCounters counters) {
        this.store = other.store;
        this.key = other.key;
        this.task = other.task;
        this.keyGroups = other.keyGroups;
        this.objects = other.objects;
        this.counters = counters;
    }

    /** The same with counters and buffers of its own. */
    public KeyedStore<K> counting(StateCounters ofState) {
        return new KeyedStore<>(this, ofState);
    }

    /** From now on the store may drop entries of a table that have expired so; with null, none. */
    public void expire(int table, Expiry expiry) {
        store.expire(table, expiry);
    }

    public CurrentKey<K> key() {
        return key;
    }

    /** Number of key groups of the job. */
    int keyGroups() {
        return keyGroups;
    }

    /** Values of all states, in front of the store; between {@link #enter} and {@link #leave} only. */
    public ObjectCache objects() {
        return objects;
    }

    /** Writes all values into the store that are newer than what it has, before somebody reads it as a whole. */
    public void writeBack() throws IOException {
        enter();
        try {
            objects.writeBack();
        } finally {
            leave();
        }
    }

    /** A read that a client asks for. */
    @FunctionalInterface
    interface ClientRead<K, T> {
        T from(KeyedStore<K> store) throws Exception;
    }

    /** Reads on behalf of any thread, between two operations of the task. */
    <T> T readForClient(ClientRead<K, T> read) throws Exception {
        KeyedStore<K> reader = counting(new StateCounters());
        return task.hasMailbox()
                ? task.call(() -> read.from(reader), "a read of queryable state")
                : task.alone(() -> read.from(reader));
    }

    /** Keeps other threads away from several steps that belong together. */
    public void enter() {
        task.enter();
    }

    public void leave() {
        task.leave();
    }

    /** Reads an entry; false if there is none. */
    public boolean get(EntryKey entry) {
        if (value.array().length > BUFFER_BYTES_KEPT_MAX) {
            value = new Bytes();
        }
        long began = counters.begin();
        boolean found;
        enter();
        try {
            found = store.get(entry, value);
        } finally {
            leave();
        }
        counters.got(began, found, entry, value.length());
        return found;
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
        long began = write(entry);
        counters.put(began, entry, out.length());
    }

    /** Puts what is in {@link #output}: a value that was kept as an object, and counted when it changed. */
    public void putBack(EntryKey entry) {
        long began = write(entry);
        counters.wroteBack(began, entry, out.length());
    }

    /** When that began, as the counters want it. */
    private long write(EntryKey entry) {
        long began = counters.begin();
        enter();
        try {
            store.put(entry, out.getSharedBuffer(), 0, out.length());
        } finally {
            leave();
        }
        return began;
    }

    /** What the state counts. */
    public StateCounters counters() {
        return counters;
    }

    /** Appends what is in {@link #output}. */
    public void append(EntryKey entry) {
        append(entry, out.getSharedBuffer(), out.length());
    }

    /** Appends the value that was read last. */
    public void appendValue(EntryKey entry) {
        append(entry, value.array(), value.length());
    }

    private void append(EntryKey entry, byte[] bytes, int length) {
        long began = counters.begin();
        enter();
        try {
            store.append(entry, bytes, 0, length);
        } finally {
            leave();
        }
        counters.put(began, entry, length);
    }

    public void delete(EntryKey entry) {
        long began = counters.begin();
        enter();
        try {
            store.delete(entry);
        } finally {
            leave();
        }
        counters.deleted(began, entry);
    }

    public void clearMap(EntryKey row) {
        long began = counters.begin();
        enter();
        try {
            store.clearMap(row);
        } finally {
            leave();
        }
        counters.deleted(began, row);
    }

    public boolean isMapEmpty(EntryKey row) {
        long began = counters.begin();
        boolean empty;
        enter();
        try {
            empty = store.isMapEmpty(row);
        } finally {
            leave();
        }
        counters.sought(began, row);
        return empty;
    }

    /** A scan of a map that stands on its first entry, or null if the map is empty. */
    public MapScan firstOf(EntryKey row) {
        long began = counters.begin();
        MapScan scan;
        boolean found;
        enter();
        try {
            scan = store.isMapSurelyEmpty(row) ? null : store.scanMap(row, null);
            found = scan != null && scan.next();
        } finally {
            leave();
        }
        counters.sought(began, row);
        return found ? scan : null;
    }

    /** Steps a scan, which may read more of the map. */
    public boolean next(MapScan scan) {
        long began = counters.begin();
        boolean found = scan.isNextAtHand() ? scan.next() : nextBatch(scan);
        counters.stepped(began);
        return found;
    }

    private boolean nextBatch(MapScan scan) {
        enter();
        try {
            return scan.next();
        } finally {
            leave();
        }
    }
}
