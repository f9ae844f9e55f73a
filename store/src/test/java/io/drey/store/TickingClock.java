package io.drey.store;

import java.util.function.LongSupplier;

/**
 * A clock by which everything that is measured takes the same time: so what follows from it does not depend on the
 * machine.
 */
public final class TickingClock implements LongSupplier {
    private long nanosPerTick;
    private long nanos;

    public TickingClock(long nanosPerTick) {
        this.nanosPerTick = nanosPerTick;
    }

    /** Everything takes so long from now on. */
    void tick(long newNanosPerTick) {
        nanosPerTick = newNanosPerTick;
    }

    @Override
    public long getAsLong() {
        nanos += nanosPerTick;
        return nanos;
    }
}
