package io.drey.cli.doctor.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.cli.doctor.job.JobFacts.CheckpointFacts;
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
        CheckpointFacts checkpoints = new CheckpointFacts(1000, 9, 0, 20, 1, 10, 1, 1000, 100, false);
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
                List.of(),
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
}
