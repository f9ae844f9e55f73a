package io.drey.store;

import io.drey.files.IoCounts;
import java.util.concurrent.atomic.AtomicLong;

/** What the jobs of a store count, and the owner where it does not matter, for {@link StoreStats}. */
final class Counters {
    final AtomicLong flushes = new AtomicLong();
    final AtomicLong compactions = new AtomicLong();
    final AtomicLong runBytesFlushed = new AtomicLong();
    final AtomicLong runBytesCompacted = new AtomicLong();
    final AtomicLong compactionNanos = new AtomicLong();
    final AtomicLong valuesSeparated = new AtomicLong();
    final AtomicLong valuesCompressed = new AtomicLong();
    final AtomicLong bytesRelocated = new AtomicLong();
    final AtomicLong entriesExpired = new AtomicLong();
    final AtomicLong runsExpired = new AtomicLong();
    final AtomicLong stalls = new AtomicLong();
    final AtomicLong stallNanos = new AtomicLong();
    volatile long valueLogBytes;
    volatile long valueLogBytesLive;
    volatile long valueLogsDropped;

    /** Values too large for the log; what the owner reads is counted where it reads. */
    final IoCounts direct = new IoCounts();

    final IoCounts flush = new IoCounts();
    final IoCounts compaction = new IoCounts();

    /** The owner waited since {@code startNanos}. */
    void stalled(long startNanos) {
        stalls.incrementAndGet();
        stallNanos.addAndGet(System.nanoTime() - startNanos);
    }

    static StoreStats.Io io(IoCounts counts) {
        return new StoreStats.Io(counts.reads(), counts.bytesRead(), counts.writes(), counts.bytesWritten());
    }
}
