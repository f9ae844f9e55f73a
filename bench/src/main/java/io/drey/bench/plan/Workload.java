package io.drey.bench.plan;

import io.drey.bench.result.CellSpec;

/**
 * A job with a load that grows with the memory it is given, so that a small run has the same shape as a large one.
 *
 * @param name on the command line and in the report
 * @param job name of the job that runs
 * @param purpose in a few words
 * @param unit what is alive: entries, rows, objects
 * @param aliveAtReference units alive at {@link #REFERENCE_BYTES} of managed memory
 * @param keys how keys are drawn: {@code uniform} or {@code zipf}
 * @param rowBytesMin smallest payload of a row, 0 if rows have none
 * @param rowBytesMax largest payload of a row
 */
public record Workload(
        String name,
        String job,
        String purpose,
        String unit,
        long aliveAtReference,
        String keys,
        int rowBytesMin,
        int rowBytesMax) {

    /** The managed memory for which the sizes in {@link Workloads} are meant. */
    public static final long REFERENCE_BYTES = 128L << 20;

    /** Fewer would not be a load; joins of so few rows would depend on what network buffers hold. */
    private static final long ALIVE_MIN = 10_000;

    /**
     * The load at a size.
     *
     * @param managedBytes memory of the state backend
     * @param scale factor of the state, 1 for the usual size
     * @param stateless the same pipeline without state
     */
    CellSpec.Load load(long seed, long managedBytes, double scale, boolean stateless) {
        double alive = scale * aliveAtReference * ((double) managedBytes / REFERENCE_BYTES);
        return new CellSpec.Load(
                job, seed, Math.max(ALIVE_MIN, Math.round(alive)), keys, rowBytesMin, rowBytesMax, stateless);
    }

    Workload withKeys(String other) {
        return new Workload(name, job, purpose, unit, aliveAtReference, other, rowBytesMin, rowBytesMax);
    }

    Workload withRows(int bytesMin, int bytesMax) {
        return new Workload(name, job, purpose, unit, aliveAtReference, keys, bytesMin, bytesMax);
    }
}
