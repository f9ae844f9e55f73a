package io.drey.store.log;

import io.drey.foundation.Memory;
import io.drey.store.cache.GhostList;
import io.drey.store.entry.EntryKind;
import io.drey.store.log.map.MapRecords;
import io.drey.store.log.record.LogPages;
import io.drey.store.log.record.PointRecords;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;

/**
 * Makes room in the log: frees the oldest pages whose records are all in runs. Of these records those that were read
 * since get a second chance in a younger page. Hot path where state is larger than memory.
 */
final class Eviction {
    /** Of a page that goes, at most this part is moved to a younger one, so that there is progress. */
    private static final int MOVED_FRACTION = 2;

    private final Records records;
    private final LogPages pages;
    private final PointRecords points;
    private final MapRecords maps;
    private final GhostList ghosts;
    private int pagesFreed;
    private long moved;

    /** When the last search found nothing: the epoch that was flushed last, and the pages begun or dead until then. */
    private int fruitlessEpoch = -1;

    private int fruitlessChanges;

    /** Depends on all that was fetched, so that nothing of it is left out as useless. */
    long fetched;

    Eviction(Records records, PointRecords points, MapRecords maps, GhostList ghosts) {
        this.records = records;
        this.pages = records.pages;
        this.points = points;
        this.maps = maps;
        this.ghosts = ghosts;
    }

    /** Pages freed so far: the time of {@link GhostList}. */
    int pagesFreed() {
        return pagesFreed;
    }

    /** Records that got a second chance so far. */
    long moved() {
        return moved;
    }

    /** Frees one page or span of clean records, the oldest first; false if there is none. */
    boolean freeOne() {
        records.evicting(true);
        if (isFruitless()) {
            return false;
        }
        if (search()) {
            return true;
        }
        fruitlessEpoch = records.epochs.flushed();
        fruitlessChanges = pages.changes();
        return false;
    }

    /**
     * Whether a search would find nothing, as the last one did: a page that was dirty is clean when a flush ends or all
     * of it is dead, a page of rows also when their entries are gone, which while something is flushed does not count.
     * Without this each read that is to be kept in a log that is dirty as a whole would look at all its pages.
     */
    private boolean isFruitless() {
        return fruitlessEpoch == records.epochs.flushed()
                && fruitlessChanges == pages.changes()
                && (pages.rowPages() == 0 || records.epochs.isFlushing());
    }

    private boolean search() {
        int candidates = pages.listed();
        for (int i = 0; i < candidates; i++) {
            long page = pages.oldest();
            if (page == 0) {
                return false;
            }
            if (!pages.isTail(page) && isClean(page) && evict(page)) {
                return true;
            }
            pages.renew(page);
        }
        return closeTail();
    }

    /** With nothing else left, a clean tail page can go too. */
    private boolean closeTail() {
        for (long page = pages.oldest(); page != 0; page = pages.next(page)) {
            if (pages.isTail(page) && isClean(page) && evict(page)) {
                return true;
            }
        }
        return false;
    }

    private boolean isClean(long page) {
        if (pages.isRowPage(page)) {
            return !records.epochs.isFlushing();
        }
        return !records.epochs.isDirty(pages.youngestBirth(page))
                || (pages.live(page) == 0 && !records.epochs.isFlushing());
    }

    private boolean evict(long page) {
        if (pages.isRowPage(page) && !rowsEvictable(page)) {
            return false;
        }
        long end = LogPages.end(page);
        fetched += fetch(page, end);
        int movable = pages.isTail(page) ? 0 : pages.pageBytes() / MOVED_FRACTION;
        pagesFreed += pages.span(page);
        for (long record = page + LogPages.HEADER; record < end; record += RecordLayout.bytes(record)) {
            if (RecordLayout.isLive(record)) {
                int bytes = RecordLayout.bytes(record);
                if (bytes <= movable && move(record, bytes)) {
                    movable -= bytes;
                    moved++;
                } else {
                    evictRecord(record);
                }
            }
        }
        pages.free(page);
        return true;
    }

    /**
     * Reads what evicting the records of a page will look at. These reads do not depend on each other, so that the
     * processor waits for many at a time; those of evicting one record after another do.
     *
     * @return something that depends on each of them, so that they are done
     */
    private long fetch(long page, long end) {
        long seen = 0;
        for (long record = page + LogPages.HEADER; record < end; record += RecordLayout.bytes(record)) {
            if (RecordLayout.isLive(record)) {
                seen += records.index.fetch(RecordLayout.tag(record));
                seen += RecordLayout.isLinked(record) ? RecordLayout.tag(rowOf(record)) : 0;
            }
        }
        for (long record = page + LogPages.HEADER; record < end; record += RecordLayout.bytes(record)) {
            if (RecordLayout.isLive(record) && RecordLayout.isLinked(record)) {
                seen += records.index.fetch(RecordLayout.tag(rowOf(record)));
            }
        }
        return seen;
    }

    private long rowOf(long entry) {
        return records.address(Memory.getInt(entry + RecordLayout.ENTRY_ROW));
    }

    /** Gives a record that was read a second chance, in a younger page with room for it. */
    private boolean move(long record, int bytes) {
        byte kind = RecordLayout.kind(record);
        if (kind == RecordLayout.ROW) {
            return pages.hasRoom(LogPages.ROWS, bytes) && maps.moveRow(record);
        }
        if (!RecordLayout.has(record, RecordLayout.REFERENCED)
                || (kind != EntryKind.VALUE && kind != RecordLayout.INLINE)
                || !pages.hasRoom(LogPages.COPIES, bytes)) {
            return false;
        }
        if (RecordLayout.isOfMap(record)) {
            maps.move(record);
            return true;
        }
        if (points.movingSteps(record) > 0) {
            // The rest of its list would come with it, for which nobody has looked whether there is room.
            return false;
        }
        points.move(record);
        return true;
    }

    private boolean rowsEvictable(long page) {
        long end = LogPages.end(page);
        for (long record = page + LogPages.HEADER; record < end; record += RecordLayout.bytes(record)) {
            if (RecordLayout.isLive(record) && !maps.isEvictable(record)) {
                return false;
            }
        }
        return true;
    }

    private void evictRecord(long record) {
        byte kind = RecordLayout.kind(record);
        if (kind == EntryKind.VALUE) {
            ghosts.left(RecordLayout.tag(record), pagesFreed);
        }
        if (kind != EntryKind.TOMBSTONE && kind != EntryKind.ROW_TOMBSTONE) {
            records.tables.partOf(RecordLayout.table(record));
        }
        if (RecordLayout.isOfMap(record)) {
            maps.evict(record, ghosts, pagesFreed);
        } else if (kind == EntryKind.ROW_TOMBSTONE) {
            records.kill(record);
        } else {
            points.evict(record);
        }
    }
}
