package io.drey.store.log;

import io.drey.store.entry.EntryKind;
import io.drey.store.log.map.MapRecords;
import io.drey.store.log.record.LogPages;
import io.drey.store.log.record.PointRecords;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;

/**
 * Makes room in the log without losing anything: moves what lives of a page that is mostly dead to younger pages.
 * Records die where values outgrow them, and where a frozen record, or one in a page that is to stay clean, is changed.
 * Hot path.
 */
final class PageReclaimer {
    /** A page is worth it if at most so many percent of it live: what is moved is no more than what that frees. */
    private static final int LIVE_PERCENT = 50;

    /**
     * The same for a page that cannot be evicted: to flush it takes far more than to move three times what that frees.
     */
    private static final int LIVE_PERCENT_DIRTY = 75;

    /** The log is worth looking through if at least this part of it is dead. */
    private static final int DEAD_FRACTION = 4;

    /** Most records of lists looked at to move those of a page: a list of more is not moved. */
    private static final int CHAIN_STEPS_MAX = 8 << 10;

    /** Most pages looked at for one that is worth it. */
    private static final int STEPS_MAX = 32;

    private final Records records;
    private final LogPages pages;
    private final PointRecords points;
    private final MapRecords maps;
    private long moved;

    PageReclaimer(Records records, PointRecords points, MapRecords maps) {
        this.records = records;
        this.pages = records.pages;
        this.points = points;
        this.maps = maps;
    }

    /** Records that were moved so far. */
    long moved() {
        return moved;
    }

    /** Whether so much of the log is dead that pages should be freed in this way rather than by evicting what lives. */
    boolean isWorth() {
        long bytes = (long) pages.listed() * pages.pageBytes();
        return bytes - pages.liveBytes() > bytes / DEAD_FRACTION;
    }

    /**
     * Frees a page; false if none that is worth it was met. What it moves may take spare pages, which must be there.
     */
    boolean freeAny() {
        return freeOne(0, LIVE_PERCENT);
    }

    /** The same for a page in which something was written since the last freeze. */
    boolean freeDirty() {
        return freeOne(records.epochs.current(), LIVE_PERCENT_DIRTY);
    }

    /**
     * @param birthMin least birth of the youngest record of a page
     * @param livePercent most of a page that lives
     */
    private boolean freeOne(int birthMin, int livePercent) {
        if (!pages.hasSparesToMove()) {
            return false;
        }
        long first = pages.oldest();
        if (first != 0
                && pages.live(first) == 0
                && pages.youngestBirth(first) >= birthMin
                && free(first, livePercent)) {
            return true;
        }
        for (int step = 0; step < STEPS_MAX; step++) {
            long page = pages.hand();
            if (page == 0) {
                return false;
            }
            pages.turn();
            if (pages.youngestBirth(page) >= birthMin && free(page, livePercent)) {
                return true;
            }
        }
        return false;
    }

    /** Frees a page if that is worth it and can be done; else moves nothing of it. */
    private boolean free(long page, int livePercent) {
        if (!isWorthMoving(page, livePercent) || !canMoveAll(page)) {
            return false;
        }
        moveAll(page);
        pages.free(page);
        return true;
    }

    private boolean isWorthMoving(long page, int livePercent) {
        // Of what a page holds without its header: two records of half of that share one, two of half a page do not.
        int liveMax = pages.span(page) > 1 ? 0 : (pages.pageBytes() - LogPages.HEADER) * livePercent / 100;
        return pages.live(page) <= liveMax && !pages.isTail(page) && !pages.isRowPage(page) && !isFrozen(page);
    }

    /** Whether records of the page may be read by a flushing thread. */
    private boolean isFrozen(long page) {
        return records.epochs.isFlushing() && pages.firstBirth(page) != records.epochs.current();
    }

    /**
     * Whether the records of the page that are in the midst of a list, where another one names them, are found with few
     * steps: each list is walked once. A page of which a part was moved would have taken spare pages for nothing. These
     * reads of the index do not depend on each other, and moving needs them.
     */
    private boolean canMoveAll(long page) {
        long end = LogPages.end(page);
        int stepsBefore = 0;
        int steps = 0;
        for (long record = page + LogPages.HEADER; record < end; record += RecordLayout.bytes(record)) {
            if (RecordLayout.isLive(record) && isPoint(record)) {
                int stepsHere = points.movingSteps(record);
                // Records of one list mostly follow each other.
                steps += stepsHere == stepsBefore ? 0 : stepsHere;
                stepsBefore = stepsHere;
                if (steps > CHAIN_STEPS_MAX) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isPoint(long record) {
        return !RecordLayout.isOfMap(record) && RecordLayout.kind(record) != EntryKind.ROW_TOMBSTONE;
    }

    private void moveAll(long page) {
        long end = LogPages.end(page);
        for (long record = page + LogPages.HEADER; record < end; record += RecordLayout.bytes(record)) {
            if (RecordLayout.isLive(record)) {
                move(record);
                moved++;
            }
        }
    }

    /** Moves a record, or drops it if it only was to be flushed. */
    private void move(long record) {
        if (RecordLayout.kind(record) == EntryKind.ROW_TOMBSTONE) {
            if (records.epochs.isDirty(RecordLayout.birth(record))) {
                records.copy(record);
            }
            records.kill(record);
        } else if (RecordLayout.isOfMap(record)) {
            maps.move(record);
        } else {
            points.move(record);
        }
    }
}
