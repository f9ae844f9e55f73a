package io.drey.bench.plan;

import io.drey.bench.format.Quantity;
import io.drey.bench.result.CellSpec;
import java.math.BigDecimal;

/**
 * A job with a load that grows with the memory it is given, so that a small run has the same shape as a large one.
 *
 * @param name in the report and in paths: the family's, with the scale behind it where there are several
 * @param family name on the command line
 * @param job name of the job that runs
 * @param purpose in a few words
 * @param unit what is alive: entries, rows, objects
 * @param size how much is alive
 * @param keys how keys are drawn: {@code uniform} or {@code zipf}
 * @param rowBytesMin smallest payload of a row, 0 if rows have none
 * @param rowBytesMax largest payload of a row
 */
public record Workload(
        String name,
        String family,
        String job,
        String purpose,
        String unit,
        Size size,
        String keys,
        int rowBytesMin,
        int rowBytesMax) {

    /** The managed memory for which the sizes in {@link Workloads} are meant. */
    public static final long REFERENCE_BYTES = 128L << 20;

    /** Fewer would not be a load; joins of so few rows would depend on what network buffers hold. */
    private static final long ALIVE_MIN = 10_000;

    /**
     * The size of the state.
     *
     * @param aliveAtReference units alive at {@link #REFERENCE_BYTES} of managed memory
     * @param timesMemory the bytes of these units, serialized, as a multiple of that memory
     */
    public record Size(long aliveAtReference, double timesMemory) {
        private long alive(long managedBytes) {
            return Math.max(ALIVE_MIN, Math.round(aliveAtReference * ((double) managedBytes / REFERENCE_BYTES)));
        }

        private Size scaled(double scale) {
            return new Size(Math.round(aliveAtReference * (scale / timesMemory)), scale);
        }
    }

    /**
     * The load at a size.
     *
     * @param managedBytes memory of the state backend
     * @param stateless the same pipeline without state
     */
    CellSpec.Load load(long seed, long managedBytes, boolean stateless) {
        return new CellSpec.Load(job, seed, size.alive(managedBytes), keys, rowBytesMin, rowBytesMax, stateless);
    }

    /**
     * The same with state of so many times the memory.
     *
     * @param isNamed whether the name says it
     */
    public Workload scaled(double scale, boolean isNamed) {
        // All of its digits: the results of a scale are kept under this name.
        String times = BigDecimal.valueOf(scale).stripTrailingZeros().toPlainString();
        String scaledName = isNamed ? family + "-" + times + "x" : family;
        return new Workload(scaledName, family, job, purpose, unit, size.scaled(scale), keys, rowBytesMin, rowBytesMax);
    }

    /** What it is for, and how large its state is. */
    public String description() {
        return purpose + "; state about " + Quantity.brief(size.timesMemory()) + " times the memory";
    }

    Workload withKeys(String other) {
        return new Workload(name, family, job, purpose, unit, size, other, rowBytesMin, rowBytesMax);
    }

    Workload withJob(String other) {
        return new Workload(name, family, other, purpose, unit, size, keys, rowBytesMin, rowBytesMax);
    }

    Workload withRows(int bytesMin, int bytesMax) {
        return new Workload(name, family, job, purpose, unit, size, keys, bytesMin, bytesMax);
    }
}
