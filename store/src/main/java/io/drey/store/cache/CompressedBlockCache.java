package io.drey.store.cache;

import io.drey.foundation.Arena;
import io.drey.foundation.Hash;
import io.drey.foundation.Memory;

/**
 * Blocks as they are stored, compressed, keyed by the number of an opened file and an offset in it: several times as
 * many as a {@link FrameCache} holds in the same memory, each of which has to be decompressed when it is wanted. One
 * thread; no allocation per operation. On the heap there is a long for each page that it may have.
 *
 * <pre>
 *  page:   0 int used    4 unused   entries, one after another, at multiples of the arena's unit of places, 8 or more
 *  entry:  0 long file   8 long offset   16 int length   20 int whether it was asked for   24 bytes
 * </pre>
 *
 * <ol>
 *   <li>An entry is appended to the youngest page. If that is full, and the limit and the arena allow it, there is a
 *       new one.
 *   <li>Else the oldest page becomes the youngest: those of its entries that were asked for since they came move to its
 *       front, at most half a page of them, the others go.
 *   <li>Entries of files that are gone are dead, and go when their page's turn comes. While an eighth of all bytes is
 *       dead, the living stay then, asked for or not.
 * </ol>
 */
public final class CompressedBlockCache implements AutoCloseable {
    /** The answer when nothing is there. */
    public static final long NONE = 0;

    private static final int HEADER = 24;
    private static final int OFFSET = 8;
    private static final int LENGTH = 16;
    private static final int ASKED = 20;

    /** An entry takes at most this part of a page. */
    private static final int ENTRY_FRACTION = 4;

    /** Of all bytes, the part that must be dead for it to be worth moving the living. */
    private static final int DEAD_FRACTION = 8;

    /** Pages that are turned over for one entry. */
    private static final int TURNED_MAX = 4;

    /** The unit of {@link #watch}'s time, in evicted bytes. */
    private static final int GHOST_UNIT = 64;

    private final Arena arena;
    private final long base;
    private final int pageBytes;

    /** A place is an address in units of so many bytes, from the start of the arena. */
    private final int unitBytes;

    /** Bytes before the entries of a page. */
    private final int pageHeader;

    private final CompressedBlockIndex index;
    private final CompressedBlockFiles files = new CompressedBlockFiles();

    /** The pages from the oldest on, around the end of the array. */
    private final long[] pages;

    private int oldest;
    private int listed;
    private int limit;
    private int scratchPages;
    private GhostList ghosts;
    private long evictedBytes;
    private long missesOfSize;
    private long hits;
    private long misses;

    /** A cache of at most so many pages; it takes no memory before it is filled. */
    public CompressedBlockCache(int maxPages, Arena arena) {
        this.arena = arena;
        this.base = arena.base();
        this.pageBytes = arena.pageBytes();
        this.unitBytes = arena.unitBytes();
        this.pageHeader = unitBytes;
        this.index = new CompressedBlockIndex(arena);
        this.pages = new long[Math.max(1, maxPages)];
        this.limit = Math.max(0, maxPages);
    }

    /** See {@link FrameCache#leave}. */
    public void leave(int newScratchPages) {
        scratchPages = newScratchPages;
    }

    /** Notes from now on what a somewhat larger cache would have had, for {@link #missesOfSize}. */
    public void watch(long windowBytes, int bytesPerEntry) {
        ghosts = new GhostList((int) (windowBytes / GHOST_UNIT), windowBytes / bytesPerEntry);
    }

    /** How many misses a somewhat larger cache would not have had, about. */
    public long missesOfSize() {
        return missesOfSize;
    }

    /** How often an entry was asked for that was there; this and {@link #misses} may be asked by any thread. */
    public long hits() {
        return hits;
    }

    public long misses() {
        return misses;
    }

    /** Pages of the arena that entries and their index take. */
    public int pages() {
        return listed + index.pages();
    }

    /** The address of what was added for an offset of a file, until the next change of the cache, or {@link #NONE}. */
    public long find(long file, long offset) {
        long entry = lookUp(file, offset);
        if (entry == NONE) {
            misses++;
            if (ghosts != null && ghosts.isBack(Hash.combine(file, offset), now())) {
                missesOfSize += ghosts.weight();
            }
            return NONE;
        }
        hits++;
        Memory.putInt(entry + ASKED, 1);
        return entry + HEADER;
    }

    /** Whether there is an entry; does not count as asking for it. */
    public boolean contains(long file, long offset) {
        return lookUp(file, offset) != NONE;
    }

    private long lookUp(long file, long offset) {
        long hash = Hash.combine(file, offset);
        for (int slot = index.first(hash); slot != CompressedBlockIndex.NONE; slot = index.next(hash, slot)) {
            long entry = address(index.place(slot));
            if (Memory.getLong(entry) == file && Memory.getLong(entry + OFFSET) == offset) {
                return entry;
            }
        }
        return NONE;
    }

    /**
     * Copies bytes to the cache for an offset of a file that has none; not if they are too long or there is no memory.
     */
    public void add(long file, long offset, long bytes, int length) {
        assert length >= 0 && lookUp(file, offset) == NONE;
        if (pages() > limit) {
            release();
        }
        int size = size(length);
        if (size > (pageBytes - pageHeader) / ENTRY_FRACTION || !hasSlot() || !makeRoom(size)) {
            return;
        }
        long page = youngest();
        int used = Memory.getInt(page);
        long entry = page + used;
        Memory.putLong(entry, file);
        Memory.putLong(entry + OFFSET, offset);
        Memory.putInt(entry + LENGTH, length);
        Memory.putInt(entry + ASKED, 0);
        Memory.copy(bytes, entry + HEADER, length);
        Memory.putInt(page, used + size);
        index.put(Hash.combine(file, offset), place(entry));
        files.added(file, size);
    }

    /** Whether an {@link #add} costs nothing that is alive. */
    public boolean hasRoom() {
        return isWorthCleaning() || mayTake(1);
    }

    private boolean isWorthCleaning() {
        return files.deadBytes() * DEAD_FRACTION > (long) listed * pageBytes;
    }

    /** A file is gone; its name never comes again. */
    public void forget(long file) {
        files.forget(file);
    }

    /** Sets how many pages there may be from now on. If there are more, each {@link #add} gives one back. */
    public void limit(int newLimit) {
        limit = Math.max(0, Math.min(newLimit, pages.length));
    }

    /** Whether there are no more pages than there may be. */
    public boolean isWithinLimit() {
        return pages() <= limit;
    }

    /** Evicts and gives pages back until no more than so many are left. */
    public void shrink(int maxPages) {
        while (listed > 0 && pages() > maxPages) {
            release();
        }
        if (listed == 0) {
            index.close();
        }
    }

    /** Gives back all memory. The cache can be filled again. */
    @Override
    public void close() {
        shrink(0);
    }

    /** Makes the index larger if it is full; if there is no memory for that, at the cost of the oldest pages. */
    private boolean hasSlot() {
        if (!index.isFull()) {
            return true;
        }
        int needed = index.pagesToGrow();
        while (listed > 0 && !mayTake(needed)) {
            release();
        }
        return (mayTake(needed) && index.grow()) || !index.isFull();
    }

    /** Makes room in the youngest page for an entry of a size. */
    private boolean makeRoom(int size) {
        if (fits(size)) {
            return true;
        }
        if (grow()) {
            return true;
        }
        for (int i = 1; i <= TURNED_MAX && listed > 0; i++) {
            turn(isWorthCleaning() && i < TURNED_MAX);
            if (fits(size)) {
                return true;
            }
        }
        return false;
    }

    private boolean fits(int size) {
        return listed > 0 && Memory.getInt(youngest()) + size <= pageBytes;
    }

    private long youngest() {
        return pages[ringIndex(listed - 1)];
    }

    private int ringIndex(int i) {
        int at = oldest + i;
        return at < pages.length ? at : at - pages.length;
    }

    private boolean grow() {
        if (listed == pages.length || !mayTake(1)) {
            return false;
        }
        long page = arena.take(Arena.Use.CACHE);
        if (page == Arena.FULL) {
            return false;
        }
        Memory.putInt(page, pageHeader);
        pages[ringIndex(listed++)] = page;
        return true;
    }

    /** Whether so many pages more are within the limit and leave the scratch memory that is set aside. */
    private boolean mayTake(int more) {
        long scratch = arena.usedBytes(Arena.Use.SCRATCH) / pageBytes;
        return pages() + more <= limit && arena.freePages() + scratch >= scratchPages + more;
    }

    /** Makes the oldest page the youngest. Of its living entries those stay that were asked for, or all of them. */
    private void turn(boolean all) {
        long page = pages[oldest];
        int used = Memory.getInt(page);
        int stayMax = all ? pageBytes : pageBytes / 2;
        int to = pageHeader;
        int size;
        for (int from = pageHeader; from < used; from += size) {
            long entry = page + from;
            size = size(Memory.getInt(entry + LENGTH));
            boolean stays = (all || Memory.getInt(entry + ASKED) != 0)
                    && to + size <= stayMax
                    && files.isAlive(Memory.getLong(entry));
            if (stays) {
                move(entry, page + to, size, all);
                to += size;
            } else {
                drop(entry, size);
            }
        }
        Memory.putInt(page, to);
        oldest = ringIndex(1);
        pages[ringIndex(listed - 1)] = page;
    }

    private void move(long from, long to, int size, boolean keepsAsked) {
        if (!keepsAsked) {
            Memory.putInt(from + ASKED, 0);
        }
        if (from != to) {
            index.move(hash(from), place(from), place(to));
            Memory.copy(from, to, size);
        }
    }

    private void drop(long entry, int size) {
        long hash = hash(entry);
        index.remove(hash, place(entry));
        if (files.removed(Memory.getLong(entry), size)) {
            evictedBytes += size;
            if (ghosts != null) {
                ghosts.left(hash, now());
            }
        }
    }

    /** Gives the oldest page back, or the index if there is none. */
    private void release() {
        if (listed > 0) {
            long page = pages[oldest];
            int used = Memory.getInt(page);
            int size;
            for (int from = pageHeader; from < used; from += size) {
                size = size(Memory.getInt(page + from + LENGTH));
                drop(page + from, size);
            }
            oldest = ringIndex(1);
            listed--;
            arena.give(page, Arena.Use.CACHE);
        }
        if (listed == 0) {
            index.close();
        } else if (index.isWide()) {
            index.shrink();
        }
    }

    private int now() {
        return (int) (evictedBytes / GHOST_UNIT);
    }

    private int size(int length) {
        return HEADER + length + unitBytes - 1 & -unitBytes;
    }

    private static long hash(long entry) {
        return Hash.combine(Memory.getLong(entry), Memory.getLong(entry + OFFSET));
    }

    private int place(long entry) {
        return (int) ((entry - base) / unitBytes);
    }

    private long address(int place) {
        return base + (place & 0xffffffffL) * unitBytes;
    }
}
