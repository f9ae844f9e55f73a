package io.drey.store;

import io.drey.store.run.Run;
import io.drey.store.version.Version;

/**
 * How much time lookups lost by reading in young runs that did not have what was sought, and whether a sweep, after which
 * there are none, would have cost less. On a disk with few I/Os a filter that is not in memory costs as much as the block that
 * it saves, so that each young run costs a read; if little is written, the sizes of runs would never make a sweep due. One
 * thread.
 */
final class ReadWaste {
    /** Wasted reads from one look at the version to the next. */
    private static final int LOOK_AFTER = 64;

    /** About what an entry costs in a sweep. */
    private static final long ENTRY_NANOS = 300;

    /** A sweep reads and writes in I/Os of so many bytes. */
    private static final long IO_BYTES = 256 << 10;

    /** The loss must be so many times the cost. */
    private static final int LOSS_MIN = 2;

    private long wasted;
    private long lookedAt;
    private long readsBefore;
    private long nanosBefore;

    /** Reads of one lookup in young runs that did not have what was sought. */
    void wasted(long reads) {
        wasted += reads;
    }

    /** Whether enough was wasted since the last look for {@link #isSweepWorth} to be asked. */
    boolean isLookDue() {
        return wasted - lookedAt >= LOOK_AFTER;
    }

    /**
     * Whether a sweep of all runs costs less than what was lost since the last one.
     *
     * @param reads all reads of lookups so far
     * @param nanos how long they took
     */
    boolean isSweepWorth(Version version, long reads, long nanos) {
        lookedAt = wasted;
        double readNanos = (nanos - nanosBefore) / (double) Math.max(1, reads - readsBefore);
        long entries = 0;
        long bytes = 0;
        for (Run run : Runs.runsOf(version)) {
            entries += run.info().entries();
            bytes += run.info().bytes();
        }
        double cost = (double) entries * ENTRY_NANOS + 2.0 * bytes / IO_BYTES * readNanos;
        return wasted * readNanos > LOSS_MIN * cost;
    }

    /** Counts anew: a sweep began. */
    void forget(long reads, long nanos) {
        wasted = 0;
        lookedAt = 0;
        readsBefore = reads;
        nanosBefore = nanos;
    }
}
