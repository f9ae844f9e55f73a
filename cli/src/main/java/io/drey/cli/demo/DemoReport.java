package io.drey.cli.demo;

import io.drey.jobs.oracle.Expectation;
import io.drey.jobs.tally.Tally;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * What a run came to.
 *
 * @param result null if the run was stopped before its end
 */
public record DemoReport(
        DemoSettings settings,
        DemoReport.Throughput throughput,
        CheckpointSummary checkpoints,
        DemoReport.State state,
        DemoReport.Recovery recovery,
        DemoReport.Result result) {
    /**
     * How much and how fast.
     *
     * @param events emitted by the source since the job first started
     * @param total what the source emits in a whole run
     * @param eventsPerSecond median of the rates of all seconds; empty if the run was too short
     */
    record Throughput(long events, long total, Duration elapsed, OptionalLong eventsPerSecond) {}

    /** Sizes, each empty if nobody tells. */
    record State(OptionalLong diskBytes, OptionalLong memoryBytes, OptionalLong peakResidentBytes, long heapMaxBytes) {}

    /**
     * Failure and stop.
     *
     * @param failed whether the failure on purpose happened
     * @param savepoint where a stopped job can be continued from: a savepoint or retained checkpoint, or null
     */
    record Recovery(boolean failed, String savepoint) {}

    /** What the job found and what the plain computation expects. */
    record Result(Tally found, Expectation expected) {
        boolean exact() {
            return found.count == expected.count()
                    && found.checksum == expected.checksum()
                    && found.first().equals(expected.first());
        }
    }

    /** Whether the job came to its end with a wrong result. */
    public boolean wrong() {
        return result != null && !result.exact();
    }

    /** Whether the run was stopped before its end. */
    public boolean stopped() {
        return result == null;
    }
}
