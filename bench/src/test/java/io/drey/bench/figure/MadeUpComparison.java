package io.drey.bench.figure;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import io.drey.jobs.generate.EventTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A comparison that nobody ran, of three jobs on six contenders in three repetitions on a rationed disk. What reports
 * have to show is all in it: rates from 50 to 500,000, a burst that is used up, a cell that failed, one that was
 * skipped, and a contender with wrong output. The seed decides the noise.
 */
public final class MadeUpComparison {
    public static final String FAILED = "java.lang.OutOfMemoryError: Java heap space <in> \"ListState\" & others";

    private static final Comparison.Disk DISK = new Comparison.Disk(240, 0, 3000, 40_000);
    private static final int SECONDS = 75;
    private static final int WARM_UP = 15;
    private static final long MB = 1 << 20;

    private static final List<String> JOBS = List.of("last-seen", "interval-join", "sample-join");
    private static final List<String> CONTENDERS =
            List.of("drey", "hashmap", "rocksdb-tuned", "rocksdb", "forst", "no-state");

    /** Events/s of each contender, as CONTENDERS, before the burst is used up. */
    private static final Map<String, double[]> RATES = Map.of(
            "last-seen", new double[] {9_000, 410_000, 4_800, 3_900, 3_100, 520_000},
            "interval-join", new double[] {21_000, 19_000, 8_400, 6_900, 5_800, 48_000},
            "sample-join", new double[] {160_000, 210_000, 66_000, 52_000, 41_000, 480_000});

    /** I/Os per event of each contender on the first job. */
    private static final double[] IOS = {0.11, 0, 0.55, 0.7, 0.8, 0};

    private final Random random;
    private final boolean isWell;

    private MadeUpComparison(long seed, boolean isWell) {
        random = new Random(seed);
        this.isWell = isWell;
    }

    /** The whole of it. */
    public static Comparison whole(long seed) {
        return new MadeUpComparison(seed, false).build();
    }

    /** One in which no cell failed and no output is wrong. */
    public static Comparison well(long seed) {
        return new MadeUpComparison(seed, true).build();
    }

    private Comparison build() {
        List<CellResult> cells = new ArrayList<>();
        for (String job : JOBS) {
            for (int repetition = 0; repetition <= 3; repetition++) {
                for (int contender = 0; contender < CONTENDERS.size(); contender++) {
                    boolean stateless = CONTENDERS.get(contender).equals("no-state");
                    if (!(stateless && repetition == 0)) {
                        cells.add(cell(job, contender, repetition));
                    }
                }
            }
        }
        return comparison(cells);
    }

    private static Comparison comparison(List<CellResult> cells) {
        List<Comparison.ContenderInfo> contenders = List.of(
                new Comparison.ContenderInfo(
                        "drey", "Drey", Map.of("state.backend.type", "io.drey.flink.state.DreyStateBackendFactory")),
                new Comparison.ContenderInfo("hashmap", "HashMap", Map.of("state.backend.type", "hashmap")),
                new Comparison.ContenderInfo(
                        "rocksdb-tuned",
                        "RocksDB tuned",
                        new TreeMap<>(Map.of(
                                "state.backend.type",
                                "rocksdb",
                                "state.backend.rocksdb.use-bloom-filter",
                                "true",
                                "state.backend.rocksdb.memory.partitioned-index-filters",
                                "true"))),
                new Comparison.ContenderInfo("rocksdb", "RocksDB", Map.of("state.backend.type", "rocksdb")),
                new Comparison.ContenderInfo("forst", "ForSt", Map.of("state.backend.type", "forst")),
                new Comparison.ContenderInfo("no-state", "No state", Map.of()));
        List<Comparison.JobInfo> jobs = List.of(
                new Comparison.JobInfo(
                        "last-seen",
                        "when each device last sent each type of event",
                        "entries",
                        load("last-seen", false),
                        new Comparison.Scale("last-seen", 5)),
                new Comparison.JobInfo(
                        "interval-join",
                        "Flink's interval join of two streams",
                        "rows",
                        load("interval-join", false),
                        null),
                new Comparison.JobInfo(
                        "sample-join",
                        "three streams collected in one object",
                        "objects",
                        load("sample-join", false),
                        new Comparison.Scale("last-seen", 100)));
        return new Comparison(
                Comparison.FORMAT,
                "2026-11-20T21:04:05Z",
                "2026-11-20T23:44:31Z",
                "complete",
                "drey compare --jobs last-seen,interval-join,sample-join --iops 240 --burst 40000",
                new Comparison.Machine(
                        "Example Processor 9000 @ 3.1 GHz",
                        2,
                        8L << 30,
                        "Linux 6.1.0",
                        "ext4 on a loop device of 8 GB"),
                new TreeMap<>(Map.of("drey", "0.1.0-SNAPSHOT (abc1234)", "flink", "2.3.0", "java", "17.0.15+6")),
                contenders,
                jobs,
                DISK,
                cells,
                List.of(new Comparison.Skipped(
                        "interval-join", "no-state", "Flink's interval join cannot run without state.")));
    }

    private static CellSpec.Load load(String job, boolean stateless) {
        return new CellSpec.Load(job, 42, 2_000_000, "uniform", 100, 4096, stateless);
    }

    private CellResult cell(String job, int contender, int repetition) {
        String name = CONTENDERS.get(contender);
        CellSpec spec = new CellSpec(
                job,
                name,
                repetition,
                load(job, name.equals("no-state")),
                new CellSpec.Time(600_000, WARM_UP * 1_000, (SECONDS - WARM_UP) * 1_000, 5_000),
                new CellSpec.Memory(128 * MB, 512 * MB),
                new CellSpec.Places(
                        "/made-up/local",
                        "/made-up/checkpoints",
                        repetition == 0 ? null : "/made-up/chk-1",
                        null,
                        "loop0"),
                Map.of(),
                List.of());
        boolean fails = !isWell && name.equals("hashmap") && job.equals("interval-join") && repetition == 2;
        List<ProcessSample> samples = samples(job, contender, repetition, fails ? 20 : SECONDS);
        long events = samples.stream().mapToLong(ProcessSample::events).sum();
        return new CellResult(
                spec,
                "drey cell --spec " + spec.id() + ".json",
                fails ? FAILED : null,
                repetition == 0 ? "/made-up/chk-1" : null,
                0,
                events,
                List.of("Source", "Stateful -> Sink"),
                samples,
                name.equals("no-state") ? List.of() : checkpoints(contender, fails ? 20 : SECONDS),
                pauses(contender),
                repetition == 0 ? null : restore(contender, repetition),
                null,
                (long) ((600 + 90 * contender + 10 * random.nextGaussian()) * MB),
                digests(job, name, repetition, events));
    }

    private List<ProcessSample> samples(String job, int contender, int repetition, int seconds) {
        double rate = RATES.get(job)[contender] * (1 + 0.04 * random.nextGaussian());
        boolean rationed = job.equals("last-seen") && IOS[contender] > 0 && repetition > 0;
        double credit = DISK.burstCredits();
        List<ProcessSample> samples = new ArrayList<>();
        double second = 0;
        for (int i = 0; i < seconds; i++) {
            double length = 1 + 0.002 * random.nextGaussian();
            second += length;
            double warm = Math.min(1, 0.3 + i / 8.0);
            double events = rate * warm * (1 + 0.06 * random.nextGaussian()) * (i % 25 == 24 ? 0.6 : 1);
            double ios = 0;
            if (rationed) {
                double allowed = credit > 0 ? DISK.burstIops() : DISK.iops();
                double each = IOS[contender] * (contender > 1 && credit <= 0 ? 8 : 1);
                ios = Math.min(events * each, allowed * (1 + 0.02 * random.nextGaussian()));
                events = Math.min(events, ios / each);
                credit = Math.min(DISK.burstCredits(), credit + DISK.iops() - ios);
            }
            samples.add(sample(second, length, i >= WARM_UP && repetition > 0, events, ios, contender));
        }
        return samples;
    }

    private ProcessSample sample(
            double second, double length, boolean measured, double events, double ios, int contender) {
        Map<String, Double> cpu = new LinkedHashMap<>();
        double busy = Math.min(1, events / 4_000 + 0.1);
        cpu.put("task", busy * (0.95 + 0.05 * random.nextDouble()));
        cpu.put("source", 0.2 * busy);
        cpu.put("background", contender == 0 || contender > 1 ? (0.15 + 0.3 * random.nextDouble()) * busy : 0);
        cpu.put("checkpoint", random.nextInt(5) == 0 ? 0.2 : 0.01);
        cpu.put("gc", contender == 1 ? 0.5 * random.nextDouble() : 0.03);
        cpu.put("jit", 0.5 / (1 + second));
        cpu.put("other", 0.05);
        long reads = Math.round(ios * 0.9);
        long writes = Math.round(ios * 0.1);
        return new ProcessSample(
                second,
                length,
                measured,
                Math.round(events),
                cpu,
                0.02,
                (560 + 90 * contender) * MB,
                (long) ((180 + (second * 13) % 90) * MB),
                (long) (events * (180 + 40 * contender)),
                contender == 1 ? 0 : (long) ((300 + second + 20 * contender) * MB),
                new ProcessSample.Io(reads * 2, reads * 4096, writes * 3, writes * 65_536),
                new ProcessSample.Io(reads, reads * 4096, writes, writes * 65_536),
                contender == 0 ? new ProcessSample.Backend(3 * MB, MB, 2 * MB, 3 * MB) : null);
    }

    private List<CellResult.Checkpoint> checkpoints(int contender, int seconds) {
        List<CellResult.Checkpoint> checkpoints = new ArrayList<>();
        double typical = new double[] {140, 2_400, 700, 900, 1_100, 0}[contender];
        for (int second = 5, id = 2; second < seconds; second += 5, id++) {
            boolean completed = !(contender == 3 && id == 9);
            long duration = Math.round(typical * (0.8 + 0.6 * random.nextDouble()) * (id % 4 == 0 ? 2.2 : 1));
            checkpoints.add(new CellResult.Checkpoint(
                    id,
                    second,
                    second >= WARM_UP,
                    completed,
                    duration,
                    duration / 20,
                    duration - duration / 20,
                    (long) ((4 + contender + 30 * random.nextDouble()) * MB),
                    (310 + second) * MB,
                    completed ? 12 + 14L * contender : -1,
                    completed ? null : "Checkpoint expired before completing"));
        }
        return checkpoints;
    }

    private List<CellResult.Pause> pauses(int contender) {
        List<CellResult.Pause> pauses = new ArrayList<>();
        double every = contender == 1 ? 2 : 7;
        for (double second = 1; second < SECONDS; second += every) {
            pauses.add(
                    new CellResult.Pause(second, (contender == 1 ? 45 : 6) * (0.5 + random.nextDouble()), "G1 Young"));
        }
        return pauses;
    }

    private CellResult.RestoreTimes restore(int contender, int repetition) {
        double first = 900 + 400 * contender + 60 * random.nextDouble();
        return new CellResult.RestoreTimes(first, contender == 4 && repetition == 3 ? -1 : first * 2.5);
    }

    private List<CellResult.DigestBucket> digests(String job, String contender, int repetition, long events) {
        List<CellResult.DigestBucket> digests = new ArrayList<>();
        boolean wrong = !isWell && contender.equals("forst") && job.equals("sample-join") && repetition > 0;
        int from = repetition == 0 ? 0 : 100;
        long buckets = Math.min(60, 3 + events / 5_000);
        for (int i = 0; i < buckets; i++) {
            long sum = new Random(31L * job.hashCode() + from + i).nextLong() + (wrong && i == 2 ? 1 : 0);
            digests.add(new CellResult.DigestBucket(
                    EventTime.of((from + i) * 60_000L), 1_000 + i, String.format(Locale.ROOT, "%016x", sum)));
        }
        return digests;
    }
}
