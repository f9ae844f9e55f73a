package io.drey.cli.doctor.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.job.JobFacts.CheckpointFacts;
import io.drey.cli.doctor.job.JobFacts.ProcessFacts;
import io.drey.cli.doctor.job.JobFacts.SubtaskFacts;
import io.drey.cli.doctor.job.JobFacts.VertexFacts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobRulesTest {
    private static VertexFacts vertex(String name, boolean isSource, double busy) {
        SubtaskFacts subtask = new SubtaskFacts(0, busy, 0, 0, isSource ? 0 : 1000, Map.of(), Map.of());
        return new VertexFacts(name, name, isSource, !isSource, List.of(subtask));
    }

    private static VertexFacts end(String name, boolean isSource, Map<String, Double> drey) {
        SubtaskFacts subtask = new SubtaskFacts(0, 1, 0, 0, 1000, drey, Map.of());
        return new VertexFacts(name, name, isSource, true, List.of(subtask));
    }

    private static JobFacts job(VertexFacts... vertices) {
        return job(new CheckpointFacts(1000, 9, 0, 20, 1, 10, 1, 1000, 100, false), List.of(), vertices);
    }

    private static JobFacts job(CheckpointFacts checkpoints, List<ProcessFacts> processes, VertexFacts... vertices) {
        return new JobFacts(
                "id",
                "job",
                "RUNNING",
                Map.of(),
                false,
                10,
                "drey",
                false,
                List.of(vertices),
                checkpoints,
                processes,
                0);
    }

    @Test
    void aBusyTaskWithItsSinkChainedIsToBlameAndNotTheSink() {
        VertexFacts source = vertex("source", true, 0.1);
        VertexFacts keyed = end("process -> sink", false, Map.of("foregroundReads", 0.0));
        assertThat(JobRules.sink(job(source, keyed))).isNull();
        assertThat(JobRules.busy(job(source, keyed)).title()).contains("'process -> sink'");
        VertexFacts all = end("source -> map -> sink", true, Map.of());
        assertThat(JobRules.sink(job(all))).isNull();
        assertThat(JobRules.busy(job(all)).evidence()).isEqualTo("its subtasks are busy 100 % of the time");
        VertexFacts sink = end("sink", false, Map.of());
        assertThat(JobRules.sink(job(source, sink))).isNotNull();
        assertThat(JobRules.busy(job(source, sink))).isNull();
    }

    @Test
    void aSourceThatDoesNotSayHowBusyItIsLeavesTheOthersToBeSeen() {
        JobFacts job = job(vertex("source", true, Double.NaN), vertex("task", false, 0.3));
        assertThat(JobRules.source(job).evidence()).contains("more than 30 %");
        assertThat(job.vertices().get(0).tellsBusy()).isFalse();
        assertThat(job.vertices().get(1).tellsBusy()).isTrue();
    }

    @Test
    void whereAllProcessorsAreInUseTheStorageIsNotBlamedAlone() {
        CheckpointFacts slow = new CheckpointFacts(1000, 9, 0, 1500, 1, 1400, 1, 1000, 100, false);
        ProcessFacts half = new ProcessFacts("half", 0, 0.5, 0.5);
        ProcessFacts full = new ProcessFacts("full", 0, 0.5, 0.95);
        assertThat(JobRules.processors(job(slow, List.of(half)))).isNull();
        assertThat(JobRules.slowCheckpoints(job(slow, List.of(half))).cause()).doesNotContain("processors");
        JobFacts both = job(slow, List.of(half, full));
        assertThat(JobRules.processors(both).evidence()).contains("task manager full uses 95 %");
        assertThat(JobRules.slowCheckpoints(both).cause()).contains("uploads wait for processors");
        assertThat(JobRules.findings(both)).extracting(Finding::rule).contains("processors", "checkpoint-storage");
    }
}
