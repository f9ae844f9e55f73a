package io.drey.store.run;

import java.util.function.LongSupplier;

/**
 * What a read of a block has to take, on average, for more to be done to save the next one.
 *
 * @param keptNanos from here on blocks are kept as they are stored, too: else unpacking them saves too little
 * @param aroundNanos from here on a read is dear: it brings its neighbours, while there is memory for them
 * @param denseShare where reads are dear and take at least this part of the owner's time, sweeps compress densely
 * @param clock what reads are measured with, in nanoseconds
 */
public record ReadThresholds(long keptNanos, long aroundNanos, double denseShare, LongSupplier clock) {
    /** What ships: more than from the page cache, and what only disks with few I/Os take. */
    public static final ReadThresholds SHIPPED = new ReadThresholds(20_000, 200_000, 0.5, System::nanoTime);

    /** Every read is worth saving. */
    public static final ReadThresholds ANY = new ReadThresholds(0, 0, 0, System::nanoTime);
}
