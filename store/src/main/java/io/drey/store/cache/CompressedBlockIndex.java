package io.drey.store.cache;

import io.drey.foundation.Arena;
import io.drey.foundation.Memory;

/**
 * Where the entries of a {@link CompressedBlockCache} are: a hash table with open addressing in pages of the arena. A
 * slot has half of the name's hash above, which is also where a search begins, and below the place, not 0; an empty
 * slot is 0. So it grows and shrinks without looking at entries. Whether an entry has the name that is sought the
 * caller sees. One thread.
 */
final class CompressedBlockIndex implements AutoCloseable {
    /** There is no such slot. */
    static final int NONE = -1;

    private static final int SLOT_SHIFT = 3;

    /** Of so many slots so many may be taken. */
    private static final int LOAD_SLOTS = 4;

    private static final int LOAD_TAKEN = 3;

    private final Arena arena;
    private final int slotsPerPage;
    private final int pageShift;
    private long[] pages = new long[0];
    private int mask = -1;
    private int count;

    CompressedBlockIndex(Arena arena) {
        this.arena = arena;
        this.slotsPerPage = arena.pageBytes() >> SLOT_SHIFT;
        this.pageShift = Integer.numberOfTrailingZeros(slotsPerPage);
    }

    /** Pages that it holds. */
    int pages() {
        return pages.length;
    }

    /** Pages that it takes to grow; those that it holds go back then. */
    int pagesToGrow() {
        return Math.max(1, pages.length * 2);
    }

    boolean isFull() {
        return count >= slots() / LOAD_SLOTS * LOAD_TAKEN;
    }

    /** Whether a table of half the size would be far from full. */
    boolean isWide() {
        return pages.length > 1 && count < slots() / (2 * LOAD_SLOTS);
    }

    private int slots() {
        return mask + 1;
    }

    /** A slot that may be of the name with this hash, or {@link #NONE}. */
    int first(long hash) {
        return pages.length == 0 ? NONE : search(hash, home(hash));
    }

    /** The next one. */
    int next(long hash, int slot) {
        return search(hash, slot + 1 & mask);
    }

    private int search(long hash, int from) {
        for (int slot = from; ; slot = slot + 1 & mask) {
            long content = Memory.getLong(address(slot));
            if (content == 0) {
                return NONE;
            }
            if ((content ^ hash) >>> 32 == 0) {
                return slot;
            }
        }
    }

    /** The place that a slot names. */
    int place(int slot) {
        return Memory.getInt(address(slot));
    }

    /** Adds an entry; the table must not be full. */
    void put(long hash, int place) {
        assert place != 0 && !isFull();
        count++;
        insert((hash & (-1L << 32)) | (place & 0xffffffffL));
    }

    private void insert(long content) {
        int slot = home(content);
        while (Memory.getLong(address(slot)) != 0) {
            slot = slot + 1 & mask;
        }
        Memory.putLong(address(slot), content);
    }

    /** An entry is at another place now. */
    void move(long hash, int from, int to) {
        Memory.putInt(address(slotOf(hash, from)), to);
    }

    /** Removes an entry that is there. */
    void remove(long hash, int place) {
        count--;
        int hole = slotOf(hash, place);
        // Later entries of the probe sequence move up, so that no search stops short of them.
        for (int slot = hole + 1 & mask; ; slot = slot + 1 & mask) {
            long content = Memory.getLong(address(slot));
            if (content == 0) {
                break;
            }
            if ((slot - home(content) & mask) >= (slot - hole & mask)) {
                Memory.putLong(address(hole), content);
                hole = slot;
            }
        }
        Memory.putLong(address(hole), 0);
    }

    private int slotOf(long hash, int place) {
        int slot = first(hash);
        while (place(slot) != place) {
            slot = next(hash, slot);
        }
        return slot;
    }

    /** Twice the size, or the first page; false if the arena has no such pages. */
    boolean grow() {
        return resize(pagesToGrow());
    }

    /** Half the size, if the arena has pages to move it to. */
    void shrink() {
        resize(pages.length / 2);
    }

    private boolean resize(int newPages) {
        long[] taken = new long[newPages];
        for (int i = 0; i < newPages; i++) {
            taken[i] = arena.take(Arena.Use.CACHE);
            if (taken[i] == Arena.FULL) {
                give(taken, i);
                return false;
            }
            Memory.fill(taken[i], arena.pageBytes(), (byte) 0);
        }
        long[] before = pages;
        pages = taken;
        mask = newPages * slotsPerPage - 1;
        for (long page : before) {
            for (int i = 0; i < slotsPerPage; i++) {
                long content = Memory.getLong(page + ((long) i << SLOT_SHIFT));
                if (content != 0) {
                    insert(content);
                }
            }
        }
        give(before, before.length);
        return true;
    }

    private void give(long[] given, int length) {
        for (int i = 0; i < length; i++) {
            arena.give(given[i], Arena.Use.CACHE);
        }
    }

    private int home(long hash) {
        return (int) (hash >>> 32) & mask;
    }

    private long address(int slot) {
        return pages[slot >>> pageShift] + ((long) (slot & slotsPerPage - 1) << SLOT_SHIFT);
    }

    /** Gives back all pages; no entry may be left. */
    @Override
    public void close() {
        assert count == 0;
        give(pages, pages.length);
        pages = new long[0];
        mask = -1;
    }
}
