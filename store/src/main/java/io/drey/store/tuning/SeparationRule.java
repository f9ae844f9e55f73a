package io.drey.store.tuning;

/**
 * From which size on the values of a table go into value logs: where the bytes of compacting saved are worth more than the
 * further read that a cold get costs. Pure.
 *
 * <p>A value of n bytes that stays in its run costs {@code n * rewrites * nanosPerCompactedByte} in compactions; one that is
 * separated costs {@code readsPerValue * nanosPerRead}. What is measured counts for more the more there is of it; at first
 * the threshold is where the limits say that it starts.
 */
public final class SeparationRule {
    /** The threshold of a table whose values stay where they are. */
    public static final int NEVER = Integer.MAX_VALUE;

    /** Times that compactions write a byte, if nothing is known. */
    private static final double REWRITES_EXPECTED = 4;

    private static final double REWRITES_MIN = 1;
    private static final double REWRITES_MAX = 16;

    /** Cost of compacting a byte, if nothing is known. */
    private static final double COMPACTION_NANOS_EXPECTED = 10;

    /** Reads of a value, from separating to its death, if nothing is known. */
    private static final double READS_EXPECTED = 1;

    /** Values separated that weigh as much as what is expected. */
    private static final double VALUES_WEIGHT = 1_000;

    /** Values read that weigh as much as what is expected. */
    private static final double READS_WEIGHT = 1_000;

    /** Bytes compacted that weigh as much as what is expected. */
    private static final double BYTES_WEIGHT = 16 << 20;

    private SeparationRule() {}

    /**
     * What was measured.
     *
     * @param separated values of the table separated
     * @param read values of the table read from their logs
     * @param readNanos time of all {@code allReads} reads of values
     * @param bytesFlushed bytes of runs made from memory
     * @param bytesCompacted bytes of runs made by compactions
     * @param compactionNanos time that compactions took
     */
    public record Measured(
            double separated,
            double read,
            long allReads,
            long readNanos,
            long bytesFlushed,
            long bytesCompacted,
            long compactionNanos) {}

    /** The smallest value that is separated, or {@link #NEVER}. */
    public static int threshold(Measured measured, SeparationLimits limits) {
        double reads = (measured.read() + READS_EXPECTED * VALUES_WEIGHT) / (measured.separated() + VALUES_WEIGHT);
        double perRead = (measured.readNanos() + readNanosExpected(limits) * READS_WEIGHT)
                / (measured.allReads() + READS_WEIGHT);
        double rewrites = (measured.bytesCompacted() + REWRITES_EXPECTED * BYTES_WEIGHT)
                / (measured.bytesFlushed() + BYTES_WEIGHT);
        double perByte = (measured.compactionNanos() + COMPACTION_NANOS_EXPECTED * BYTES_WEIGHT)
                / (measured.bytesCompacted() + BYTES_WEIGHT);
        double savedPerByte = Math.min(REWRITES_MAX, Math.max(REWRITES_MIN, rewrites)) * perByte;
        double worth = reads * perRead / savedPerByte;
        return worth > limits.bytesMax() ? NEVER : (int) Math.max(limits.bytesMin(), Math.ceil(worth));
    }

    /** The cost of a read at which the threshold starts where it should. */
    private static double readNanosExpected(SeparationLimits limits) {
        return limits.bytesStart() * REWRITES_EXPECTED * COMPACTION_NANOS_EXPECTED / READS_EXPECTED;
    }
}
