package io.drey.files;

import java.util.concurrent.atomic.LongAdder;

/** What was asked of a directory since its start: calls that reached it and bytes that they moved. Thread safe. */
public final class IoCounters {
    final LongAdder reads = new LongAdder();
    final LongAdder readBytes = new LongAdder();
    final LongAdder writes = new LongAdder();
    final LongAdder writtenBytes = new LongAdder();
    final LongAdder syncs = new LongAdder();
    final LongAdder creates = new LongAdder();
    final LongAdder opens = new LongAdder();
    final LongAdder deletes = new LongAdder();
    final LongAdder failures = new LongAdder();

    public long reads() {
        return reads.sum();
    }

    public long readBytes() {
        return readBytes.sum();
    }

    public long writes() {
        return writes.sum();
    }

    public long writtenBytes() {
        return writtenBytes.sum();
    }

    public long syncs() {
        return syncs.sum();
    }

    public long creates() {
        return creates.sum();
    }

    public long opens() {
        return opens.sum();
    }

    public long deletes() {
        return deletes.sum();
    }

    /** Calls that ended in an error; they are not in the other counts. */
    public long failures() {
        return failures.sum();
    }

    @Override
    public String toString() {
        return "reads " + reads + " (" + readBytes + " B), writes " + writes + " (" + writtenBytes + " B), syncs "
                + syncs + ", creates " + creates + ", opens " + opens + ", deletes " + deletes + ", failures "
                + failures;
    }
}
