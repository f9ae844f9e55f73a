package io.drey.store.log.record;

import io.drey.foundation.Memory;
import java.util.Arrays;

/**
 * The hash index of the log: which records may hold a key. Extendible hashing over pages of 8-byte slots (32-bit tag,
 * 32-bit record), so that growing and shrinking touch one or two pages at a time and never a record.
 *
 * <p>The tag is 32 bits of the key's hash: its top bits choose the page, its low bits the slot, by linear probing. Slot
 * 0 of a page is its header: number of records in it, and its depth. One thread; allocates only when it grows.
 *
 * <p>A page that is as deep as pages get, and nearly full all the same, makes the index {@link #isFull full}: there are
 * more records than tags tell apart, or tags are not spread. Records have to go then, as if there were no page left.
 */
public final class LogIndex {
    private static final int SLOT = 8;
    private static final int FIRST_SLOT = 1;

    /**
     * A page is looked at for merging it with its neighbour each time that so large a part of its slots was emptied.
     */
    private static final int MERGE_FRACTION = 16;

    /** Of a page, the part that is left for what one operation adds. */
    private static final int OPERATION_FRACTION = 8;

    /** Pages are so much deeper at most than if each page of the arena were one of an index with equal pages. */
    private static final int DEPTH_SPARE = 3;

    private final LogPages pages;
    private final int slots;
    private final int mask;
    private final int slotsUsedMax;
    private final int slotsMergedMax;
    private final int slotsFull;
    private final int depthMax;
    private final long[] moved;
    private long[] directory;
    private int depth;
    private int pageCount;

    /** Pages that cannot be split and have more records than {@link #slotsFull}. */
    private int fullPages;

    public LogIndex(LogPages pages) {
        this.pages = pages;
        this.slots = pages.pageBytes() / SLOT;
        this.mask = slots - 1;
        this.slotsUsedMax = slots / 4 * 3;
        this.slotsMergedMax = slotsUsedMax / 2;
        this.slotsFull = slots - slots / OPERATION_FRACTION;
        int depthOfArena = Integer.SIZE - Integer.numberOfLeadingZeros(pages.arenaPages()) + DEPTH_SPARE;
        this.depthMax = Math.min(depthOfArena, Integer.SIZE - 1 - Integer.numberOfTrailingZeros(slots));
        this.moved = new long[slots];
        this.directory = new long[1];
    }

    /** The tag of a secret hash in a table and key group. */
    public static int tag(long memoryHash, int table, int keyGroup) {
        long h = (memoryHash ^ ((long) table << 16 | keyGroup)) * 0x9E3779B97F4A7C15L;
        return (int) (h >>> 32);
    }

    public int pageCount() {
        return pageCount;
    }

    /** Whether an operation may find no room for what it adds, however many pages there are. */
    public boolean isFull() {
        return fullPages > 0;
    }

    /** Takes the first page. */
    public void start() {
        directory[0] = newPage(0);
    }

    /**
     * A place from which to search a tag: pass it to {@link #next}, which returns a place or 0. Then {@link #record} is
     * a candidate, and the search goes on from the place plus one slot.
     */
    public long first(int tag) {
        long page = directory[directoryIndex(tag)];
        return next(page, page + (long) home(tag) * SLOT, tag);
    }

    /** The place of the next candidate after one that did not match, or 0. */
    public long after(long place, int tag) {
        long page = directory[directoryIndex(tag)];
        return next(page, following(page, place), tag);
    }

    private long next(long page, long from, int tag) {
        long place = from;
        while (true) {
            long slot = Memory.getLong(place);
            if (slot == 0) {
                return 0;
            }
            if ((int) (slot >>> 32) == tag) {
                return place;
            }
            place = following(page, place);
        }
    }

    /** The record at a place. */
    public static int record(long place) {
        return (int) Memory.getLong(place);
    }

    /** Points a place to another record of the same key. */
    public static void replace(long place, int record) {
        Memory.putInt(place, record);
    }

    /** Reads the slot at which the search of a tag begins, so that it is in the processor's cache: what it holds. */
    public long fetch(int tag) {
        return Memory.getLong(directory[directoryIndex(tag)] + (long) home(tag) * SLOT);
    }

    /** The place of a record known to be indexed, or 0 if it is not. */
    public long placeOf(int tag, int record) {
        long place = first(tag);
        while (place != 0 && record(place) != record) {
            place = after(place, tag);
        }
        return place;
    }

    /** Adds a record; splits a full page if a spare one is at hand. Places found before are void. */
    public void add(int tag, int record) {
        long page = directory[directoryIndex(tag)];
        while (count(page) >= slotsUsedMax && pageDepth(page) < depthMax && pages.hasSpareToSplit()) {
            split(page, directoryIndex(tag));
            page = directory[directoryIndex(tag)];
        }
        assert count(page) < slots - 2;
        place(page, (long) tag << 32 | (record & 0xffffffffL));
        setCount(page, count(page) + 1);
    }

    /** Removes the slot at a place; merges pages that became empty enough. Places found before are void. */
    public void remove(long place) {
        long page = pageOf(place);
        int tag = (int) (Memory.getLong(place) >>> 32);
        int hole = (int) ((place - page) / SLOT);
        int slot = hole;
        while (true) {
            slot = slot == mask ? FIRST_SLOT : slot + 1;
            long content = Memory.getLong(page + (long) slot * SLOT);
            if (content == 0) {
                break;
            }
            int home = home((int) (content >>> 32));
            boolean stays = hole <= slot ? hole < home && home <= slot : hole < home || home <= slot;
            if (!stays) {
                Memory.putLong(page + (long) hole * SLOT, content);
                hole = slot;
            }
        }
        Memory.putLong(page + (long) hole * SLOT, 0);
        int count = count(page) - 1;
        setCount(page, count);
        if (count % Math.max(1, slots / MERGE_FRACTION) == 0 && count < slotsMergedMax && pageDepth(page) > 0) {
            merge(page, directoryIndex(tag));
        }
    }

    /** Takes in the page that this one was split from, or the other way round, if there is plenty of room for both. */
    private void merge(long page, int index) {
        int pageDepth = pageDepth(page);
        int span = 1 << (depth - pageDepth);
        int siblingFirst = (index & -span) ^ span;
        long sibling = directory[siblingFirst];
        if (pageDepth(sibling) != pageDepth || count(page) + count(sibling) > slotsMergedMax) {
            return;
        }
        for (int i = FIRST_SLOT; i < slots; i++) {
            long content = Memory.getLong(sibling + (long) i * SLOT);
            if (content != 0) {
                place(page, content);
            }
        }
        int together = count(page) + count(sibling);
        setCount(sibling, 0);
        setDepth(page, pageDepth - 1);
        setCount(page, together);
        Arrays.fill(directory, siblingFirst, siblingFirst + span, page);
        pages.giveIndexPage(sibling);
        pageCount--;
    }

    /** Gives all pages back. */
    public void close() {
        long previous = 0;
        for (long page : directory) {
            if (page != previous && page != 0) {
                pages.giveIndexPage(page);
                previous = page;
            }
        }
        directory = new long[1];
        depth = 0;
        pageCount = 0;
        fullPages = 0;
    }

    private void split(long page, int index) {
        int pageDepth = pageDepth(page);
        if (pageDepth == depth) {
            doubleDirectory();
            index = index << 1;
        }
        long sibling = newPage(pageDepth + 1);
        int span = 1 << (depth - pageDepth);
        int first = index & -span;
        Arrays.fill(directory, first + span / 2, first + span, sibling);
        for (int i = FIRST_SLOT; i < slots; i++) {
            moved[i] = Memory.getLong(page + (long) i * SLOT);
        }
        setCount(page, 0);
        Memory.fill(page, pages.pageBytes(), (byte) 0);
        setDepth(page, pageDepth + 1);
        int stay = 0;
        int leave = 0;
        for (int i = FIRST_SLOT; i < slots; i++) {
            if (moved[i] != 0) {
                boolean leaves = (moved[i] << pageDepth) < 0;
                place(leaves ? sibling : page, moved[i]);
                leave += leaves ? 1 : 0;
                stay += leaves ? 0 : 1;
            }
        }
        setCount(page, stay);
        setCount(sibling, leave);
    }

    private void doubleDirectory() {
        long[] doubled = new long[directory.length * 2];
        for (int i = 0; i < doubled.length; i++) {
            doubled[i] = directory[i >>> 1];
        }
        directory = doubled;
        depth++;
    }

    private void place(long page, long content) {
        int slot = home((int) (content >>> 32));
        while (Memory.getLong(page + (long) slot * SLOT) != 0) {
            slot = slot == mask ? FIRST_SLOT : slot + 1;
        }
        Memory.putLong(page + (long) slot * SLOT, content);
    }

    private long newPage(int pageDepth) {
        long page = pages.takeIndexPage();
        Memory.fill(page, pages.pageBytes(), (byte) 0);
        setDepth(page, pageDepth);
        pageCount++;
        return page;
    }

    private int directoryIndex(int tag) {
        return depth == 0 ? 0 : tag >>> (Integer.SIZE - depth);
    }

    private int home(int tag) {
        int slot = tag & mask;
        return slot == 0 ? FIRST_SLOT : slot;
    }

    private long following(long page, long place) {
        return place == page + (long) mask * SLOT ? page + SLOT : place + SLOT;
    }

    private long pageOf(long place) {
        return pages.pageOf(place);
    }

    private static int count(long page) {
        return Memory.getInt(page);
    }

    private void setCount(long page, int count) {
        if (pageDepth(page) == depthMax) {
            fullPages += (count > slotsFull ? 1 : 0) - (count(page) > slotsFull ? 1 : 0);
        }
        Memory.putInt(page, count);
    }

    private static int pageDepth(long page) {
        return Memory.getInt(page + 4);
    }

    private static void setDepth(long page, int pageDepth) {
        Memory.putInt(page + 4, pageDepth);
    }
}
