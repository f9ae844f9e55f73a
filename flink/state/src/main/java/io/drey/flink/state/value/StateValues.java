package io.drey.flink.state.value;

import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import io.drey.keyed.cache.CacheAdmission;
import io.drey.keyed.cache.ObjectCache;
import io.drey.store.entry.EntryKey;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.ttl.TtlStateFactory.TtlSerializerSnapshot;

/**
 * The values of one state, as objects: from the {@link ObjectCache} while {@link CacheAdmission} says that it pays, else from
 * the store. Stands apart from the states because exactness lives here:
 *
 * <ul>
 *   <li>What comes in and what goes out is copied by the serializer, which returns immutable objects as they are. So
 *       the object in the cache is nobody else's: changing one after {@code update}, or one that {@code value}
 *       returned, changes no state. This holds with Flink's object reuse too, where records change under the user's
 *       feet.
 *   <li>A value that is new to the cache is written to the store at once, which tells its size and finds values that
 *       cannot be serialized; later changes are written back later. One in {@value #MEASURED_CHANGES} of these is
 *       written at once too: values grow, and memory counts by what they have on average.
 *   <li>A serializer that cannot copy turns the cache off for its state.
 * </ul>
 *
 * Hot path; one thread at a time.
 */
final class StateValues<V> implements ObjectCache.Owner {
    /** Slots given up by each operation while the state leaves the cache. */
    private static final int DRAINED_PER_OPERATION = 8;

    /** One in so many values read from the store is measured. */
    private static final int MEASURED_READS = 64;

    /** One in so many values changed in the cache is measured; not a power of two, as keys often come in turn. */
    private static final int MEASURED_CHANGES = 61;

    /** A value so many times as large as they have been on average says that they have changed. */
    private static final int JUMP = 8;

    private final KeyedStore<?> store;
    private final ObjectCache objects;
    private final CacheAdmission use;
    private final StateTable table;
    private TypeSerializer<V> serializer;
    private int reads;
    private int drainedSlots;
    private int meanSize;
    private int untilMeasured;

    StateValues(KeyedStore<?> store, StateTable table) {
        this.store = store;
        this.objects = store.objects();
        this.use = new CacheAdmission(2 * objects.slots());
        this.table = table;
    }

    /** Takes the serializer of a registration; what there was has been {@link #release released}. */
    void configure(TypeSerializer<V> newSerializer) {
        serializer = newSerializer;
        meanSize = 0;
        untilMeasured = MEASURED_CHANGES;
        drainedSlots = 0;
        if (objects.isEnabled()) {
            objects.register(table.number(), this);
        }
        if (objects.isEnabled() && isCopyTrusted(newSerializer)) {
            use.restart();
        } else {
            use.off();
        }
    }

    /** Flink SQL's texts are called immutable, but lie in memory that is reused; a time to live hides their copying. */
    private static boolean isCopyTrusted(TypeSerializer<?> serializer) {
        TypeSerializerSnapshot<?> snapshot = serializer.isImmutableType() ? serializer.snapshotConfiguration() : null;
        return !(snapshot instanceof TtlSerializerSnapshot<?> ttl)
                || !ttl.getValueSerializerSnapshot()
                        .restoreSerializer()
                        .getClass()
                        .getName()
                        .startsWith("org.apache.flink.table.");
    }

    /** Writes back and drops all values, by the serializer of now. */
    void release() throws IOException {
        objects.release(table.number());
    }

    /**
     * The value of an entry, or null; the caller's own.
     *
     * @param first whether this is the first operation since the address changed
     */
    V read(EntryKey entry, boolean first) throws IOException {
        if (!use.looksUp()) {
            objects.bypassed();
            return readBelow(entry);
        }
        int slot = find(entry, first);
        if (slot != ObjectCache.NONE) {
            @SuppressWarnings("unchecked")
            V value = (V) objects.value(slot);
            store.counters().gotCached(value != null);
            return value == null ? null : copyOut(entry, value);
        }
        return use.keeps() ? readAndKeep(entry) : readBelow(entry);
    }

    private int find(EntryKey entry, boolean first) throws IOException {
        int slot = objects.find(entry);
        if (first) {
            use.looked(slot != ObjectCache.NONE);
            if (slot != ObjectCache.NONE) {
                objects.touch(slot);
            }
        }
        if (use.isDraining()) {
            drain();
            return objects.find(entry);
        }
        return slot;
    }

    private void drain() throws IOException {
        drainedSlots = objects.release(table.number(), drainedSlots, DRAINED_PER_OPERATION);
        if (drainedSlots == objects.slots()) {
            drainedSlots = 0;
            use.drained();
        }
    }

    private V copyOut(EntryKey entry, V value) throws IOException {
        V copy = copy(value);
        if (copy != null) {
            return copy;
        }
        turnOff();
        return readBelow(entry);
    }

    /** A copy that is nobody else's, or null if the serializer does not make one. */
    @SuppressWarnings("ReferenceEquality") // Whether it is the same object is the question.
    private V copy(V value) {
        try {
            V copy = serializer.copy(value);
            return copy == value && !serializer.isImmutableType() ? null : copy;
        } catch (RuntimeException e) {
            // The value is fine, it is only not to be cached: it will be serialized, as every value would be without
            // cache.
            return null;
        }
    }

    private void turnOff() throws IOException {
        release();
        use.off();
    }

    private V readBelow(EntryKey entry) throws IOException {
        return store.get(entry) ? serializer.deserialize(store.input()) : null;
    }

    private V readAndKeep(EntryKey entry) throws IOException {
        if (!store.get(entry)) {
            objects.keep(entry, null, 0);
            return null;
        }
        if (++reads % MEASURED_READS == 0) {
            return deserializeMeasured(entry);
        }
        V value = serializer.deserialize(store.input());
        keepRead(entry, value, value == null ? null : copy(value));
        return value;
    }

    private V deserializeMeasured(EntryKey entry) throws IOException {
        long before = objects.nanos();
        long start = objects.nanos();
        V value = serializer.deserialize(store.input());
        long deserialized = objects.nanos();
        V copy = value == null ? null : copy(value);
        long asking = start - before;
        use.measured(deserialized - start - asking, objects.nanos() - deserialized - asking);
        keepRead(entry, value, copy);
        return value;
    }

    private void keepRead(EntryKey entry, V value, V copy) throws IOException {
        if (copy != null) {
            objects.keep(entry, copy, sized(store.valueLength()));
        } else if (value != null) {
            turnOff();
        }
    }

    /** Sets the value of an entry; what the caller does to the object afterwards is of no effect. */
    void write(EntryKey entry, V value, boolean first) throws IOException {
        if (!use.looksUp()) {
            objects.bypassed();
            writeBelow(entry, value);
            return;
        }
        int slot = find(entry, first);
        V copy = value == null ? null : copy(value);
        if (copy == null) {
            writeUncached(entry, value, slot);
        } else if (slot == ObjectCache.NONE) {
            int size = writeBelow(entry, value);
            if (use.keeps()) {
                objects.keep(entry, copy, size);
            }
        } else if (objects.isDue(slot) || isMeasured()) {
            writeMeasured(entry, value, slot, copy);
        } else {
            objects.change(slot, copy, meanSize);
            store.counters().putCached();
        }
    }

    /** Whether the size of a value is to be known at once; always if it is most likely too large to be kept. */
    private boolean isMeasured() {
        boolean isMeasured = --untilMeasured < 0 || meanSize == 0 || meanSize > objects.sizeMax();
        if (isMeasured) {
            untilMeasured = MEASURED_CHANGES - 1;
        }
        return isMeasured;
    }

    private void writeMeasured(EntryKey entry, V value, int slot, V copy) throws IOException {
        boolean wereKept = meanSize <= objects.sizeMax();
        int size = writeBelow(entry, value);
        objects.changeWritten(slot, copy, size);
        if (wereKept && size > objects.sizeMax()) {
            // Others may have become as large since they were measured.
            objects.writeBack();
        }
    }

    private void writeUncached(EntryKey entry, V value, int slot) throws IOException {
        writeBelow(entry, value);
        if (slot != ObjectCache.NONE) {
            objects.drop(slot);
        }
        if (value != null) {
            turnOff();
        }
    }

    private int writeBelow(EntryKey entry, V value) throws IOException {
        DataOutputSerializer out = store.output();
        serializer.serialize(value, out);
        int size = out.length();
        store.put(entry);
        return sized(size);
    }

    /** Learns from the size of a value, which is at least one byte here. */
    private int sized(int bytes) {
        int size = Math.max(1, bytes);
        boolean isJump = meanSize == 0 || size / JUMP > meanSize;
        meanSize = isJump ? size : meanSize + (size - meanSize) / 8;
        return size;
    }

    @Override
    public int writeBack(EntryKey entry, Object value) throws IOException {
        DataOutputSerializer out = store.output();
        try {
            @SuppressWarnings("unchecked")
            V own = (V) value;
            serializer.serialize(own, out);
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "expected a value of state " + table.info().getName() + " to be serialized by " + serializer
                            + " when it was written back to the store, found that it cannot be: " + e.getMessage(),
                    e);
        }
        int size = out.length();
        store.putBack(entry);
        return sized(size);
    }

    @Override
    public boolean isBypassed() {
        return use.isBypassed();
    }

    /** Removes the value of an entry. */
    void clear(EntryKey entry) throws IOException {
        int slot = use.looksUp() ? find(entry, false) : ObjectCache.NONE;
        if (slot == ObjectCache.NONE) {
            store.delete(entry);
            return;
        }
        if (objects.isAbsentBelow(slot)) {
            store.counters().deletedCached();
        } else {
            store.delete(entry);
        }
        objects.clear(slot);
    }

    /**
     * The bytes of a value for a client of queryable state, by a serializer of the client's own; null if there is none.
     */
    byte[] readForClient(KeyedStore<?> reader, EntryKey entry, TypeSerializer<V> clientSerializer) throws IOException {
        int slot = objects.isEnabled() ? objects.find(entry) : ObjectCache.NONE;
        if (slot == ObjectCache.NONE) {
            return reader.get(entry) ? reader.copyOfValue() : null;
        }
        @SuppressWarnings("unchecked")
        V value = (V) objects.value(slot);
        if (value == null) {
            return null;
        }
        DataOutputSerializer out = new DataOutputSerializer(64);
        clientSerializer.serialize(value, out);
        return out.getCopyOfBuffer();
    }
}
