package io.drey.store;

import java.util.concurrent.atomic.AtomicLong;

/** What the owner and the jobs of a store count, for {@link StoreStats}. */
final class Counters {
    final AtomicLong seals = new AtomicLong();
    final AtomicLong merges = new AtomicLong();
    final AtomicLong bytesSealed = new AtomicLong();
    final AtomicLong bytesMerged = new AtomicLong();
    final AtomicLong stallNanos = new AtomicLong();
    volatile long memoryBytes;
    volatile long localBytes;
    volatile long readIos;
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
                stallNanos.get());
    }
}
