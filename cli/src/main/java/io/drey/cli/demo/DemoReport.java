package io.drey.cli.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drey.bench.flink.CheckpointSummary;
import io.drey.jobs.oracle.Expectation;
import io.drey.jobs.tally.Tally;
import java.util.List;
import java.util.Locale;

/**
 * The findings of a run, with the names and values that {@code docs/reference/command-line.md} documents for its JSON.
 *
 * @param events emitted by the source since the job first started
 * @param eventsTotal what the source emits in a whole run
 * @param eventsPerSecondMedian median of the rates of all seconds; null if the run was too short
 * @param result null if the run was stopped before its end
 */
public record DemoReport(
        String job,
        Backend backend,
        Outcome outcome,
        int repeat,
        int parallelism,
        long events,
        long eventsTotal,
        long elapsedMs,
        Long eventsPerSecondMedian,
        CheckpointSummary checkpoints,
        Recovery recovery,
        Memory memory,
        State state,
        Result result) {
    /** One value a line, for people who look into the file too. */
    private static final ObjectWriter WRITER = new JsonMapper()
            .writer(new DefaultPrettyPrinter(
                            Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                    .withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE));

    /** The end of the demo: stopped before its end, or with a result. */
    enum Outcome {
        stopped,
        wrong,
        exact
    }

    /**
     * Failure and stop.
     *
     * @param failAfter events until the failure on purpose, or null
     * @param failed whether it happened
     * @param restoredCheckpoint number of the checkpoint that the job was last restored from, or null
     * @param continueFrom where a stopped job can be continued from: a savepoint or retained checkpoint, or null
     */
    record Recovery(Long failAfter, boolean failed, Long restoredCheckpoint, String continueFrom) {}

    /** Memory of the process, the first null if nobody tells. */
    record Memory(Long peakResidentBytes, long heapMaxBytes, long managedBytes) {}

    /** Sizes of the state, each null if nobody tells. */
    record State(Long diskBytes, Long memoryBytes) {}

    /** The result of the job, and the one that a plain computation expects. */
    record Result(
            long rows,
            String checksum,
            long rowsExpected,
            String checksumExpected,
            List<String> firstRows,
            @JsonIgnore List<String> firstRowsExpected) {
        static Result of(Tally found, Expectation expected) {
            return new Result(
                    found.count,
                    hex(found.checksum),
                    expected.count(),
                    hex(expected.checksum()),
                    List.copyOf(found.first()),
                    expected.first());
        }

        private static String hex(long checksum) {
            return String.format(Locale.ROOT, "%016x", checksum);
        }

        Outcome outcome() {
            boolean exact =
                    rows == rowsExpected && checksum.equals(checksumExpected) && firstRows.equals(firstRowsExpected);
            return exact ? Outcome.exact : Outcome.wrong;
        }
    }

    /** Whether the job came to its end with a wrong result. */
    public boolean wrong() {
        return outcome == Outcome.wrong;
    }

    /** Whether the run was stopped before its end. */
    public boolean stopped() {
        return outcome == Outcome.stopped;
    }

    /** The report for programs. */
    public String json() {
        try {
            return WRITER.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report of texts and numbers cannot be written as JSON", e);
        }
    }
}
