package io.drey.cli.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The report for programs; its fields are documented in {@code docs/reference/command-line.md}. */
public final class ReportJson {
    /** One value a line, for people who look into the file too. */
    private static final ObjectWriter WRITER = new JsonMapper()
            .writer(new DefaultPrettyPrinter(
                            Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                    .withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE));

    private ReportJson() {}

    /** The report as JSON. */
    public static String of(DemoReport report) {
        DemoSettings settings = report.settings();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("job", settings.work().job().jobName());
        json.put("backend", settings.cluster().backend().name());
        json.put("outcome", report.stopped() ? "stopped" : report.wrong() ? "wrong" : "exact");
        json.put("repeat", settings.work().repeat());
        json.put("parallelism", settings.cluster().parallelism());
        json.put("events", report.throughput().events());
        json.put("eventsTotal", report.throughput().total());
        json.put("elapsedMs", report.throughput().elapsed().toMillis());
        json.put("eventsPerSecondMedian", orNull(report.throughput().eventsPerSecond()));
        json.put("checkpoints", checkpoints(report.checkpoints()));
        json.put("recovery", recovery(report));
        json.put("memory", memory(report));
        json.put("state", state(report.state()));
        json.put("result", result(report.result()));
        try {
            return WRITER.writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report of maps, texts and numbers cannot be written as JSON", e);
        }
    }

    private static Map<String, Object> checkpoints(CheckpointSummary checkpoints) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("completed", checkpoints.completed());
        json.put("failed", checkpoints.failed());
        json.put("durationAvgMs", checkpoints.average().toMillis());
        json.put("durationMaxMs", checkpoints.longest().toMillis());
        CheckpointSummary.Completed last = checkpoints.last();
        if (last != null) {
            Map<String, Object> inner = new LinkedHashMap<>();
            inner.put("id", last.id());
            inner.put("durationMs", last.duration().toMillis());
            inner.put("writtenBytes", last.writtenBytes());
            inner.put("fullBytes", last.fullBytes());
            json.put("last", inner);
        }
        return json;
    }

    private static Map<String, Object> recovery(DemoReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        CheckpointSummary.Restored restored = report.checkpoints().restored();
        json.put("failAfter", report.settings().work().failAfter());
        json.put("failed", report.recovery().failed());
        json.put("restoredCheckpoint", restored == null ? null : restored.id());
        json.put("continueFrom", report.recovery().savepoint());
        return json;
    }

    private static Map<String, Object> memory(DemoReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("peakResidentBytes", orNull(report.state().peakResidentBytes()));
        json.put("heapMaxBytes", report.state().heapMaxBytes());
        json.put("managedBytes", report.settings().cluster().managedBytes());
        return json;
    }

    private static Map<String, Object> state(DemoReport.State state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("diskBytes", orNull(state.diskBytes()));
        json.put("memoryBytes", orNull(state.memoryBytes()));
        return json;
    }

    private static Map<String, Object> result(DemoReport.Result result) {
        if (result == null) {
            return null;
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rows", result.found().count);
        json.put("checksum", hex(result.found().checksum));
        json.put("rowsExpected", result.expected().count());
        json.put("checksumExpected", hex(result.expected().checksum()));
        json.put("firstRows", List.copyOf(result.found().first()));
        return json;
    }

    private static String hex(long checksum) {
        return String.format("%016x", checksum);
    }

    private static Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}
