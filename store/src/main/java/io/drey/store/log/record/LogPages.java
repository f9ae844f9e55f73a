package io.drey.store.log.record;

import io.drey.foundation.Arena;
import io.drey.foundation.Memory;

/**
 * The pages of one log: a list from the oldest to the youngest, a tail page for each stream of records, and a few spare
 * pages, so that an operation, once prepared, never runs out in the middle.
 *
 * <pre>
 *  page:  0 int used    4 int live bytes   8 int youngest birth   12 int pages of the span
 *        16 long next  24 long previous   32 int stream          36 int first birth
 *        40 int place among dirty pages       44 unused            48 records
 * </pre>
 *
 * A record larger than a page has a span of pages of its own. A record is named by an int, see {@link RecordNumbers}.
 */
public final class LogPages {
    /** Records that were written or changed. */
    public static final int DATA = 0;

    /** Row records, which must not keep data pages from being evicted. */
    public static final int ROWS = 1;

    /** Copies of what is in runs, which must not lie between dirty records. */
    public static final int COPIES = 2;

    private static final int STREAMS = 3;

    /** Pages of records that one operation may need at most: one for each stream, and one for a map that is linked. */
    private static final int RECORD_SPARES = STREAMS + 1;

    /** Pages that one operation may need at most: those of records, and two for the index. */
    public static final int SPARES = RECORD_SPARES + 2;

    /** Fewest pages that a log works with. */
    public static final int PAGES_MIN = 4 * SPARES;

    /** Logs leave this part of the arena to stores that open, while the owners of others do not hear of them. */
    private static final int LEFT_FRACTION = 64;

    public static final int HEADER = 48;
    private static final int USED = 0;
    private static final int LIVE = 4;
    private static final int YOUNGEST = 8;
    private static final int SPAN = 12;
    private static final int NEXT = 16;
    private static final int PREVIOUS = 24;
    private static final int STREAM = 32;
    private static final int FIRST = 36;
    static final int DIRTY_PLACE = 40;

    private final Arena arena;
    private final long base;
    private final int pageBytes;
    private final int pageShift;
    private final int unitBytes;
    private final int leftPages;
    private final RecordNumbers numbers;
    private final long recordOrigin;
    private final int recordShift;
    private final long[] tails = new long[STREAMS];
    private final long[] spares = new long[SPARES];
    private int spareCount;
    private long oldest;
    private long youngest;
    private int listed;
    private int changes;
    private int rowPages;
    private int held;

    /** Bytes of live records, of which those of dirty pages may not go without being flushed. */
    private long liveBytes;

    /** Those with records of the epoch from which on pages are dirty. */
    private final DirtyPages dirty = new DirtyPages();

    private int dirtyFrom = 1;

    /** Where {@link #hand} stands: a page of the list, or 0. */
    private long hand;

    private long span;
    private int spanPages;

    public LogPages(Arena arena) {
        this.arena = arena;
        this.base = arena.base();
        this.pageBytes = arena.pageBytes();
        this.pageShift = Integer.numberOfTrailingZeros(pageBytes);
        this.unitBytes = arena.unitBytes();
        this.leftPages = Math.max(2 * SPARES, arena.pages() / LEFT_FRACTION);
        this.numbers = new RecordNumbers(arena);
        this.recordOrigin = numbers.origin();
        this.recordShift = numbers.shift();
    }

    public int pageBytes() {
        return pageBytes;
    }

    /** Pages of the arena, whoever has them. */
    int arenaPages() {
        return arena.pages();
    }

    /** Full pages in so many bytes. */
    public int pagesIn(long bytes) {
        return (int) (bytes >>> pageShift);
    }

    long address(int record) {
        return RecordNumbers.address(record, recordOrigin, recordShift);
    }

    public int record(long address) {
        return numbers.number(address);
    }

    public RecordNumbers numbers() {
        return numbers;
    }

    /** What a record of so many bytes takes, so that the next one begins where it can be named. */
    int aligned(int bytes) {
        return bytes + unitBytes - 1 & -unitBytes;
    }

    /** Pages held, spares and index pages among them. */
    public int held() {
        return held;
    }

    /** Pages of records. */
    public int listed() {
        return listed;
    }

    /** Those of them that hold rows. */
    public int rowPages() {
        return rowPages;
    }

    /** Pages of records that were begun, or died as a whole, so far; may overflow. */
    public int changes() {
        return changes;
    }

    /** Bytes of live records. */
    public long liveBytes() {
        return liveBytes;
    }

    /** Pages in which something was written since the last freeze. */
    public int dirtyPages() {
        return dirty.size();
    }

    /** A new epoch begins, in which no page is dirty yet. Returns the pages that were. */
    public long[] freeze(int newEpoch) {
        dirtyFrom = newEpoch;
        return dirty.removeAll();
    }

    public boolean hasSpares() {
        return spareCount == SPARES;
    }

    /** Whether a page can go to the index and enough are left for records. */
    boolean hasSpareToSplit() {
        return spareCount > RECORD_SPARES;
    }

    /** Whether a page that lives in part can be moved: what was changed goes to one page, copies to another one. */
    public boolean hasSparesToMove() {
        return spareCount >= STREAMS - 1;
    }

    /** Whether the tail of a stream has room for a record, so that it takes no spare page. */
    public boolean hasRoom(int stream, int bytes) {
        long page = tails[stream];
        return page != 0 && Memory.getInt(page + USED) + bytes <= pageBytes;
    }

    /** Whether a record of that many bytes takes a span of its own. */
    public boolean needsSpan(int bytes) {
        return aligned(bytes) > pageBytes - HEADER;
    }

    public int spanPages(int bytes) {
        return (int) (((long) bytes + unitBytes + HEADER + pageBytes - 1) / pageBytes);
    }

    /** Whether too few are left for a log that has none yet, if a log that can work takes more. */
    private boolean starvesOthers(int count) {
        return held >= PAGES_MIN && arena.freePages() - count < leftPages;
    }

    /** Takes one more spare page from the arena; false if it is full. */
    public boolean takeSpare() {
        if (starvesOthers(1)) {
            return false;
        }
        long page = arena.take(Arena.Use.LOG);
        if (page == Arena.FULL) {
            return false;
        }
        spares[spareCount++] = page;
        held++;
        return true;
    }

    /** Takes a span for the next record larger than a page; false if the arena has none that long. */
    public boolean takeSpan(int count) {
        assert span == 0;
        if (starvesOthers(count)) {
            return false;
        }
        long taken = arena.takeSpan(count, Arena.Use.LOG);
        if (taken == Arena.FULL) {
            return false;
        }
        span = taken;
        spanPages = count;
        held += count;
        return true;
    }

    /** Gives back a span that the operation it was taken for did not need. */
    public void dropSpan() {
        if (span != 0) {
            arena.giveSpan(span, spanPages, Arena.Use.LOG);
            held -= spanPages;
            span = 0;
        }
    }

    long takeIndexPage() {
        arena.relabel(Arena.Use.LOG, Arena.Use.INDEX);
        return takePrepared();
    }

    void giveIndexPage(long page) {
        arena.give(page, Arena.Use.INDEX);
        held--;
    }

    private long takePrepared() {
        if (spareCount == 0) {
            throw new IllegalStateException("expected a spare page for every prepared operation, found none left");
        }
        return spares[--spareCount];
    }

    /** Room for a record of {@link #aligned} bytes in a stream; never fails once prepared. */
    int allocate(int stream, int bytes, int birth) {
        long page = tails[stream];
        if (needsSpan(bytes)) {
            page = list(span, spanPages, stream, birth);
            span = 0;
        } else if (page == 0 || Memory.getInt(page + USED) + bytes > pageBytes) {
            page = list(takePrepared(), 1, stream, birth);
            tails[stream] = page;
        }
        int used = Memory.getInt(page + USED);
        Memory.putInt(page + USED, used + bytes);
        addLive(page, bytes);
        touch(page, birth);
        return record(page + used);
    }

    private void addLive(long page, int bytes) {
        Memory.putInt(page + LIVE, Memory.getInt(page + LIVE) + bytes);
        liveBytes += bytes;
    }

    private long list(long page, int count, int stream, int birth) {
        Memory.putInt(page + USED, HEADER);
        Memory.putInt(page + LIVE, 0);
        Memory.putInt(page + YOUNGEST, 0);
        Memory.putInt(page + SPAN, count);
        Memory.putInt(page + STREAM, stream);
        Memory.putInt(page + FIRST, birth);
        listed += count;
        changes++;
        rowPages += stream == ROWS ? count : 0;
        append(page);
        return page;
    }

    /** The first page of the page or span that holds an address of a record, which starts in it. */
    long pageOf(long address) {
        return address - ((address - base) & (pageBytes - 1));
    }

    /** Notes that a record in its page changed in an epoch. */
    void touch(long page, int birth) {
        int youngestBirth = Memory.getInt(page + YOUNGEST);
        if (youngestBirth < birth) {
            Memory.putInt(page + YOUNGEST, birth);
            if (birth >= dirtyFrom && youngestBirth < dirtyFrom) {
                dirty.add(page, span(page));
            }
        }
    }

    /** Counts a record of a page as dead; a page without live records moves to the delta. */
    void die(long record, int bytes) {
        long page = pageOf(record);
        addLive(page, -bytes);
        int live = live(page);
        assert live >= 0;
        if (live == 0) {
            changes++;
            if (!isTail(page) && page != oldest) {
                unlink(page);
                prepend(page);
            }
        }
    }

    /**
     * Makes a record larger by {@link #aligned} bytes if it is the youngest of a stream and its page has room.
     */
    boolean extend(long record, int bytes, int more) {
        long page = pageOf(record);
        int used = Memory.getInt(page + USED);
        if (!isTail(page) || record + bytes != page + used || used + more > pageBytes) {
            return false;
        }
        Memory.putInt(page + USED, used + more);
        addLive(page, more);
        return true;
    }

    /** Takes back the room of a record that is dead, if it is the youngest of the copies. */
    void takeBack(long record, int bytes) {
        long page = pageOf(record);
        int used = Memory.getInt(page + USED);
        if (page == tails[COPIES] && record + bytes == page + used) {
            Memory.putInt(page + USED, used - bytes);
        }
    }

    public boolean isTail(long page) {
        return page == tails[DATA] || page == tails[ROWS] || page == tails[COPIES];
    }

    public long oldest() {
        return oldest;
    }

    public long next(long page) {
        return Memory.getLong(page + NEXT);
    }

    /** The pages that may get more records, each with the bytes that are used of it. */
    public long[] tailsAndUsed() {
        long[] all = new long[2 * STREAMS];
        for (int i = 0; i < STREAMS; i++) {
            all[2 * i] = tails[i];
            all[2 * i + 1] = tails[i] == 0 ? 0 : Memory.getInt(tails[i] + USED);
        }
        return all;
    }

    /** The end of the records of a page. */
    public static long end(long page) {
        return page + Memory.getInt(page + USED);
    }

    public int live(long page) {
        return Memory.getInt(page + LIVE);
    }

    public int youngestBirth(long page) {
        return Memory.getInt(page + YOUNGEST);
    }

    /** The epoch of the first record, at which the page was begun. */
    public int firstBirth(long page) {
        return Memory.getInt(page + FIRST);
    }

    public boolean isRowPage(long page) {
        return Memory.getInt(page + STREAM) == ROWS;
    }

    public int span(long page) {
        return Memory.getInt(page + SPAN);
    }

    /**
     * The page at which a hand stands that goes from page to page, from the oldest to the youngest and again; 0 if
     * there is none.
     */
    public long hand() {
        return hand == 0 ? oldest : hand;
    }

    /** Moves the hand on to the next page. */
    public void turn() {
        long page = hand();
        hand = page == 0 ? 0 : next(page);
    }

    /** Moves a page to the young end of the list. */
    public void renew(long page) {
        unlink(page);
        append(page);
    }

    /** Gives a page or span back to the arena. */
    public void free(long page) {
        unlink(page);
        for (int stream = 0; stream < tails.length; stream++) {
            if (tails[stream] == page) {
                tails[stream] = 0;
            }
        }
        int count = span(page);
        liveBytes -= live(page);
        if (youngestBirth(page) >= dirtyFrom) {
            dirty.remove(page, count);
        }
        listed -= count;
        rowPages -= isRowPage(page) ? count : 0;
        held -= count;
        arena.giveSpan(page, count, Arena.Use.LOG);
    }

    /** Gives everything back. */
    public void close() {
        while (oldest != 0) {
            free(oldest);
        }
        while (spareCount > 0) {
            arena.give(spares[--spareCount], Arena.Use.LOG);
            held--;
        }
        dropSpan();
        assert liveBytes == 0 && dirty.size() == 0;
    }

    private void append(long page) {
        Memory.putLong(page + NEXT, 0);
        Memory.putLong(page + PREVIOUS, youngest);
        if (youngest == 0) {
            oldest = page;
        } else {
            Memory.putLong(youngest + NEXT, page);
        }
        youngest = page;
    }

    private void prepend(long page) {
        Memory.putLong(page + NEXT, oldest);
        Memory.putLong(page + PREVIOUS, 0);
        if (oldest == 0) {
            youngest = page;
        } else {
            Memory.putLong(oldest + PREVIOUS, page);
        }
        oldest = page;
    }

    private void unlink(long page) {
        long next = Memory.getLong(page + NEXT);
        long previous = Memory.getLong(page + PREVIOUS);
        if (page == hand) {
            hand = next;
        }
        if (previous == 0) {
            oldest = next;
        } else {
            Memory.putLong(previous + NEXT, next);
        }
        if (next == 0) {
            youngest = previous;
        } else {
            Memory.putLong(next + PREVIOUS, previous);
        }
    }
}
