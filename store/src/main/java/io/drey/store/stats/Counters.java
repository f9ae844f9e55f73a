package io.drey.store.stats;

import io.drey.files.IoCounts;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Counters of a store's jobs, and of its owner where the cost does not matter, for {@link StoreStats}. */
public final class Counters {
    public final AtomicLong flushes = new AtomicLong();
    public final AtomicLong compactions = new AtomicLong();
    public final AtomicLong runBytesFlushed = new AtomicLong();
    public final AtomicLong runBytesCompacted = new AtomicLong();

    /** Those of them that stayed among the young. */
    public final AtomicLong youngBytesCompacted = new AtomicLong();

    public final AtomicLong compactionNanos = new AtomicLong();
    public final AtomicLong valuesSeparated = new AtomicLong();
    public final AtomicLong valuesCompressed = new AtomicLong();
    public final AtomicLong bytesRelocated = new AtomicLong();
    public final AtomicLong entriesCompacted = new AtomicLong();
    public final AtomicLong entriesExpired = new AtomicLong();
    public final AtomicLong runsExpired = new AtomicLong();
    public volatile long valueLogBytes;
    public volatile long valueLogBytesLive;
    public volatile long valueLogsDropped;

    /** Values too large for the log; what the owner reads is counted where it reads. */
    public final IoCounts direct = new IoCounts();

    public final IoCounts flush = new IoCounts();
    public final IoCounts compaction = new IoCounts();

    private final LongSupplier clock;

    /** Waits of the owner that are over, and the one that is not; as all below, under the lock of this. */
    private long stallNanos;

    private long stalls;
    private int waits;
    private long waitBegan;

    /** @param clock tells nanoseconds; any thread */
    public Counters(LongSupplier clock) {
        this.clock = clock;
    }

    /** When it is, in nanoseconds. */
    public long now() {
        return clock.getAsLong();
    }

    /** The owner begins to wait: a stall, unless it waits within one already. Others see how long while it lasts. */
    public synchronized void waitBegins() {
        if (waits++ == 0) {
            stalls++;
            waitBegan = now();
        }
    }

    public synchronized void waitEnds() {
        if (--waits == 0) {
            stallNanos += now() - waitBegan;
        }
    }

    /** What was done in the background, is left to do there, and was waited for. */
    public synchronized StoreStats.Jobs jobs(double backlog) {
        return new StoreStats.Jobs(
                flushes.get(),
                compactions.get(),
                runBytesFlushed.get(),
                youngBytesCompacted.get(),
                runBytesCompacted.get() - youngBytesCompacted.get(),
                entriesExpired.get(),
                runsExpired.get(),
                stalls,
                waits == 0 ? stallNanos : stallNanos + now() - waitBegan,
                backlog);
    }

    /** @param valuesRead by the owner */
    public StoreStats.Values values(long valuesRead) {
        return new StoreStats.Values(
                valueLogBytes,
                valueLogBytesLive,
                valueLogsDropped,
                valuesSeparated.get(),
                valuesCompressed.get(),
                valuesRead,
                bytesRelocated.get());
    }

    /** @param reads of the owner */
    public StoreStats.IoByCause io(long reads, long bytesRead, long readNanos) {
        return new StoreStats.IoByCause(
                new StoreStats.Io(reads, bytesRead, direct.writes(), direct.bytesWritten()),
                io(flush),
                io(compaction),
                readNanos);
    }

    private static StoreStats.Io io(IoCounts counts) {
        return new StoreStats.Io(counts.reads(), counts.bytesRead(), counts.writes(), counts.bytesWritten());
    }
}
