package io.drey.store;

import java.util.concurrent.atomic.AtomicLong;

/** What the owner and the jobs of a store count, for {@link StoreStats}. */
final class Counters {
    final AtomicLong seals = new AtomicLong();
    final AtomicLong merges = new AtomicLong();
    final AtomicLong bytesSealed = new AtomicLong();
    final AtomicLong bytesMerged = new AtomicLong();
    final AtomicLong mergeNanos = new AtomicLong();
    final AtomicLong valuesSeparated = new AtomicLong();
    final AtomicLong valueBytesSealed = new AtomicLong();
    final AtomicLong bytesRelocated = new AtomicLong();
    final AtomicLong stallNanos = new AtomicLong();
    volatile long memoryBytes;
    volatile long localBytes;
    volatile long readIos;
    volatile long valueLogBytes;
    volatile long valueLogBytesLive;
    volatile long valuesRead;
    volatile long valueLogsDropped;
    volatile int runs;

    StoreStats stats() {
        return new StoreStats(
                memoryBytes,
                localBytes,
                runs,
                seals.get(),
                merges.get(),
                bytesSealed.get(),
                bytesMerged.get(),
                readIos,
                stallNanos.get(),
                valueLogBytes,
                valueLogBytesLive,
                valuesSeparated.get(),
                valuesRead,
                valueLogsDropped,
                bytesRelocated.get());
    }
}
