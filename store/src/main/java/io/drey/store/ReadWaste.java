package io.drey.store;

import io.drey.store.run.Run;
import java.util.Collection;

/**
 * How much time lookups lost by reading in young runs that did not have what was sought, and whether a sweep, after which
 * there are none, would have cost less. On a disk with few I/Os a filter that is not in memory costs as much as the block that
 * it saves, so that each young run costs a read; if little is written, the sizes of runs would never make a sweep due. One
 * thread.
 */
final class ReadWaste {
    /** About what an entry costs in a sweep. */
    private static final long ENTRY_NANOS = 300;

    /** A sweep reads and writes in I/Os of so many bytes. */
    private static final long IO_BYTES = 256 << 10;

    /** The loss must be so many times the cost. */
    private static final int LOSS_MIN = 2;

    private long entries;
    private long bytes;
    private long wasted;
    private long readsBefore;
    private long nanosBefore;

    /** Reads of one lookup in young runs that did not have what was sought. */
    void wasted(long reads) {
        wasted += reads;
    }

    /** These are the runs now that a sweep would read. */
    void installed(Collection<Run> runs) {
        entries = 0;
        bytes = 0;
        for (Run run : runs) {
            entries += run.info().entries();
            bytes += run.info().bytes();
        }
    }

    /**
     * Whether a sweep of all runs costs less than what was lost since the last one. Hot path.
     *
     * @param reads all reads of lookups so far
     * @param nanos how long they took
     */
    boolean isSweepWorth(long reads, long nanos) {
        if (wasted == 0) {
            return false;
        }
        double readNanos = (nanos - nanosBefore) / (double) Math.max(1, reads - readsBefore);
        double cost = (double) entries * ENTRY_NANOS + 2.0 * bytes / IO_BYTES * readNanos;
        return wasted * readNanos > LOSS_MIN * cost;
    }

    /** Counts anew: a sweep began. */
    void forget(long reads, long nanos) {
        wasted = 0;
        readsBefore = reads;
        nanosBefore = nanos;
    }
}
