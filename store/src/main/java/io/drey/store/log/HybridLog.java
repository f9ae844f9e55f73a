package io.drey.store.log;

import io.drey.foundation.Arena;
import io.drey.foundation.Bytes;
import io.drey.foundation.Overdraft;
import io.drey.store.cache.GhostList;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.LargeLists;
import io.drey.store.entry.MapBatch;
import io.drey.store.log.map.MapRange;
import io.drey.store.log.map.MapRangeCursor;
import io.drey.store.log.map.MapRecords;
import io.drey.store.log.map.Rows;
import io.drey.store.log.record.Epochs;
import io.drey.store.log.record.LogIndex;
import io.drey.store.log.record.LogPages;
import io.drey.store.log.record.LowerLevels;
import io.drey.store.log.record.PointRecords;
import io.drey.store.log.record.Records;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * T1, the hybrid log: what was written or changed lately, in pages outside the heap under a hash index. It is the write
 * buffer and the first level of the store, and what was flushed into a run stays in it as a cache until its page is
 * needed.
 *
 * <ol>
 *   <li>A change goes into the record in place, unless that is frozen or too small; then into a new record.
 *   <li>{@link #freeze} ends an epoch: its records no longer change, and a background job flushes them into one run.
 *   <li>When the run is installed below, {@link #installed} makes them clean: free to change, free to go.
 *   <li>{@link #keep} keeps what was read from runs, clean from the first: the cache of records.
 *   <li>{@link #prepare} evicts the oldest clean pages when pages run short; records in them that were read since get a
 *       second chance. When there are none it says so, and the store freezes, waits and installs.
 * </ol>
 *
 * One thread, the owner; a flushing thread reads frozen records only. Allocates nothing per operation.
 */
public final class HybridLog implements AutoCloseable {
    /** A sort entry of the flush that a dirty record will need. */
    private static final int SORT_BYTES = SortBuffer.ENTRY_BYTES;

    /** Pages that the log gets smaller by when it needs one and holds too many. */
    private static final int GIVEN_BACK_MAX = 2;

    /** State takes about so many times as much in the log, inline, as it does in runs, compressed. */
    private static final int DECOMPRESSED_FACTOR = 2;

    /**
     * Of what changed, as much as is written anew while it is flushed: flushing is faster than an owner that does
     * nothing but write.
     */
    private static final int WRITTEN_MEANWHILE_PERCENT = 75;

    /**
     * Of what changed, as much room is kept beside it if that can be had by reclaiming: more than {@link
     * #WRITTEN_MEANWHILE_PERCENT}.
     */
    private static final int ROOM_PERCENT = 85;

    /** Pages reclaimed at most each time that pages are needed. */
    private static final int RECLAIMED_MAX = 4;

    /** Pages are plenty again when so large a part of them is free. */
    private static final int PLENTY_FRACTION = 8;

    private final Arena arena;
    private final LowerLevels below;
    private final LogPages pages;
    private final LogIndex index;
    private final Epochs epochs = new Epochs();
    private final Records records;
    private final PointRecords points;
    private final MapRecords maps;
    private final MapRange range;

    /** Values that were evicted lately; time goes by pages evicted. */
    private final GhostList ghosts;

    private final Eviction eviction;
    private final PageReclaimer reclaimer;
    private boolean started;
    private long kept;

    /** A log that notes in {@code ghosts} what it evicts, and in {@code lists} which lists are large. */
    public HybridLog(Arena arena, LowerLevels below, GhostList ghosts, LargeLists lists) {
        this.arena = arena;
        this.ghosts = ghosts;
        this.below = below;
        pages = new LogPages(arena);
        index = new LogIndex(pages);
        records = new Records(pages, index, epochs);
        points = new PointRecords(records, below, lists);
        maps = new MapRecords(records, below);
        range = new MapRange(records);
        eviction = new Eviction(records, points, maps, ghosts);
        reclaimer = new PageReclaimer(records, points, maps);
    }

    /** Fewest pages that a log works with. */
    public static int pagesMin() {
        return LogPages.PAGES_MIN;
    }

    /** Pages that the log takes, and those that flushing its dirty records will take. */
    public int pagesUsed() {
        return pages.held() + pages.pagesIn((long) records.dirtyRecords() * SORT_BYTES);
    }

    public int pagesHeld() {
        return pages.held();
    }

    /** Bytes that changed since the last flush. */
    public long changedBytes() {
        return records.changedBytes();
    }

    /** Bytes that cannot be evicted before they are flushed. */
    public long dirtyBytes() {
        return records.dirtyBytes();
    }

    /** Whether what will be written while what changed is flushed would not fit beside what cannot be evicted. */
    public boolean isFlushDue(int pagesMax) {
        return records.changedBytes() * WRITTEN_MEANWHILE_PERCENT / 100 > roomLeft(pagesMax);
    }

    /** Bytes of all pages but those of the index. */
    private long room(int pagesMax) {
        return (long) Math.max(1, pagesMax - index.pageCount()) * pages.pageBytes();
    }

    /** Bytes beside pages and rows that cannot be evicted before a flush: what can be written meanwhile. */
    public long roomLeft(int pagesMax) {
        return room(pagesMax) - (long) pages.dirtyPages() * pages.pageBytes() - rowBytes();
    }

    /** Bytes written into new records since the last freeze. */
    public long writtenBytes() {
        return records.writtenBytes();
    }

    /** About what the rows of changed entries take, which stay as long as these do: their part of all rows. */
    private long rowBytes() {
        long linked = records.linkedBytes();
        int others = pages.listed() - pages.rowPages();
        // A division of doubles takes a fraction of one of longs, and every write asks.
        return linked == 0 || others <= 0 ? 0 : (long) ((double) linked * pages.rowPages() / others);
    }

    public boolean hasDirty() {
        return records.dirtyRecords() > 0;
    }

    /** Records that the next flush writes. */
    public int dirtyRecords() {
        return records.dirtyRecords();
    }

    public boolean isFlushing() {
        return epochs.isFlushing();
    }

    /** Bytes that a record of this key with that much value takes. */
    public int bytesFor(EntryKey key, int valueBytes) {
        return key.isMapEntry() ? maps.bytesFor(key, valueBytes) : points.bytesFor(key, valueBytes);
    }

    /** Whether a record of that many bytes needs neighbouring pages. */
    public boolean needsSpan(int bytes) {
        return pages.needsSpan(bytes);
    }

    public int spanPages(int bytes) {
        return pages.needsSpan(bytes) ? pages.spanPages(bytes) : 1;
    }

    /** Whether a row record of this key fits a page, as it must. */
    public boolean fitsRow(EntryKey key) {
        return !pages.needsSpan(maps.rowBytesFor(key));
    }

    /**
     * Makes sure that the next operation finds room for one record of {@code bytes} bytes within {@code pagesMax}
     * pages, evicting clean pages as needed. False if there are not enough clean pages. What was found before may be
     * void. A log that holds more, because the limit went down, gives a few pages back each time that it needs one.
     */
    public boolean prepare(int bytes, int pagesMax) {
        pages.dropSpan();
        int allowed = Math.max(pagesMax, pages.held() - GIVEN_BACK_MAX);
        if (!pages.hasSpares()) {
            maps.compress(below.bytes() <= (long) pagesMax * pages.pageBytes() / DECOMPRESSED_FACTOR);
        }
        if (!pages.hasSpares() && pages.held() < pagesMax - pagesMax / PLENTY_FRACTION) {
            records.evicting(false);
        }
        if (!pages.hasSpares()) {
            reclaim(pagesMax);
        }
        while (!pages.hasSpares()) {
            if ((pages.held() >= allowed || !pages.takeSpare()) && !freeOne() && !dropIndex()) {
                return false;
            }
        }
        while (index.isFull()) {
            // Moving records would leave as many of them, and take spare pages.
            if (!eviction.freeOne()) {
                return false;
            }
        }
        if (!started) {
            index.start();
            started = true;
            return prepare(bytes, pagesMax);
        }
        return !pages.needsSpan(bytes) || prepareSpan(pages.spanPages(bytes), pagesMax);
    }

    /** Keeps pages that cannot be evicted so few that what changes while they are flushed has room beside them. */
    private void reclaim(int pagesMax) {
        long wanted = records.changedBytes() * ROOM_PERCENT / 100;
        for (int i = 0; i < RECLAIMED_MAX && roomLeft(pagesMax) < wanted && reclaimer.freeDirty(); i++) {
            // Each moves up to three quarters of a page: a page more than was taken is free only after several.
        }
    }

    /** Frees a page or span, without a loss if much is dead. */
    private boolean freeOne() {
        return (reclaimer.isWorth() && reclaimer.freeAny()) || eviction.freeOne();
    }

    private boolean prepareSpan(int count, int pagesMax) {
        while (pages.held() + count > pagesMax || !pages.takeSpan(count)) {
            if (!eviction.freeOne()) {
                return false;
            }
        }
        return true;
    }

    /** Gives back a large index with nothing in it: it does not shrink by itself, but the memory for it may have. */
    private boolean dropIndex() {
        if (!started || pages.listed() > 0 || index.pageCount() <= 1) {
            return false;
        }
        index.close();
        started = false;
        return true;
    }

    /**
     * Gives a few clean pages back if more than so many are held: caches that filled up meanwhile have room to grow
     * then.
     */
    public void giveBack(int pagesMax) {
        if (pages.held() > pagesMax) {
            shrink(Math.max(pagesMax, pages.held() - GIVEN_BACK_MAX));
        }
    }

    /** Evicts clean pages until at most {@code pagesMax} are held, as far as there are any. */
    public void shrink(int pagesMax) {
        boolean evicted = true;
        while (evicted && pages.held() > pagesMax) {
            evicted = eviction.freeOne();
        }
        if (started && pages.listed() == 0 && pages.held() > pagesMax) {
            index.close();
            started = false;
        }
    }

    /** {@link #MISS}, {@link #FOUND}, {@link #ABSENT} or {@link #PARTIAL}; appends what it found to {@code value}. */
    public int read(EntryKey key, Bytes value) {
        if (!started) {
            return records.tables.isWhole(key.table()) ? ABSENT : MISS;
        }
        return key.isMapEntry() ? maps.read(key, value) : points.read(key, value);
    }

    /** Nothing that counts; look below. */
    public static final int MISS = PointRecords.MISS;

    /** The whole value. */
    public static final int FOUND = PointRecords.FOUND;

    /** That there is no value. */
    public static final int ABSENT = PointRecords.ABSENT;

    /** Bytes to append to what is below. */
    public static final int PARTIAL = PointRecords.PARTIAL;

    /** Sets a value; prepared. */
    public void put(EntryKey key, byte[] value, int offset, int length) {
        if (key.isMapEntry()) {
            maps.put(key, value, offset, length);
        } else {
            points.put(key, value, offset, length);
        }
    }

    /**
     * Keeps a value that was read from runs, unless its key is in memory; false if there is no room for it. Prepared.
     */
    public boolean keep(EntryKey key, byte[] value, int offset, int length) {
        if (!key.isMapEntry()) {
            points.keep(key, value, offset, length);
        } else if (!maps.keep(key, value, offset, length)) {
            return false;
        }
        kept++;
        return true;
    }

    /** Whether there is room for maps as a whole; if not, none {@link #isWorthLoading}. */
    public boolean loadsMaps() {
        return started && maps.hasRoomForMaps();
    }

    /**
     * Whether the map of an entry, of which runs were asked, is small as far as is known and there is room for all of
     * it.
     */
    public boolean isWorthLoading(EntryKey key) {
        return loadsMaps() && maps.isIncomplete(key);
    }

    /** Most entries of a map that {@link #isWorthLoading}. */
    public int loadedMax() {
        return maps.loadedMax();
    }

    /** The map of a key turned out to be too large: it is not worth loading. */
    public void notLoaded(EntryKey key) {
        maps.notLoaded(key);
    }

    /** Whether a value that is not here would be, as far as is known, if the log were a little larger. */
    public boolean wouldBeHere(EntryKey key) {
        return ghosts.isBack(Records.tag(key), eviction.pagesFreed());
    }

    /** Values that were kept from runs so far. */
    public long recordsKept() {
        return kept;
    }

    /** Records that got a second chance so far. */
    public long recordsMoved() {
        return eviction.moved();
    }

    /** Records that were moved out of pages that were mostly dead so far. */
    public long recordsCompacted() {
        return reclaimer.moved();
    }

    /** How often the records of an inline map became one. */
    public long mapsJoined() {
        return maps.joins();
    }

    /** How many inline maps became linked ones. */
    public long mapsLinked() {
        return maps.linked();
    }

    /** Appends to a list; prepared. */
    public void append(EntryKey key, byte[] bytes, int offset, int length) {
        points.append(key, bytes, offset, length);
    }

    /** Bytes that a list has, given those that runs hold of it; looks at all of it that is in memory. */
    public long listBytes(EntryKey key, LongSupplier bytesBelow) {
        if (!started) {
            return bytesBelow.getAsLong();
        }
        return points.bytes(key) + (points.isWhole(key) ? 0 : bytesBelow.getAsLong());
    }

    /** Deletes an entry; prepared. */
    public void delete(EntryKey key) {
        if (key.isMapEntry()) {
            maps.delete(key);
        } else {
            points.delete(key);
        }
    }

    /** Clears a map; prepared. */
    public void clearMap(EntryKey row) {
        maps.clear(row);
    }

    /** Runs below have entries of a table that are not in memory. */
    public void notWhole(int table) {
        records.tables.partOf(table);
    }

    /** All that runs below have of a table is in memory, or will be before the next question. */
    public void whole(int table) {
        records.tables.whole(table);
    }

    public boolean isWhole(int table) {
        return records.tables.isWhole(table);
    }

    /** Whether anything of a value or list is in memory, a tombstone too. */
    public boolean holds(EntryKey key) {
        return started && records.find(key) != 0;
    }

    /** Whether so many bytes more fit without evicting anything. */
    public boolean hasRoomFor(long bytes, int pagesMax) {
        return bytes <= (long) (pagesMax - pages.held()) * pages.pageBytes();
    }

    /** Other runs are installed below: tables of which they hold nothing are in memory whole. */
    public void wholeUnless(IntPredicate isInRuns) {
        records.tables.wholeUnless(isInRuns);
    }

    /** Drops what is in memory of an entry or, for a map's row, of all its entries; all of it is in installed runs. */
    public void forget(EntryKey key) {
        records.tables.partOf(key.table());
        if (!started) {
            return;
        }
        maps.forget(key, ghosts, eviction.pagesFreed());
        long place = key.isMapEntry() ? 0 : records.find(key);
        if (place != 0) {
            points.evict(records.address(LogIndex.record(place)));
        }
    }

    /** {@link #FOUND} if the map has an entry, {@link #ABSENT} if it has none, {@link #MISS} if only runs can tell. */
    public int isMapEmpty(EntryKey key) {
        long row = started ? maps.row(key) : 0;
        if (row != 0 && Rows.values(row) > 0) {
            return FOUND;
        }
        return isAllHere(key, row) ? ABSENT : MISS;
    }

    /**
     * Whether no entry of a map that can be seen is missing in memory, where 0 stands for it if nothing of it is there.
     */
    private boolean isAllHere(EntryKey key, long row) {
        return (row != 0 && Rows.isComplete(row)) || records.tables.isWhole(key.table());
    }

    /**
     * Chooses the first {@code limit} entries in memory, tombstones too, after a map key (or from the first if null),
     * for {@link #rangeCursor}. True if the row is complete, so that runs need not be asked, and the range is for
     * {@link #copyRange}: a small map is chosen whole then.
     */
    public boolean chooseRange(EntryKey key, byte[] after, int limit) {
        long row = started ? maps.row(key) : 0;
        if (row == 0) {
            range.clear();
            return isAllHere(key, row);
        }
        maps.trim(row);
        boolean complete = isAllHere(key, row);
        range.choose(row, after, limit, complete);
        return complete;
    }

    /**
     * A scan of a whole map found so many entries; if as many are in memory, it is complete from now on. So a map that
     * was restored or evicted is fast again once its old entries are gone.
     */
    public void completeIfAllHere(EntryKey key, int entries) {
        long row = started ? maps.row(key) : 0;
        if (row != 0 && Rows.values(row) == entries) {
            maps.complete(row);
        }
    }

    /** Whether the map has more entries in memory than the range holds. */
    public boolean rangeHasMore() {
        return range.more();
    }

    /** Whether the range of a memory-complete map is in use; its size. */
    public int rangeSize() {
        return range.size();
    }

    /** Appends the map key of the i-th entry of the range. */
    public void rangeKey(int i, Bytes out) {
        out.append(range.keyAddress(i), range.keyLength(i));
    }

    /**
     * Copies those entries of the range that have a value, until a batch has so many bytes; returns how many were
     * looked at.
     */
    public int copyRange(MapBatch out, int bytesMax) {
        return range.copy(out, bytesMax);
    }

    /** Walks the range; valid until the log changes. */
    public EntryCursor rangeCursor(EntryKey key, Overdraft overdraft) {
        return new MapRangeCursor(range, key, arena, overdraft);
    }

    /** Ends the epoch, which must have dirty records, and returns what is frozen. */
    public FrozenEpoch freeze() {
        int epoch = epochs.freeze();
        long[] frozen = pages.freeze(epochs.current());
        records.frozen();
        return new FrozenEpoch(pages.numbers(), epoch, frozen, pages.tailsAndUsed());
    }

    /** The run of the oldest frozen epoch is installed below. */
    public void installed(FrozenEpoch frozen) {
        epochs.installed(frozen.epoch());
    }

    /** Gives all pages back. No flushing may be under way. */
    @Override
    public void close() {
        if (started) {
            index.close();
        }
        pages.close();
        started = false;
    }
}
