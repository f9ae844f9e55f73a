package io.drey.cli.demo;

import io.drey.bench.format.Quantity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The report for people. */
public final class ReportText {
    private static final String UNKNOWN = "unknown";

    private ReportText() {}

    /** The lines of the report. */
    public static List<String> lines(DemoReport report) {
        List<String> lines = new ArrayList<>();
        DemoSettings settings = report.settings();
        lines.add("");
        lines.add(settings.work().job().jobName() + " on " + settings.cluster().backend() + ": " + verdict(report));
        lines.add("");
        addRow(lines, "events", events(report.throughput()));
        addRow(lines, "state", state(report));
        addRow(lines, "checkpoints", checkpoints(report.checkpoints()));
        addRecovery(lines, report);
        addRow(lines, "memory", memory(report));
        addResult(lines, report);
        return lines;
    }

    private static String verdict(DemoReport report) {
        if (report.stopped()) {
            return "stopped before the end";
        }
        return report.wrong() ? "THE RESULT IS WRONG" : "the result is exact";
    }

    private static void addRow(List<String> lines, String name, String value) {
        lines.add(String.format("  %-12s %s", name, value));
    }

    private static String events(DemoReport.Throughput throughput) {
        String rate = throughput.eventsPerSecond().isPresent()
                ? Quantity.count(throughput.eventsPerSecond().getAsLong()) + "/s (median of the seconds)"
                : "too short for a rate";
        String of = throughput.events() == throughput.total() ? "" : " of " + Quantity.count(throughput.total());
        return Quantity.count(throughput.events()) + of + " in " + Quantity.duration(throughput.elapsed()) + ", "
                + rate;
    }

    private static String state(DemoReport report) {
        DemoReport.State state = report.state();
        String memory = size(state.memoryBytes());
        return switch (report.settings().cluster().backend()) {
            case hashmap -> "on the heap, of which " + memory + " are in use";
            case drey, rocksdb, forst ->
                size(state.diskBytes()) + " on disk, " + memory + " in memory of "
                        + Quantity.bytes(report.settings().cluster().managedBytes()) + " managed";
        };
    }

    private static String size(OptionalLong bytes) {
        return bytes.isPresent() ? Quantity.bytes(bytes.getAsLong()) : UNKNOWN;
    }

    private static String checkpoints(CheckpointSummary checkpoints) {
        CheckpointSummary.Completed last = checkpoints.last();
        if (last == null) {
            // A savepoint counts as completed, and is not the last checkpoint.
            return "none completed" + failed(checkpoints);
        }
        return checkpoints.completed() + " completed" + failed(checkpoints) + ", "
                + Quantity.duration(checkpoints.average()) + " on average, " + Quantity.duration(checkpoints.longest())
                + " at most; the last: " + Quantity.bytes(last.fullBytes()) + ", of which "
                + Quantity.bytes(last.writtenBytes()) + " were new";
    }

    private static String failed(CheckpointSummary checkpoints) {
        return checkpoints.failed() == 0 ? "" : ", " + checkpoints.failed() + " failed";
    }

    private static void addRecovery(List<String> lines, DemoReport report) {
        DemoSettings settings = report.settings();
        CheckpointSummary.Restored restored = report.checkpoints().restored();
        Long failAfter = settings.work().failAfter();
        Path restore = settings.checkpoints().restore();
        if (restore != null) {
            addRow(lines, "restored", "from " + restore);
        }
        if (report.recovery().failed()) {
            String from = restored == null
                    ? "before the first checkpoint, so that it began again"
                    : "recovered from checkpoint " + restored.id();
            addRow(lines, "recovery", "failed on purpose after " + Quantity.count(failAfter) + " events, " + from);
        } else if (failAfter != null) {
            addRow(lines, "recovery", "nothing failed: fewer than " + Quantity.count(failAfter) + " events");
        }
        if (report.recovery().savepoint() != null) {
            addRow(lines, "to continue", "--restore " + quoted(report.recovery().savepoint()));
        }
    }

    private static String quoted(String path) {
        return path.indexOf(' ') >= 0 ? "'" + path + "'" : path;
    }

    private static String memory(DemoReport report) {
        DemoReport.State state = report.state();
        long managed = report.settings().cluster().managedBytes();
        return size(state.peakResidentBytes()) + " resident at most; heap " + Quantity.bytes(state.heapMaxBytes())
                + " + managed " + Quantity.bytes(managed) + " = " + Quantity.bytes(state.heapMaxBytes() + managed);
    }

    private static void addResult(List<String> lines, DemoReport report) {
        DemoReport.Result result = report.result();
        if (result == null) {
            return;
        }
        addRow(lines, "result", rows(result.found().count, result.found().checksum));
        if (report.wrong()) {
            addRow(
                    lines,
                    "expected",
                    rows(result.expected().count(), result.expected().checksum()));
            addRows(lines, "the first rows expected:", result.expected().first());
        }
        addRows(lines, "the first rows:", result.found().first());
    }

    private static String rows(long count, long checksum) {
        return Quantity.count(count) + " rows, checksum " + String.format("%016x", checksum);
    }

    private static void addRows(List<String> lines, String title, List<String> rows) {
        lines.add("");
        lines.add("  " + title);
        for (String row : rows) {
            lines.add("    " + row);
        }
    }
}
