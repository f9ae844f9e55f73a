package io.drey.store.compaction;

import io.drey.store.StoreSettings;
import io.drey.store.filter.FilterLayout;
import io.drey.store.memory.MemoryPlan;
import io.drey.store.tuning.DiskSpeed;
import io.drey.store.tuning.FilterBits;
import io.drey.store.tuning.RunShape;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A store of state of many times its memory, whose entries are read and updated evenly: {@link SizedRuns} for the tree, and
 * for memory {@link MemoryPlan}, {@link RunShape} and {@link FilterBits}. Shares of memory do not depend on its size, so
 * that a plan of a small memory stands for one of any.
 */
final class ScaledState {
    /**
     * Bytes of an entry: what counts as state, what a run and a block before compression have of it, a record in the
     * log; and of the index for a block.
     */
    enum Entry {
        /** Of last-seen: many of a key, so that blocks need separators. */
        SMALL(11.2, 17, 17.2, 96, 44),
        /** Values of 200 bytes that hardly compress. */
        LARGE(210, 215, 225, 270, 12);

        final double stateBytes;
        final double runBytes;
        final double rawBytes;
        final double recordBytes;
        final double indexBytes;

        Entry(double stateBytes, double runBytes, double rawBytes, double recordBytes, double indexBytes) {
            this.stateBytes = stateBytes;
            this.runBytes = runBytes;
            this.rawBytes = rawBytes;
            this.recordBytes = recordBytes;
            this.indexBytes = indexBytes;
        }
    }

    /** Of the log, the records that a flush writes: the others are clean, or being written. */
    private static final double FLUSHED_SHARE = 0.3;

    /** Bytes of an opened run's top, for a page of 4 KB of the index and of the filter. */
    private static final double INDEX_TOP_BYTES = 24;

    private static final double FILTER_TOP_BYTES = 16;
    private static final double PAGE_BYTES = 4096;
    private static final int BLOCK_BYTES = StoreSettings.BLOCK_BYTES;
    private static final double BITS = 8;

    /** Runs of the last level. */
    private static final long MB = 1 << 20;

    private static final long RUN_BYTES_MAX = 64 * MB;
    private static final double READS_MAX = 14;

    private final Entry entry;
    private final long memoryBytes;
    private final double entries;
    private final RunShape shape;
    private final SizedRuns runs;
    private final double pagesBytes;
    private final double flushBytes;
    private double lookups;
    private double presentReads;
    private double absentReads;
    private double residentMax;

    ScaledState(Entry entry, long memoryBytes, int ratio, MemoryPlan plan, DiskSpeed disk) {
        this.entry = entry;
        this.memoryBytes = memoryBytes;
        this.entries = memoryBytes / entry.stateBytes * ratio;
        this.shape = RunShape.decide(
                new RunShape.Measured(
                        (long) entries,
                        entries * entry.rawBytes / BLOCK_BYTES * entry.indexBytes,
                        memoryBytes,
                        BLOCK_BYTES,
                        false),
                RunShape.FIRST,
                disk);
        double scale = (double) memoryBytes / plan.shareBytes();
        this.pagesBytes = plan.pagesBytes() * scale;
        double logShare = Math.max(0.2, 0.9 - plan.pagesBytes() / (double) plan.shareBytes() - 0.03);
        this.flushBytes = memoryBytes * logShare * FLUSHED_SHARE / entry.recordBytes * entry.runBytes;
        this.runs = new SizedRuns(CompactionLimits.of(8, RUN_BYTES_MAX), (long) (entries * entry.runBytes));
    }

    /** So many times the state is flushed; what was counted before is forgotten. */
    void run(double times) {
        runs.forget();
        lookups = 0;
        presentReads = 0;
        absentReads = 0;
        residentMax = 0;
        double credit = 0;
        for (double flushed = 0; flushed < times * entries * entry.runBytes; flushed += flushBytes) {
            runs.flush(flushBytes);
            lookUp();
            credit = Math.min(credit, 0) + READS_MAX * flushBytes;
            SizedRuns.Compaction compaction = runs.pick();
            while (compaction != null && credit > 0) {
                compaction.end().run();
                credit -= compaction.readBytes();
                compaction = runs.pick();
            }
        }
    }

    /**
     * What a lookup of what is there reads on average, and of what is not. Pages that are asked most often for their
     * size are in memory: those of filters, of small runs first, then those of indexes.
     */
    private void lookUp() {
        List<Double> young = runs.young();
        double levelEntries = runs.oldBytes() / entry.runBytes;
        FilterBits.Measured measured = new FilterBits.Measured(
                FilterBits.entriesAtMost(
                        (long) (runs.youngBytes() / entry.runBytes), (long) runs.youngBytes(), (long) runs.dueBytes()),
                FilterBits.roomBytes(
                        (long) pagesBytes, indexBytes(levelEntries + runs.youngBytes() / entry.runBytes), memoryBytes),
                FilterLayout.BITS_TENTHS_MAX,
                FilterLayout.BITS_TENTHS_MIN);
        double left = pagesBytes;
        double tops = 0;
        double[] filters = new double[young.size()];
        for (int run : bySize(young)) {
            double filter = filterBytes(young.get(run), measured);
            filters[run] = filter == 0 ? 0 : Math.min(1, left / filter);
            left -= filters[run] * filter;
            tops += filter * FILTER_TOP_BYTES;
        }
        double[] indexes = new double[young.size()];
        for (int run : bySize(young)) {
            double index = indexBytes(young.get(run) / entry.runBytes);
            indexes[run] = Math.min(1, left / index);
            left -= indexes[run] * index;
            tops += index * INDEX_TOP_BYTES;
        }
        double level = 2 - Math.min(1, left / indexBytes(levelEntries));
        double reached = 1;
        double present = 0;
        double absent = 0;
        for (int i = 0; i < filters.length; i++) {
            double part = i < runs.fresh() ? 1 : runs.inMajorLeft();
            double held = young.get(i) / (entries * entry.runBytes);
            double errors = errors(bits((long) (young.get(i) / entry.runBytes), measured));
            double reads = 2 - indexes[i];
            double passes = errors * filters[i] + 1 - filters[i];
            present += reached * part * (held + (1 - held) * passes) * reads;
            absent += part * passes * reads;
            reached *= 1 - part * held;
        }
        lookups++;
        presentReads += present + reached * level;
        absentReads += absent + level;
        residentMax = Math.max(residentMax, (tops + indexBytes(levelEntries) * INDEX_TOP_BYTES) / PAGE_BYTES);
    }

    private double filterBytes(double runBytes, FilterBits.Measured measured) {
        double runEntries = runBytes / entry.runBytes;
        return runEntries * bits((long) runEntries, measured) / BITS;
    }

    private double indexBytes(double entriesOfRuns) {
        return entriesOfRuns * entry.rawBytes / shape.blockBytes(BLOCK_BYTES) * entry.indexBytes;
    }

    private static List<Integer> bySize(List<Double> young) {
        return IntStream.range(0, young.size())
                .boxed()
                .sorted(Comparator.comparing(young::get))
                .toList();
    }

    private static double bits(long entries, FilterBits.Measured measured) {
        return FilterBits.of(entries, measured).tenths() / 10.0;
    }

    /** How often a filter of so many bits for an entry errs. */
    static double errors(double bits) {
        if (bits == 0) {
            return 1;
        }
        int each = bits >= 7 ? 8 : bits >= 4 ? 4 : 2;
        return Math.pow(1 - Math.exp(-each / bits), each);
    }

    double writeAmplification() {
        return runs.writeAmplification();
    }

    double spaceAmplification() {
        return runs.spaceAmplification();
    }

    double presentReads() {
        return presentReads / lookups;
    }

    double absentReads() {
        return absentReads / lookups;
    }

    /** The most memory that tops of opened runs took, as a part of all. */
    double residentShare() {
        return residentMax / memoryBytes;
    }

    /** What opening all runs reads: the header, the end and the top of each. */
    double openingReads() {
        return 3 * (runs.oldBytes() / RUN_BYTES_MAX + runs.young().size());
    }

    RunShape shape() {
        return shape;
    }
}
