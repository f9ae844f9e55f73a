package io.drey.store.log;

import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import io.drey.store.entry.EntryCursor;
import io.drey.store.log.record.LogPages;
import io.drey.store.log.record.RecordNumbers;

/**
 * The records of one ended epoch, as a flushing thread reads them: pages and, of those to which the owner goes on to
 * add, how far they were used at the freeze. Of these records the owner changes nothing but their death, which it sets
 * to a later epoch; their pages, and the row records that map entries name, stay until the epoch is installed. The
 * freeze happens before the thread that flushes starts, by the scheduler's queue.
 */
public final class FrozenEpoch {
    private final RecordNumbers numbers;
    private final int epoch;
    private final long[] pages;
    private final long[] tailsAndUsed;

    FrozenEpoch(RecordNumbers numbers, int epoch, long[] pages, long[] tailsAndUsed) {
        this.numbers = numbers;
        this.epoch = epoch;
        this.pages = pages;
        this.tailsAndUsed = tailsAndUsed;
    }

    int epoch() {
        return epoch;
    }

    int pages() {
        return pages.length;
    }

    long page(int i) {
        return pages[i];
    }

    /** The end of the records of a page. */
    long end(int i) {
        long page = pages[i];
        for (int tail = 0; tail < tailsAndUsed.length; tail += 2) {
            if (tailsAndUsed[tail] == page) {
                return page + tailsAndUsed[tail + 1];
            }
        }
        return LogPages.end(page);
    }

    RecordNumbers numbers() {
        return numbers;
    }

    /** All entries of the epoch in the order of keys; sorts them first, in memory from the arena. */
    public EntryCursor cursor(Arena arena, Overdraft overdraft) {
        return new FlushCursor(this, arena, overdraft);
    }
}
