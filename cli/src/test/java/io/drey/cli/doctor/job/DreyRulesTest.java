package io.drey.cli.doctor.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.job.JobFacts.CheckpointFacts;
import io.drey.cli.doctor.job.JobFacts.SubtaskFacts;
import io.drey.cli.doctor.job.JobFacts.VertexFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the metrics of a busy task with state say that it is limited by. */
class DreyRulesTest {
    private static List<Finding> findings(Map<String, Double> drey, Map<String, Double> rates) {
        SubtaskFacts busy = new SubtaskFacts(0, 1, 0, 0, 1000, drey, rates);
        SubtaskFacts source = new SubtaskFacts(0, 0.1, 0, 0, 0, Map.of(), Map.of());
        List<VertexFacts> vertices = List.of(
                new VertexFacts("source", "source", true, false, List.of(source)),
                new VertexFacts("keyed", "keyed", false, true, List.of(busy)));
        CheckpointFacts checkpoints = new CheckpointFacts(1000, 9, 0, 20, 1, 10, 1, 1000, 100, false);
        JobFacts job = new JobFacts(
                "id", "job", "RUNNING", Map.of(), false, 10, "drey", false, vertices, checkpoints, List.of(), 0);
        return Stream.concat(DreyRules.findings(job).stream(), Stream.ofNullable(JobRules.busy(job)))
                .toList();
    }

    private static List<String> rules(Map<String, Double> drey, Map<String, Double> rates) {
        return findings(drey, rates).stream().map(Finding::rule).toList();
    }

    private static Map<String, Double> facts(double hitRatio) {
        return Map.of(
                "blockCacheHitRatio",
                hitRatio,
                "directoryLatencyNanosMax",
                1e6,
                "localBytes",
                10e9,
                "memoryBytesUsed",
                1e8);
    }

    @Test
    void aTaskThatReadsAFastDiskMostOfItsTimeIsNotPassedOver() {
        Map<String, Double> rates = Map.of("foregroundReads", 8000.0, "foregroundReadMillis", 800.0);
        assertThat(rules(facts(0.85), rates)).containsExactly("busy");
        assertThat(rules(facts(0.5), rates)).containsExactly("drey-memory");
    }

    @Test
    void slowReadsOfTheTaskAreTheDisksAndSlowWritesInTheBackgroundAreNot() {
        assertThat(rules(facts(0.9), Map.of("foregroundReads", 1000.0, "foregroundReadMillis", 100.0)))
                .as("an I/O in the background takes 1 ms")
                .containsExactly("busy");
        List<Finding> slow = findings(facts(0.9), Map.of("foregroundReads", 1000.0, "foregroundReadMillis", 500.0));
        assertThat(slow).extracting(Finding::rule).containsExactly("drey-disk");
        assertThat(slow.get(0).evidence()).contains("500 us each: 50 % of its time");
        assertThat(slow.get(0).expectation()).contains("up to 2.00 times");
    }

    @Test
    void aQuietSubtaskDoesNotHideTheOneThatReads() {
        SubtaskFacts quiet = new SubtaskFacts(0, 0.1, 0, 0, 10, facts(0.2), Map.of("foregroundReads", 50.0));
        SubtaskFacts reads = new SubtaskFacts(1, 1, 0, 0, 1000, facts(0.5), Map.of("foregroundReads", 20_000.0));
        VertexFacts vertex = new VertexFacts("keyed", "keyed", false, true, List.of(quiet, reads));
        assertThat(DreyRules.memory(vertex).evidence()).startsWith("subtask 1");
    }

    private static Map<String, Double> with(String metric, double value) {
        Map<String, Double> facts = new HashMap<>(facts(0.5));
        facts.put(metric, value);
        return facts;
    }

    @Test
    void aTaskThatStillReadsItsStateIsNotToldOfItsDiskMemoryOrCompaction() {
        Map<String, Double> rates = Map.of("foregroundReads", 200.0, "foregroundReadMillis", 990.0);
        Map<String, Double> restores = with("restoreBytesLeft", 5e9);
        restores.put("compactionBacklog", 1.0);
        restores.put("youngRuns", 16.0);
        assertThat(rules(restores, rates)).containsExactly("drey-restore");
        restores.put("restoreBytesLeft", 0.0);
        assertThat(rules(restores, rates)).containsExactly("drey-disk", "drey-memory", "drey-compaction");
    }

    @Test
    void stateThatIsAboutToBeInMemoryFits() {
        Map<String, Double> rates = Map.of("foregroundReads", 20_000.0, "foregroundReadMillis", 100.0);
        assertThat(rules(with("memoryFreeBytes", 11e9), rates)).containsExactly("busy");
        assertThat(rules(with("memoryFreeBytes", 9e9), rates)).containsExactly("drey-memory", "busy");
    }

    @Test
    void aReadThatTakesLongerThanTheLookIsOneOfASlowDisk() {
        List<Finding> slow = findings(facts(0.9), Map.of("foregroundReadMillis", 900.0));
        assertThat(slow).extracting(Finding::rule).containsExactly("drey-disk");
        assertThat(slow.get(0).evidence()).startsWith("subtask 0 does 0 reads/s at 9,000,000 us each");
    }

    /** Whatever number of young runs the job's configuration calls many. */
    @Test
    void compactionIsBehindWhenItsTaskIsAboutToWait() {
        assertThat(rules(Map.of("youngRuns", 30.0, "compactionBacklog", 0.5), Map.of()))
                .containsExactly("busy");
        assertThat(rules(Map.of("youngRuns", 7.0, "compactionBacklog", 0.9), Map.of()))
                .containsExactly("drey-compaction", "busy");
    }

    @Test
    void aTaskWaitsForMemoryForAllOfTheTimeAtMost() {
        List<Finding> stalled = findings(facts(0.9), Map.of("stallMillis", 5000.0));
        assertThat(stalled).extracting(Finding::rule).containsExactly("drey-stalls");
        assertThat(stalled.get(0).evidence()).contains("stood 100 % of the time");
        assertThat(findings(facts(0.9), Map.of("stallMillis", 500.0)).get(0).expectation())
                .contains("up to 2.00 times");
    }
}
