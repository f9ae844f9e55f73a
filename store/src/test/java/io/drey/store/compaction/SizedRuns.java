package io.drey.store.compaction;

import io.drey.store.tuning.TreeShape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The runs of a store by their sizes only, with the choices of {@link TierPicker} and {@link
 * CompactionLimits#isMajorDue}, for simulations: updates hit all entries evenly, so that how much runs overlap follows
 * from their sizes.
 */
public final class SizedRuns {
    /** A compaction: what it reads, what it writes, and what it makes of the runs. */
    public record Compaction(double readBytes, double writtenBytes, Runnable end) {}

    private CompactionLimits limits;
    private final double liveBytes;
    private final List<Double> young = new ArrayList<>();
    private double old;

    /**
     * Bytes of the youngest runs that do not take part in the major compaction in progress, which are its last ones.
     */
    private int inMajor;

    private double majorLeft;
    private double majorPart;

    private double flushed;
    private double written;
    private int youngMax;
    private double bytesMax;

    /** Runs with all entries in the last level. */
    public SizedRuns(CompactionLimits limits, double liveBytes) {
        this.limits = limits;
        this.liveBytes = liveBytes;
        this.old = liveBytes;
    }

    public void flush(double bytes) {
        young.add(0, bytes);
        limits = limits.shaped(TreeShape.of(1, (long) bytes, (long) old));
        flushed += bytes;
        written += bytes;
        youngMax = Math.max(youngMax, young.size());
        count();
    }

    /** Young runs that do not take part in the major compaction in progress. */
    public int fresh() {
        return young.size() - inMajor;
    }

    /** Young runs that do. */
    public int compacted() {
        return inMajor;
    }

    public double youngBytes() {
        return sum(young);
    }

    /** Bytes of young runs from which on a major compaction is due. */
    public double dueBytes() {
        return limits.dueBytes((long) old, 0);
    }

    /** Bytes of the last level. */
    public double oldBytes() {
        return old;
    }

    /** Sizes of young runs, youngest first. */
    public List<Double> young() {
        return List.copyOf(young);
    }

    /** Of the runs in a major compaction, the part of their entries that it has not come to yet. */
    public double inMajorLeft() {
        return inMajor == 0 ? 0 : majorLeft;
    }

    public int youngMax() {
        return youngMax;
    }

    public double writeAmplification() {
        return written / flushed;
    }

    /** The most bytes at any time, in live ones. */
    public double spaceAmplification() {
        return bytesMax / liveBytes;
    }

    /** Begins counting anew. */
    public void forget() {
        flushed = 0;
        written = 0;
        youngMax = 0;
        bytesMax = 0;
    }

    /** A young run's file stays until all of it is compacted. */
    private void count() {
        bytesMax = Math.max(bytesMax, old + sum(young));
    }

    /** The next compaction, or null. */
    public Compaction pick() {
        long[] sizes = young.stream().mapToLong(Double::longValue).toArray();
        int fresh = young.size() - inMajor;
        boolean isMajorDue = limits.isMajorDue(LongStream.of(sizes).limit(fresh).sum(), (long) old, 0, 0);
        TierPicker.Window window = TierPicker.pick(sizes, fresh, limits, isMajorDue, (long) old);
        if (window != null) {
            return tiers(window.from(), window.count());
        }
        if (inMajor == 0 && isMajorDue) {
            inMajor = young.size();
            majorLeft = 1;
            majorPart = Math.min(1, limits.jobBytes((long) (sum(young) + old)) / (sum(young) + old));
        }
        return inMajor == 0 ? null : majorCompaction();
    }

    private Compaction tiers(int from, int count) {
        List<Double> compacted = List.copyOf(young.subList(from, from + count));
        int fromOldest = young.size() - from;
        double result = union(compacted);
        return new Compaction(sum(compacted), result, () -> {
            int at = young.size() - fromOldest;
            young.subList(at, at + count).clear();
            young.add(at, result);
            written += result;
            count();
        });
    }

    private Compaction majorCompaction() {
        double part = Math.min(majorPart, majorLeft);
        List<Double> all = new ArrayList<>(young.subList(young.size() - inMajor, young.size()));
        all.add(old);
        double result = union(all);
        return new Compaction(part * sum(all), part * result, () -> {
            written += part * result;
            bytesMax = Math.max(bytesMax, old + sum(young) + part * result);
            majorLeft -= part;
            if (majorLeft < 1e-9) {
                young.subList(young.size() - inMajor, young.size()).clear();
                inMajor = 0;
                old = result;
            }
            count();
        });
    }

    /** Bytes of runs compacted: an entry is in none of them by the product of the chances to be missing in each. */
    private double union(List<Double> runs) {
        double missing = 1;
        for (double bytes : runs) {
            missing *= Math.max(0, 1 - bytes / liveBytes);
        }
        return liveBytes * (1 - missing);
    }

    private static double sum(List<Double> runs) {
        return runs.stream().mapToDouble(Double::doubleValue).sum();
    }
}
