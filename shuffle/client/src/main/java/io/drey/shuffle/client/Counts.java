package io.drey.shuffle.client;

import java.util.concurrent.atomic.LongAdder;

/** Counts of events since the start of a client. */
public final class Counts {
    final LongAdder reconnects = new LongAdder();
    final LongAdder regionsResent = new LongAdder();
    final LongAdder partitionsLost = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final LongAdder bytesRead = new LongAdder();

    Counts() {}

    /** Times that a reader went on after its connection had been lost. */
    public long reconnects() {
        return reconnects.sum();
    }

    /** Regions that were sent once more, to the same worker or another. */
    public long regionsResent() {
        return regionsResent.sum();
    }

    public long partitionsLost() {
        return partitionsLost.sum();
    }

    /** Of regions that were acknowledged. */
    public long bytesWritten() {
        return bytesWritten.sum();
    }

    /** Of payloads that were delivered. */
    public long bytesRead() {
        return bytesRead.sum();
    }
}
