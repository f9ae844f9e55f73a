package io.drey.bench.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.contender.Contender;
import io.drey.bench.contender.Contenders;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellResult.DigestBucket;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.ProcessSample;
import io.drey.jobs.digest.DigestBoard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small cells in real processes. */
class CellProcessIT {
    private static final long MB = 1L << 20;
    private static final long SEED = 7;
    private static final int ALIVE = 50_000;

    private final Contenders contenders = new Contenders(64 * MB);
    private final Set<String> phases = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path directory;

    /** One test, so that all of it is compared with one cell of the heap backend. */
    @Test
    void contendersAgreeUnlessOneLosesUpdates() throws Exception {
        CellResult hashmap = fillAndMeasure("hashmap");
        CellResult drey = fillAndMeasure("drey");
        CellResult wrong = run(contenders.parse("wrong=" + ForgetfulBackendFactory.class.getName()), 1, null);

        assertThat(differences(hashmap, drey)).isEmpty();
        assertThat(wrong.error()).isNull();
        assertThat(differences(hashmap, wrong)).isNotEmpty();
        assertThat(phases).contains("start", "fill", "restore", "measure");
        assertThat(lastLocalBytes(drey)).isPositive();

        CellResult taken = run(contenders.parse("taker=hashmap"), 0, savepointOfFill("drey"));
        assertThat(taken.error()).isNull();
        CellResult takenOver = run(contenders.parse("taker=hashmap"), 1, taken.checkpoint());
        assertThat(differences(drey, takenOver)).isEmpty();
    }

    private String savepointOfFill(String contender) throws IOException {
        try (Stream<Path> found = Files.list(savepoints(contender))) {
            return found.findFirst().orElseThrow().toString();
        }
    }

    private Path savepoints(String contender) {
        return directory.resolve("savepoints-" + contender);
    }

    private CellResult fillAndMeasure(String name) throws Exception {
        Contender contender = contenders.parse(name);
        CellResult fill = run(contender, 0, null);
        assertThat(fill.error()).isNull();
        assertThat(fill.checkpoint()).isNotNull();
        assertThat(Path.of(fill.checkpoint(), "_metadata")).exists();
        assertThat(fill.restore()).isNull();
        // However fast it is, it stops in the bucket in which the state has its size.
        assertThat(fill.lastEvent()).isBetween(ALIVE / 100L, DigestBoard.BUCKET_MS);

        CellResult measured = run(contender, 1, fill.checkpoint());
        assertThat(measured.error()).isNull();
        assertThat(measured.firstEvent()).isGreaterThanOrEqualTo(ALIVE / 100);
        assertThat(measured.lastEvent()).isGreaterThan(measured.firstEvent());
        assertThat(measured.restore().firstEventMs()).isPositive();
        // The checkpoint that others start from as well is still there.
        assertThat(Path.of(fill.checkpoint(), "_metadata")).exists();
        assertFigures(measured);
        return measured;
    }

    private static void assertFigures(CellResult result) {
        assertThat(result.command()).contains("CellMain");
        assertThat(result.vertices()).hasSize(2).anyMatch(vertex -> vertex.startsWith("Source: "));
        assertThat(result.samples()).anyMatch(ProcessSample::measured);
        double cpu = 0;
        long events = 0;
        double second = 0;
        for (ProcessSample sample : result.samples()) {
            assertThat(sample.second()).isGreaterThan(second);
            second = sample.second();
            assertThat(sample.length()).isPositive();
            assertThat(sample.heapBytes()).isPositive();
            assertThat(sample.allocatedBytes()).isPositive();
            assertThat(sample.events()).isNotNegative();
            events += sample.events();
            cpu += sample.cpu().getOrDefault("task", 0.0);
        }
        assertThat(events).isPositive();
        assertThat(result.checkpoints()).isNotEmpty().allMatch(CellResult.Checkpoint::completed);
        CellResult.Checkpoint last =
                result.checkpoints().get(result.checkpoints().size() - 1);
        assertThat(last.durationMs()).isPositive();
        assertThat(last.fullBytes()).isPositive();
        assertThat(result.checkpoints().get(0).measured()).isFalse();
        assertThat(result.checkpoints()).anyMatch(checkpoint -> checkpoint.files() > 0);
        if (Files.isDirectory(Path.of("/proc/self"))) {
            assertThat(cpu).isPositive();
            assertThat(result.peakResidentBytes()).isGreaterThan(100 * MB);
        }
    }

    private static long lastLocalBytes(CellResult result) {
        return result.samples().get(result.samples().size() - 1).localBytes();
    }

    @Test
    void aFailureIsASentence() throws Exception {
        CellResult unknown = run(contenders.parse("unknown=org.example.NoSuchFactory"), 1, null);

        assertThat(unknown.error()).contains("NoSuchFactory").endsWith(".");

        CellSpec spec = spec(contenders.parse("hashmap"), 1, null);
        CellSpec.Memory tooSmall = new CellSpec.Memory(64 * MB, MB);
        CellResult noMachine = run(new CellSpec(
                spec.job(),
                spec.contender(),
                1,
                spec.load(),
                spec.time(),
                tooSmall,
                spec.places(),
                spec.configuration(),
                spec.jars()));

        assertThat(noMachine.error())
                .startsWith("The process of the cell ended with status")
                .contains("heap");
    }

    @Test
    void checkpointsThatFlinkFailsAreToldWithItsReason() throws Exception {
        CellResult result = run(
                contenders.parse("hasty=hashmap;fs.slow.latency=1s;execution.checkpointing.timeout=100ms"), 1, null);

        assertThat(result.error()).isNull();
        assertThat(result.checkpoints())
                .isNotEmpty()
                .noneMatch(CellResult.Checkpoint::completed)
                .anyMatch(checkpoint -> "Checkpoint expired before completing".equals(checkpoint.failure()));
    }

    /** It opens and finishes two files, the state's and its own, which is longer than between two samples. */
    @Test
    void aSlowLastCheckpointIsNoTimeOfFilling() throws Exception {
        CellResult fill = run(contenders.parse("slow=hashmap;fs.slow.latency=700ms"), 0, null);

        assertThat(fill.error()).isNull();
        assertThat(fill.checkpoint()).isNotNull();
        assertThat(fill.samples().get(fill.samples().size() - 1).events())
                .as("the last sample ends with the source, and not with its checkpoint")
                .isPositive();
    }

    @Test
    void anInterruptedCellLeavesNoProcess() throws Exception {
        Path place = directory.resolve("interrupted");
        CellProcess process = CellProcess.start(
                spec(contenders.parse("hashmap"), 1, null), place, List.of(), moment -> phases.add(moment.phase()));
        assertThat(process.alive()).isTrue();

        process.close();

        assertThat(process.alive()).isFalse();
        assertThat(process.await().error()).contains("was killed");
        assertThat(place.resolve(CellMain.TEMPORARY)).doesNotExist();
    }

    private CellResult run(Contender contender, int repetition, String restore) throws Exception {
        return run(spec(contender, repetition, restore));
    }

    private CellResult run(CellSpec spec) throws IOException, InterruptedException {
        Path place = directory.resolve(spec.contender() + spec.repetition());
        try (CellProcess process = CellProcess.start(spec, place, List.of(), moment -> phases.add(moment.phase()))) {
            return process.await();
        }
    }

    private CellSpec spec(Contender contender, int repetition, String restore) {
        Path places = directory.resolve("places-" + contender.name() + "-" + repetition);
        return new CellSpec(
                "last-seen",
                contender.name(),
                repetition,
                new CellSpec.Load("last-seen", SEED, ALIVE, "uniform", 0, 0, false),
                new CellSpec.Time(120_000, 1000, 2000, 500),
                new CellSpec.Memory(64 * MB, 256 * MB),
                new CellSpec.Places(
                        places.resolve("local").toString(),
                        places.resolve("checkpoints").toString(),
                        restore,
                        repetition == 0 && restore == null
                                ? savepoints(contender.name()).toString()
                                : null,
                        null),
                contender.options(),
                contender.jars());
    }

    /** Begins of the buckets that both have and that differ; both have some. */
    private static Set<Long> differences(CellResult a, CellResult b) {
        Map<Long, DigestBucket> ofA = byStart(a.digests());
        Map<Long, DigestBucket> ofB = byStart(b.digests());
        Set<Long> common = new HashSet<>(ofA.keySet());
        common.retainAll(ofB.keySet());
        assertThat(common).isNotEmpty();
        common.removeIf(start -> ofA.get(start).equals(ofB.get(start)));
        return common;
    }

    private static Map<Long, DigestBucket> byStart(List<DigestBucket> digests) {
        Map<Long, DigestBucket> map = new HashMap<>();
        for (DigestBucket digest : digests) {
            map.put(digest.start(), digest);
        }
        return map;
    }
}
