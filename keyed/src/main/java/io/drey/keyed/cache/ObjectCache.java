package io.drey.keyed.cache;

import io.drey.foundation.Bytes;
import io.drey.foundation.HeapShare;
import io.drey.store.entry.EntryKey;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * T0, the object cache: values of a backend as objects, each under the bytes of its address (table, key, namespace), so
 * that two keys are the same here exactly if they are the same in the store, whatever their {@code equals} says. It
 * stands apart from the states because its slots are shared among them.
 *
 * <ul>
 *   <li>Set-associative: an address may lie in the {@value #WAYS} slots of one set; a clock per set chooses who goes.
 *   <li>A slot holds a value or the knowledge that there is none. The cache owns its objects: nobody changes them.
 *   <li>A dirty value is newer than the store's and is written back by its {@link Owner} before it goes, at
 *       {@link #writeBack()}, and after {@value #CHANGES_MAX} changes, so that its size stays known.
 *   <li>At most one slot of {@value #DIRTY_FRACTION} is dirty: beyond that each change writes back another value.
 *   <li>A slot may know that the store has nothing under its address: then clearing it does not touch the store.
 *   <li>Never more than a number of entries, and about that number times {@value #BYTES_PER_ENTRY} bytes of values, by
 *       their serialized size when they were last read or written; less of both where the share of the heap is small.
 * </ul>
 *
 * A failed write-back loses nothing: the value stays, dirty, and the operation that needed its place throws. Hot path:
 * allocates nothing after the first value. One thread at a time.
 */
public final class ObjectCache {
    /** No such slot. */
    public static final int NONE = -1;

    /** That all object caches of a process share. */
    public static final HeapShare HEAP = HeapShare.ofJvm(16);

    /** Slots of a set. */
    static final int WAYS = 8;

    /** Changes of a value before it is written to the store again. */
    static final int CHANGES_MAX = 64;

    /** Serialized bytes of values per entry that the cache may hold. */
    static final int BYTES_PER_ENTRY = 512;

    /** A larger part of all bytes is no single value. */
    static final int VALUE_FRACTION = 16;

    /** Longer addresses are not kept. */
    private static final int ADDRESS_BYTES_MAX = 64;

    /** Part of the share of the heap for slots, and for values when serialized: as objects they take the rest. */
    private static final int HEAP_FRACTION = 4;

    /** On the heap, of the arrays. */
    private static final int SLOT_BYTES = 28 + ADDRESS_BYTES_MAX;

    /** Slots that are looked at to make room for one value. */
    private static final int MAJOR_MAX = 32;

    /** Part of all slots that may be dirty, so that a barrier has not to write back too many. */
    static final int DIRTY_FRACTION = 3;

    /** Dirty values of use that are passed over for one of no use. */
    private static final int SPARED_MAX = 8;

    private static final byte REFERENCED = 1;
    private static final byte DIRTY = 2;
    private static final byte ABSENT_BELOW = 4;

    /** Writes the values of a table into the store. */
    public interface Owner {
        /** Serializes a value and puts it into the store; returns its size in bytes. */
        int writeBack(EntryKey entry, Object value) throws IOException;

        /** Whether operations on the table go past the cache for now. */
        boolean isBypassed();
    }

    private final LongSupplier nanoClock;
    private final HeapShare heap;
    private final int setsMax;
    private int sets;
    private final EntryKey victim = new EntryKey();
    private final Bytes victimRow = new Bytes(ADDRESS_BYTES_MAX);
    private boolean isOpen;
    private Owner[] owners = new Owner[16];
    private long[] tags;
    private Object[] values;
    private int[] places;
    private int[] sizes;
    private byte[] flags;
    private byte[] changes;
    private byte[] addresses;
    private byte[] addressLengths;
    private byte[] hands;
    private int sweepHand;
    private int writeBackHand;
    private int used;
    private int dirty;
    private long bytes;
    private long hits;
    private long misses;
    private long bypasses;
    private long evictions;
    private long writeBacks;
    private long vanished;

    /**
     * A cache that allocates with the first value, and lets go with the last one that is released.
     *
     * @param entries most values held, rounded up to a power of two, at least {@value #WAYS}; 0 for none at all
     * @param nanoClock tells what serializers cost
     * @param heap that it shares with others
     */
    public ObjectCache(int entries, LongSupplier nanoClock, HeapShare heap) {
        this.nanoClock = nanoClock;
        this.heap = heap;
        this.setsMax = entries == 0 ? 0 : Math.max(1, Integer.highestOneBit(2 * entries - 1) / WAYS);
        this.sets = setsMax;
    }

    /** Whether it holds anything ever. */
    public boolean isEnabled() {
        return sets > 0;
    }

    /** The time, to measure serializers with. */
    public long nanos() {
        return nanoClock.getAsLong();
    }

    /** Slots there are. */
    public int slots() {
        return sets * WAYS;
    }

    /** Names who writes back the values of a table; before the first of them is kept. */
    public void register(int table, Owner owner) {
        if (table >= owners.length) {
            owners = Arrays.copyOf(owners, Math.max(table + 1, 2 * owners.length));
        }
        owners[table] = owner;
    }

    private void allocate() {
        isOpen = true;
        heap.enter();
        long slotsMax = Math.min(setsMax * WAYS, heap.bytes() / HEAP_FRACTION / SLOT_BYTES);
        sets = Math.max(1, (int) Long.highestOneBit(slotsMax) / WAYS);
        int slots = slots();
        values = new Object[slots];
        places = new int[slots];
        sizes = new int[slots];
        flags = new byte[slots];
        changes = new byte[slots];
        addresses = new byte[slots * ADDRESS_BYTES_MAX];
        addressLengths = new byte[slots];
        hands = new byte[sets];
        tags = new long[slots];
    }

    /** Drops all values, dirty or not, and what held them: nothing is in it, or the backend ends. */
    public void close() {
        if (isOpen) {
            isOpen = false;
            tags = null;
            values = null;
            places = null;
            sizes = null;
            flags = null;
            changes = null;
            addresses = null;
            addressLengths = null;
            hands = null;
            sweepHand = 0;
            writeBackHand = 0;
            used = 0;
            dirty = 0;
            bytes = 0;
            heap.leave();
        }
    }

    private long bytesMax() {
        return Math.min((long) slots() * BYTES_PER_ENTRY, heap.bytes() / HEAP_FRACTION);
    }

    private static long tag(EntryKey entry) {
        long tag = (entry.rowMemoryHash() ^ entry.table()) * 0x9E3779B97F4A7C15L;
        return tag == 0 ? 1 : tag;
    }

    /** The first slot of a tag's set; the number of sets is a power of two. */
    private int set(long tag) {
        return ((int) (tag >>> 40) & (sets - 1)) * WAYS;
    }

    /** The slot of an address, or {@link #NONE}. */
    public int find(EntryKey entry) {
        int slot = used == 0 ? NONE : search(entry);
        hits += slot == NONE ? 0 : 1;
        misses += slot == NONE ? 1 : 0;
        return slot;
    }

    private int search(EntryKey entry) {
        long tag = tag(entry);
        int first = set(tag);
        long[] tagsHere = tags;
        for (int slot = first; slot < first + WAYS; slot++) {
            if (tagsHere[slot] == tag && isAt(slot, entry)) {
                return slot;
            }
        }
        return NONE;
    }

    /** An operation went past the cache. */
    public void bypassed() {
        bypasses++;
    }

    private boolean isAt(int slot, EntryKey entry) {
        int length = entry.rowLength();
        int offset = slot * ADDRESS_BYTES_MAX;
        return addressLengths[slot] == length
                && places[slot] == place(entry)
                && Arrays.equals(addresses, offset, offset + length, entry.body(), 0, length);
    }

    private static int place(EntryKey entry) {
        return entry.table() << 16 | entry.keyGroup();
    }

    /** The value in a slot, null if there is none under its address. The cache's own: copy it. */
    public Object value(int slot) {
        return values[slot];
    }

    /** A slot is of use: it is spared once when room is needed. */
    public void touch(int slot) {
        flags[slot] |= REFERENCED;
    }

    /** Whether the value in a slot has changed so often that it must be written to the store now. */
    public boolean isDue(int slot) {
        return changes[slot] >= CHANGES_MAX - 1;
    }

    /**
     * Changes the value in a slot, and writes it later.
     *
     * @param sizeExpected what it counts for until then, unless it had more when it was written last
     */
    public void change(int slot, Object value, int sizeExpected) throws IOException {
        if (sizeExpected > sizes[slot]) {
            resize(slot, sizeExpected);
        }
        values[slot] = value;
        changes[slot]++;
        if ((flags[slot] & DIRTY) == 0) {
            dirty++;
        }
        flags[slot] |= DIRTY;
        if (dirty > slots() / DIRTY_FRACTION) {
            writeBackNext();
        }
        makeRoom(0);
    }

    /** Writes back the next dirty value, rather one that was of no use lately. */
    private void writeBackNext() throws IOException {
        int spared = 0;
        while (true) {
            writeBackHand = writeBackHand + 1 == slots() ? 0 : writeBackHand + 1;
            int flag = flags[writeBackHand];
            if ((flag & DIRTY) != 0 && ((flag & REFERENCED) == 0 || ++spared > SPARED_MAX)) {
                writeBack(writeBackHand);
                return;
            }
        }
    }

    /** Changes the value in a slot to one that was written to the store just now. */
    public void changeWritten(int slot, Object value, int size) throws IOException {
        values[slot] = value;
        written(slot, size);
        makeRoom(0);
    }

    private void written(int slot, int size) {
        clean(slot);
        flags[slot] &= ~ABSENT_BELOW;
        resize(slot, size);
        if (size > sizeMax()) {
            drop(slot);
        }
    }

    private void clean(int slot) {
        if ((flags[slot] & DIRTY) != 0) {
            dirty--;
            flags[slot] &= ~DIRTY;
        }
        changes[slot] = 0;
    }

    private void resize(int slot, int size) {
        bytes += size - sizes[slot];
        sizes[slot] = size;
    }

    /** Whether the store is known to have nothing under the address of a slot. */
    public boolean isAbsentBelow(int slot) {
        return (flags[slot] & ABSENT_BELOW) != 0;
    }

    /** There is no value any more, neither here nor in the store. */
    public void clear(int slot) {
        vanished += (flags[slot] & (DIRTY | ABSENT_BELOW)) == (DIRTY | ABSENT_BELOW) ? 1 : 0;
        clean(slot);
        resize(slot, 0);
        values[slot] = null;
        flags[slot] = ABSENT_BELOW;
    }

    /**
     * Keeps a value that is in the store just like this, or, if null, that there is none; not if no place is found for
     * it. Another value may have to be written back for it.
     */
    public void keep(EntryKey entry, Object value, int size) throws IOException {
        if (tags == null) {
            allocate();
        }
        if (entry.rowLength() > ADDRESS_BYTES_MAX || size > sizeMax() || !makeRoom(size)) {
            return;
        }
        long tag = tag(entry);
        int slot = vacate(set(tag));
        tags[slot] = tag;
        values[slot] = value;
        places[slot] = place(entry);
        flags[slot] = value == null ? ABSENT_BELOW : 0;
        changes[slot] = 0;
        resize(slot, size);
        addressLengths[slot] = (byte) entry.rowLength();
        System.arraycopy(entry.body(), 0, addresses, slot * ADDRESS_BYTES_MAX, entry.rowLength());
        used++;
    }

    /** Serialized bytes of the largest value that is kept. */
    public int sizeMax() {
        return (int) Math.min(Integer.MAX_VALUE, bytesMax() / VALUE_FRACTION);
    }

    private boolean makeRoom(int size) throws IOException {
        for (int i = 0; bytes + size > bytesMax(); i++) {
            if (i == MAJOR_MAX) {
                return false;
            }
            sweep();
        }
        return true;
    }

    private void sweep() throws IOException {
        sweepHand = sweepHand + 1 == slots() ? 0 : sweepHand + 1;
        if (tags[sweepHand] != 0 && !spare(sweepHand)) {
            evict(sweepHand);
        }
    }

    /** Spares a slot that was used since the last time. */
    private boolean spare(int slot) {
        boolean referenced = (flags[slot] & REFERENCED) != 0;
        flags[slot] &= ~REFERENCED;
        return referenced;
    }

    /** An empty slot of a set, after eviction if need be. */
    private int vacate(int first) throws IOException {
        for (int slot = first; slot < first + WAYS; slot++) {
            if (tags[slot] == 0) {
                return slot;
            }
        }
        int set = first / WAYS;
        int slot = first + hands[set];
        while (spare(slot)) {
            hands[set] = (byte) ((hands[set] + 1) % WAYS);
            slot = first + hands[set];
        }
        evict(slot);
        hands[set] = (byte) ((hands[set] + 1) % WAYS);
        return slot;
    }

    private void evict(int slot) throws IOException {
        writeBack(slot);
        if (tags[slot] != 0) {
            drop(slot);
        }
        evictions++;
    }

    /** Forgets what is in a slot, dirty or not: for values that are overwritten in the store. */
    public void drop(int slot) {
        clean(slot);
        resize(slot, 0);
        tags[slot] = 0;
        values[slot] = null;
        flags[slot] = 0;
        used--;
    }

    private void writeBack(int slot) throws IOException {
        if ((flags[slot] & DIRTY) == 0) {
            return;
        }
        victimRow.clear();
        victimRow.append(addresses, slot * ADDRESS_BYTES_MAX, addressLengths[slot]);
        victim.rawRow(places[slot] >>> 16, places[slot] & 0xffff, victimRow);
        written(slot, owners[places[slot] >>> 16].writeBack(victim, values[slot]));
        writeBacks++;
    }

    /** Writes all dirty values into the store; they stay here, clean, unless they have become too large meanwhile. */
    public void writeBack() throws IOException {
        for (int slot = 0; dirty > 0; slot++) {
            writeBack(slot);
        }
        while (bytes > bytesMax()) {
            sweep();
        }
    }

    /** Writes back and drops all values of a table. */
    public void release(int table) throws IOException {
        release(table, 0, used == 0 ? 0 : slots());
    }

    /** Writes back and drops the values of a table among some slots; returns where to go on. */
    public int release(int table, int fromSlot, int count) throws IOException {
        if (tags == null) {
            return slots();
        }
        int end = Math.min(slots(), fromSlot + count);
        for (int slot = fromSlot; slot < end; slot++) {
            if (tags[slot] != 0 && places[slot] >>> 16 == table) {
                evict(slot);
            }
        }
        if (used == 0) {
            close();
        }
        return end;
    }

    /** Values and known absences held. */
    public int used() {
        return used;
    }

    /** Values that are newer than the store's. */
    public int dirty() {
        return dirty;
    }

    /** Serialized bytes of the values held, about. */
    public long bytes() {
        return bytes;
    }

    /** Searches that found a slot. */
    public long hits() {
        return hits;
    }

    /** Searches that found none. */
    public long misses() {
        return misses;
    }

    /** Operations that did not search, because it does not pay for their state. */
    public long bypasses() {
        return bypasses;
    }

    /** Tables of which nothing is in the cache, because it does not pay or their values cannot be copied. */
    public int tablesBypassed() {
        int bypassed = 0;
        for (Owner owner : owners) {
            bypassed += owner != null && owner.isBypassed() ? 1 : 0;
        }
        return bypassed;
    }

    /** Values that came and went without the store hearing of them. */
    public long vanished() {
        return vanished;
    }

    /** Entries that had to go so far. */
    public long evictions() {
        return evictions;
    }

    /** Values written into the store later than they changed, so far. */
    public long writeBacks() {
        return writeBacks;
    }
}
