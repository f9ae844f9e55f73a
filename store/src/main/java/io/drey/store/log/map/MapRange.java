package io.drey.store.log.map;

import static io.drey.store.log.record.RecordLayout.ENTRY_KEY;
import static io.drey.store.log.record.RecordLayout.ENTRY_NEXT;
import static io.drey.store.log.record.RecordLayout.ROW_FIRST;

import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKind;
import io.drey.store.entry.MapBatch;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;
import java.util.Arrays;

/**
 * The entries of a map in memory, tombstones among them, that come first after a map key: the smallest {@code limit} of
 * them in byte order. An inline map has them in order; from the unordered list of a linked one they are chosen with a
 * heap of that size. One thread; reused.
 */
public final class MapRange {
    private final Records records;
    private final InlineMapCursor walk = new InlineMapCursor();

    /** Addresses of the records of a linked map, of the entries of an inline one. */
    private long[] chosen = new long[128];

    private boolean isInline;

    /** An inline map that was chosen whole, of which nothing is in {@link #chosen}; else 0. */
    private long whole;

    private int size;
    private boolean more;

    public MapRange(Records records) {
        this.records = records;
    }

    /**
     * Chooses from a map; {@code after} is null to start with the first, or the exclusive bound. With {@code toCopy}
     * the range is only for {@link #copy}.
     */
    public void choose(long row, byte[] after, int limit, boolean toCopy) {
        clear();
        int afterLength = after == null ? 0 : after.length;
        isInline = RecordLayout.kind(row) == RecordLayout.INLINE;
        if (isInline && after == null && toCopy) {
            whole = row;
        } else if (isInline) {
            chooseInline(row, after, afterLength, limit);
        } else {
            chooseLinked(row, after, afterLength, limit);
        }
    }

    private void chooseInline(long delta, byte[] after, int afterLength, int limit) {
        long base = base(delta);
        int deltaSlot = after == null ? 0 : InlineMap.firstAfter(delta, after, 0, afterLength);
        int baseSlot = after == null || base == 0 ? 0 : InlineMap.firstAfter(base, after, 0, afterLength);
        walk.begin(delta, deltaSlot, base, baseSlot);
        while (walk.next()) {
            if (size == limit) {
                more = true;
                return;
            }
            ensure();
            chosen[size++] = walk.entry();
        }
    }

    private long base(long delta) {
        int older = InlineMap.older(delta);
        return older == 0 ? 0 : records.address(older);
    }

    private void ensure() {
        if (size == chosen.length) {
            chosen = Arrays.copyOf(chosen, size * 2);
        }
    }

    private void chooseLinked(long row, byte[] after, int afterLength, int limit) {
        for (int record = Memory.getInt(row + ROW_FIRST); record != 0; ) {
            long address = records.address(record);
            if (after == null || compare(address, after, afterLength) > 0) {
                offer(address, limit);
            }
            record = Memory.getInt(address + ENTRY_NEXT);
        }
        for (int end = size - 1; end > 0; end--) {
            swap(0, end);
            siftDown(0, end);
        }
    }

    public void clear() {
        size = 0;
        more = false;
        whole = 0;
    }

    /** Entries chosen; of a map chosen whole known once it was copied. */
    public int size() {
        return size;
    }

    /** Whether the row has larger entries than those chosen. */
    public boolean more() {
        return more;
    }

    /** The kind of the i-th entry in byte order of the map key. */
    byte kind(int i) {
        return isInline ? InlineMap.kind(chosen[i]) : RecordLayout.kind(chosen[i]);
    }

    public long keyAddress(int i) {
        return isInline ? InlineMap.keyAddress(chosen[i]) : chosen[i] + ENTRY_KEY;
    }

    public int keyLength(int i) {
        return isInline ? InlineMap.keyLength(chosen[i]) : RecordLayout.keyLength(chosen[i]);
    }

    long valueAddress(int i) {
        return isInline ? InlineMap.valueAddress(chosen[i]) : RecordLayout.valueAddress(chosen[i]);
    }

    int valueLength(int i) {
        return isInline ? InlineMap.valueLength(chosen[i]) : RecordLayout.valueLength(chosen[i]);
    }

    /** Copies entries that have a value, in order, until a batch has so many bytes; returns how many were looked at. */
    public int copy(MapBatch out, int bytesMax) {
        if (whole != 0) {
            copyWhole(out);
            return size;
        }
        int copied = 0;
        while (copied < size && out.bytes().length() < bytesMax) {
            long entry = chosen[copied++];
            if (isInline) {
                copyInline(entry, out);
            } else if (RecordLayout.kind(entry) == EntryKind.VALUE) {
                out.append(entry + ENTRY_KEY, RecordLayout.keyLength(entry), RecordLayout.valueLength(entry));
            }
        }
        return copied;
    }

    private static void copyInline(long entry, MapBatch out) {
        if (InlineMap.kind(entry) == EntryKind.VALUE) {
            out.append(InlineMap.keyAddress(entry), InlineMap.keyLength(entry), InlineMap.valueLength(entry));
        }
    }

    /**
     * Copies the bytes of all entries at once, and then tells the batch where each is: that is cheaper than one by one.
     */
    private void copyWhole(MapBatch out) {
        long base = base(whole);
        // What to take from an address of an entry to have its place in the batch.
        long ofDelta = InlineMap.appendEntries(whole, out.bytes());
        long ofBase = base == 0 ? 0 : InlineMap.appendEntries(base, out.bytes());
        walk.begin(whole, 0, base, 0);
        for (; walk.next(); size++) {
            long entry = walk.entry();
            if (InlineMap.kind(entry) == EntryKind.VALUE) {
                long shift = walk.record() == base ? ofBase : ofDelta;
                int start = (int) (InlineMap.keyAddress(entry) - shift);
                out.add(start, InlineMap.keyLength(entry), InlineMap.valueLength(entry));
            }
        }
    }

    private void offer(long record, int limit) {
        if (size < limit) {
            ensure();
            chosen[size++] = record;
            siftUp(size - 1);
            return;
        }
        more = true;
        if (compare(record, chosen[0]) < 0) {
            chosen[0] = record;
            siftDown(0, size);
        }
    }

    private void siftUp(int from) {
        int child = from;
        while (child > 0) {
            int parent = (child - 1) >>> 1;
            if (compare(chosen[child], chosen[parent]) <= 0) {
                return;
            }
            swap(child, parent);
            child = parent;
        }
    }

    private void siftDown(int from, int end) {
        int parent = from;
        while (true) {
            int child = 2 * parent + 1;
            if (child >= end) {
                return;
            }
            if (child + 1 < end && compare(chosen[child + 1], chosen[child]) > 0) {
                child++;
            }
            if (compare(chosen[child], chosen[parent]) <= 0) {
                return;
            }
            swap(child, parent);
            parent = child;
        }
    }

    private void swap(int a, int b) {
        long record = chosen[a];
        chosen[a] = chosen[b];
        chosen[b] = record;
    }

    private static int compare(long a, long b) {
        return Memory.compare(a + ENTRY_KEY, RecordLayout.keyLength(a), b + ENTRY_KEY, RecordLayout.keyLength(b));
    }

    private static int compare(long record, byte[] bytes, int length) {
        return Memory.compare(record + ENTRY_KEY, RecordLayout.keyLength(record), bytes, 0, length);
    }
}
