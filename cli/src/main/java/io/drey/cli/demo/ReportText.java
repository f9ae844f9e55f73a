package io.drey.cli.demo;

import io.drey.bench.flink.CheckpointSummary;
import io.drey.bench.format.Quantity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** The report for people. */
public final class ReportText {
    private final DemoReport report;
    private final List<String> lines = new ArrayList<>();

    private ReportText(DemoReport report) {
        this.report = report;
    }

    /**
     * The lines of the report.
     *
     * @param restore what the run was started from, or null
     * @param command makes the command that starts from a path
     */
    public static List<String> lines(DemoReport report, Path restore, UnaryOperator<String> command) {
        ReportText text = new ReportText(report);
        text.write(restore);
        if (report.recovery().continueFrom() != null) {
            text.lines.add("");
            text.lines.add("To continue:");
            text.lines.add(command.apply(report.recovery().continueFrom()));
        }
        return text.lines;
    }

    private void write(Path restore) {
        lines.add("");
        lines.add(report.job() + " on " + report.backend() + ": " + verdict());
        lines.add("");
        addRow("events", events());
        addRow("state", state());
        addRow("checkpoints", checkpoints());
        if (restore != null) {
            addRow("restored", "from " + restore);
        }
        addRecovery();
        addRow("memory", memory());
        if (report.result() != null) {
            addResult(report.result());
        }
    }

    private String verdict() {
        return switch (report.outcome()) {
            case stopped -> "stopped before the end";
            case wrong -> "THE RESULT IS WRONG";
            case exact -> "the result is exact";
        };
    }

    private void addRow(String name, String value) {
        lines.add(String.format(Locale.ROOT, "  %-12s %s", name, value));
    }

    private String events() {
        String rate = report.eventsPerSecondMedian() == null
                ? "too short for a rate"
                : Quantity.count(report.eventsPerSecondMedian()) + "/s (median of the seconds)";
        String of = report.events() == report.eventsTotal() ? "" : " of " + Quantity.count(report.eventsTotal());
        return Quantity.count(report.events()) + of + " in " + Quantity.millis(report.elapsedMs()) + ", " + rate;
    }

    private String state() {
        String memory = size(report.state().memoryBytes());
        return switch (report.backend()) {
            case hashmap -> "on the heap, of which " + memory + " are in use";
            case drey, rocksdb, forst ->
                size(report.state().diskBytes()) + " on disk, " + memory + " in memory of "
                        + Quantity.size(report.memory().managedBytes()) + " managed";
        };
    }

    private static String size(Long bytes) {
        return bytes == null ? "unknown" : Quantity.size(bytes);
    }

    private String checkpoints() {
        CheckpointSummary checkpoints = report.checkpoints();
        CheckpointSummary.Completed last = checkpoints.last();
        String failed = checkpoints.failed() == 0 ? "" : ", " + checkpoints.failed() + " failed";
        if (last == null) {
            // A savepoint counts as completed, and is not the last checkpoint.
            return "none completed" + failed;
        }
        return checkpoints.completed() + " completed" + failed + ", " + Quantity.millis(checkpoints.durationAvgMs())
                + " on average, " + Quantity.millis(checkpoints.durationMaxMs()) + " at most; the last: "
                + Quantity.size(last.fullBytes()) + ", of which " + Quantity.size(last.writtenBytes()) + " were new";
    }

    private void addRecovery() {
        DemoReport.Recovery recovery = report.recovery();
        if (recovery.failed()) {
            String from = recovery.restoredCheckpoint() == null
                    ? "before the first checkpoint, so that it began again"
                    : "recovered from checkpoint " + recovery.restoredCheckpoint();
            addRow("recovery", "failed on purpose after " + Quantity.count(recovery.failAfter()) + " events, " + from);
        } else if (recovery.failAfter() != null) {
            addRow("recovery", "nothing failed: fewer than " + Quantity.count(recovery.failAfter()) + " events");
        }
    }

    private String memory() {
        DemoReport.Memory memory = report.memory();
        return size(memory.peakResidentBytes()) + " resident at most; heap " + Quantity.size(memory.heapMaxBytes())
                + " + managed " + Quantity.size(memory.managedBytes()) + " = "
                + Quantity.size(memory.heapMaxBytes() + memory.managedBytes());
    }

    private void addResult(DemoReport.Result result) {
        addRow("result", Quantity.count(result.rows()) + " rows, checksum " + result.checksum());
        if (report.wrong()) {
            addRow("expected", Quantity.count(result.rowsExpected()) + " rows, checksum " + result.checksumExpected());
            addRows("the first rows expected:", result.firstRowsExpected());
        }
        addRows("the first rows:", result.firstRows());
    }

    private void addRows(String title, List<String> rows) {
        lines.add("");
        lines.add("  " + title);
        rows.forEach(row -> lines.add("    " + row));
    }
}
