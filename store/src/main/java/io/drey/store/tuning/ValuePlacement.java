package io.drey.store.tuning;

import io.drey.store.entry.TableInfo;
import io.drey.store.entry.TableKind;
import io.drey.store.entry.Tables;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * The place of whole values that leave memory, by table: in a value log from a size on, else in the run, compressed by
 * themselves or as they are. The owner measures before each flush; jobs tell how many values they separated. What was
 * long ago counts less and less, so that thresholds follow what the job does.
 *
 * <p>Values are separated where the bytes of compacting saved are worth more than the further read that a cold get
 * costs. A value of n bytes that stays in its run costs {@code n * rewrites * nanosPerCompactedByte} in compactions;
 * one that is separated costs {@code readsPerValue * nanosPerRead}, with a read each time that it is relocated. What is
 * measured counts for more the more there is of it; at first the threshold is where the limits say that it starts. The
 * others are not compressed by themselves where the disk is slow, as blocks take less space.
 */
public final class ValuePlacement {
    /** The threshold of a table whose values stay where they are. */
    private static final int NEVER = Integer.MAX_VALUE;

    /**
     * Values of this size are separated whatever it costs: that is one read more for what takes several to be written,
     * and compactions would have to hold them.
     */
    static final int ALWAYS = 256 << 10;

    /** Values of a table after which what was counted before is halved. */
    private static final double VALUES_MEMORY = 100_000;

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

    /** What compacting an entry costs, whatever its size, in bytes: measured in the sample join. */
    private static final long ENTRY_BYTES = 256;

    /** Values read after which what reads cost before is halved. */
    private static final long READS_MEMORY = 1_000_000;

    /** Bytes flushed, or compacted, after which what was before is halved: some major compactions of a large state. */
    private static final long BYTES_MEMORY = 1L << 40;

    /** The place that a value goes to. */
    public enum Place {
        INLINE,
        /** In the run, compressed by itself if that makes it smaller. */
        COMPRESSED,
        VALUE_LOG
    }

    /**
     * The costs of all tables' values so far.
     *
     * @param reads values read from logs
     * @param readNanos time of these reads
     * @param bytesFlushed bytes of runs made from memory
     * @param bytesCompacted bytes of runs made by compactions
     * @param workBytes what compactions did, see {@link #workBytes}
     * @param compactionNanos time that compactions took
     */
    public record Costs(
            long reads, long readNanos, long bytesFlushed, long bytesCompacted, long workBytes, long compactionNanos) {
        private static final Costs NONE = new Costs(0, 0, 0, 0, 0, 0);

        /** These, and what came between two others. */
        private Costs plus(Costs to, Costs from) {
            return new Costs(
                    reads + to.reads - from.reads,
                    readNanos + to.readNanos - from.readNanos,
                    bytesFlushed + to.bytesFlushed - from.bytesFlushed,
                    bytesCompacted + to.bytesCompacted - from.bytesCompacted,
                    workBytes + to.workBytes - from.workBytes,
                    compactionNanos + to.compactionNanos - from.compactionNanos);
        }

        /** Half of what there is much of, so that its ratios stay and what comes counts. */
        private Costs faded() {
            int read = reads > READS_MEMORY ? 1 : 0;
            int flushed = bytesFlushed > BYTES_MEMORY ? 1 : 0;
            int worked = workBytes > BYTES_MEMORY ? 1 : 0;
            return new Costs(
                    reads >> read,
                    readNanos >> read,
                    bytesFlushed >> flushed,
                    bytesCompacted >> flushed,
                    workBytes >> worked,
                    compactionNanos >> worked);
        }
    }

    /**
     * The decisions for all tables at a time; the values of tables beyond the end stay as they are.
     *
     * @param thresholds the smallest values that are separated, by table
     * @param compressed whether the others may be compressed by themselves, by table
     */
    public record Places(int[] thresholds, boolean[] compressed) {
        /** Where a value goes. Hot path. */
        public Place of(int table, int length) {
            if (table >= thresholds.length) {
                return Place.INLINE;
            }
            if (length >= thresholds[table]) {
                return Place.VALUE_LOG;
            }
            return compressed[table] ? Place.COMPRESSED : Place.INLINE;
        }
    }

    private final PlacementLimits limits;
    private final Tables tables;

    /** By table, as the next two; guarded by this. */
    private double[] separated = new double[8];

    private double[] read = new double[8];
    private long[] readBefore = new long[8];

    /** The owner's: all costs when they were measured last, and those that count. */
    private Costs costsBefore = Costs.NONE;

    private Costs costsLately = Costs.NONE;
    private Places places = new Places(new int[0], new boolean[0]);

    public ValuePlacement(PlacementLimits limits, Tables tables) {
        this.limits = limits;
        this.tables = tables;
    }

    /** What was decided last. The owner's. */
    public Places places() {
        return places;
    }

    /**
     * Decides anew, and lets what was counted until now count less from now on. The owner's, once for each flush.
     *
     * @param reads values of a table read from their logs so far
     */
    public synchronized void measure(IntToLongFunction reads, Costs costs, DiskSpeed disk) {
        List<TableInfo> all = tables.all();
        int count = all.isEmpty() ? 0 : all.get(all.size() - 1).number() + 1;
        grow(count);
        costsLately = costsLately.faded().plus(costs, costsBefore);
        costsBefore = costs;
        int[] thresholds = new int[count];
        boolean[] compressed = new boolean[count];
        Arrays.fill(thresholds, NEVER);
        for (TableInfo table : all) {
            // What is appended to lists is put together by compactions, which neither read nor decompress values.
            if (table.kind() != TableKind.LIST) {
                int number = table.number();
                count(number, reads.applyAsLong(number));
                thresholds[number] = threshold(separated[number], read[number], costsLately, limits);
                compressed[number] = !disk.isSlow();
            }
        }
        places = new Places(thresholds, compressed);
    }

    private void count(int table, long reads) {
        read[table] += reads - readBefore[table];
        readBefore[table] = reads;
        boolean wasDear = table < places.thresholds.length && places.thresholds[table] == ALWAYS;
        if (separated[table] > VALUES_MEMORY || wasDear) {
            separated[table] /= 2;
            read[table] /= 2;
        }
    }

    /**
     * The smallest value that is separated. Pure.
     *
     * @param separated values of the table separated
     * @param read values of the table read from their logs
     */
    static int threshold(double separated, double read, Costs costs, PlacementLimits limits) {
        double reads = (read + READS_EXPECTED * VALUES_WEIGHT) / (separated + VALUES_WEIGHT);
        double perRead =
                (costs.readNanos() + readNanosExpected(limits) * READS_WEIGHT) / (costs.reads() + READS_WEIGHT);
        double rewrites =
                (costs.bytesCompacted() + REWRITES_EXPECTED * BYTES_WEIGHT) / (costs.bytesFlushed() + BYTES_WEIGHT);
        double perByte = (costs.compactionNanos() + COMPACTION_NANOS_EXPECTED * BYTES_WEIGHT)
                / (costs.workBytes() + BYTES_WEIGHT);
        double savedPerByte = Math.min(REWRITES_MAX, Math.max(REWRITES_MIN, rewrites)) * perByte;
        double worth = reads * perRead / savedPerByte;
        return worth > limits.bytesMax() ? ALWAYS : (int) Math.max(limits.bytesMin(), Math.ceil(worth));
    }

    /** The cost of a read at which the threshold starts where it should. */
    private static double readNanosExpected(PlacementLimits limits) {
        return limits.bytesStart() * REWRITES_EXPECTED * COMPACTION_NANOS_EXPECTED / READS_EXPECTED;
    }

    /**
     * What compactions did, in bytes that could have been copied instead. A pointer to a value takes few bytes of a run,
     * and as long as any entry; and values that are relocated are in no run. Without both a byte would seem the dearer
     * the more values are separated, which would keep them so.
     *
     * @param runBytes of runs made by compactions
     * @param valueBytes of values relocated
     * @param entries of runs made by compactions
     */
    public static long workBytes(long runBytes, long valueBytes, long entries) {
        return runBytes + valueBytes + ENTRY_BYTES * entries;
    }

    /** A job has separated values of a table. Any thread. */
    public synchronized void separated(int table, long values) {
        grow(table + 1);
        separated[table] += values;
    }

    /** A job has moved values of a table out of logs that are emptied, and read each for it. Any thread. */
    public synchronized void relocated(int table, long values) {
        grow(table + 1);
        read[table] += values;
    }

    private void grow(int count) {
        if (count > separated.length) {
            int length = Math.max(count, 2 * separated.length);
            separated = Arrays.copyOf(separated, length);
            read = Arrays.copyOf(read, length);
            readBefore = Arrays.copyOf(readBefore, length);
        }
    }
}
