package io.drey.store;

import java.util.function.LongSupplier;

/** A clock by which everything that is measured takes the same time: so what follows from it does not depend on the machine. */
final class TickingClock implements LongSupplier {
    private final long nanosPerTick;
    private long nanos;

    TickingClock(long nanosPerTick) {
        this.nanosPerTick = nanosPerTick;
    }

    @Override
    public long getAsLong() {
        nanos += nanosPerTick;
        return nanos;
    }
}
