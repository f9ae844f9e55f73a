package io.drey.cli.compare;

import io.drey.bench.plan.CompareSettings;
import io.drey.bench.result.CellSpec;
import io.drey.bench.run.MachineFacts;
import io.drey.cli.format.BytesConverter;
import io.drey.cli.format.DurationConverter;
import io.drey.cli.terminal.WrongValue;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of every cell of a comparison, on the command line. */
public final class CellOptions {
    private static final long MANAGED_BYTES_MIN = 4L << 20;
    private static final long MEGABYTE = 1 << 20;
    private static final long HEAP_BYTES_MIN = 256L << 20;

    @Option(
            names = "--managed-memory",
            paramLabel = "SIZE",
            converter = BytesConverter.class,
            description = "Memory of the state backend; the jobs' state grows with it. Default: 128m, quick 16m.")
    private Long managedBytes;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Cut off before measuring. Default: 10s, quick 3s.")
    private Duration warmUp;

    @Option(
            names = "--measure",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Measured. Default: 60s, quick 4s.")
    private Duration measure;

    @Option(
            names = "--fill-max",
            defaultValue = "60min",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "A contender that needs longer to fill its state is left out. Default: ${DEFAULT-VALUE}.")
    private Duration fillMax;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Between checkpoints. Default: 10s, quick 2s.")
    private Duration checkpointInterval;

    @Option(
            names = "--heap",
            defaultValue = "1g",
            paramLabel = "SIZE",
            converter = BytesConverter.class,
            description = "Heap of contenders that keep their state elsewhere. Default: ${DEFAULT-VALUE}.")
    private long heapBytes;

    @Option(
            names = "--heap-of-heap-state",
            paramLabel = "SIZE",
            converter = BytesConverter.class,
            description = "Heap of contenders that keep their state on it. Default: half of the machine's memory, "
                    + "at most 12g.")
    private Long heapStateBytes;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "Of everything random. Default: ${DEFAULT-VALUE}.")
    private long seed;

    private static final long MANAGED_BYTES = 128L << 20;
    private static final long MANAGED_BYTES_QUICK = 16L << 20;
    private static final long HEAP_STATE_BYTES_MAX = 12L << 30;
    private static final long SHORTEST_MS = 100;
    private static final long MEASURE_MS_MIN = 1_000;

    /** The times, with what is usual for such a run where the user said nothing. */
    public CellSpec.Time time(boolean quick) {
        return new CellSpec.Time(
                fillMax.toMillis(),
                millis(warmUp, quick ? 3 : 10),
                millis(measure, quick ? 4 : 60),
                millis(checkpointInterval, quick ? 2 : 10));
    }

    private static long millis(Duration chosen, long seconds) {
        return chosen == null ? Duration.ofSeconds(seconds).toMillis() : chosen.toMillis();
    }

    public CompareSettings.Memory memory(boolean quick) {
        long usual = quick ? MANAGED_BYTES_QUICK : MANAGED_BYTES;
        return new CompareSettings.Memory(
                managedBytes == null ? usual : managedBytes,
                heapBytes,
                heapStateBytes == null ? heapStateDefault() : heapStateBytes);
    }

    private long heapStateDefault() {
        long machine = MachineFacts.memoryBytes();
        return machine < 0 ? heapBytes : Math.max(heapBytes, Math.min(machine / 2 & -MEGABYTE, HEAP_STATE_BYTES_MAX));
    }

    public long seed() {
        return seed;
    }

    /** What is wrong with a value, in a sentence, or null. */
    public String wrong(CommandSpec spec) {
        return WrongValue.first(
                atLeast(spec, "--fill-max", fillMax, SHORTEST_MS, "100ms"),
                atLeast(spec, "--measure", measure, MEASURE_MS_MIN, "1s"),
                atLeast(spec, "--checkpoint-interval", checkpointInterval, SHORTEST_MS, "100ms"),
                atLeast(spec, "--managed-memory", managedBytes, MANAGED_BYTES_MIN, "4m"),
                atLeast(spec, "--heap", heapBytes, HEAP_BYTES_MIN, "256m"),
                atLeast(spec, "--heap-of-heap-state", heapStateBytes, HEAP_BYTES_MIN, "256m"));
    }

    private static String atLeast(CommandSpec spec, String option, Duration found, long minMs, String min) {
        return WrongValue.unless(found == null || found.toMillis() >= minMs, option, "at least " + min, spec);
    }

    private static String atLeast(CommandSpec spec, String option, Long found, long min, String text) {
        return WrongValue.unless(found == null || found >= min, option, "at least " + text, spec);
    }
}
