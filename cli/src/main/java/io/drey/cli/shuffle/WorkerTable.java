package io.drey.cli.shuffle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.message.WorkerReport.Load;
import java.util.List;
import java.util.Locale;

/** The workers of a registry, as text or as JSON. */
public final class WorkerTable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private WorkerTable() {}

    public static String text(List<Member> members) {
        StringBuilder out = new StringBuilder();
        for (Member each : members) {
            WorkerReport report = each.report();
            Load load = report.load();
            out.append(String.format(
                    Locale.ROOT,
                    "%s  %s:%d  %s%s, %s%n",
                    report.id(),
                    report.host(),
                    report.port(),
                    lower(each.health()),
                    each.excluded() ? ", excluded: " + each.reason() : "",
                    lower(report.state())));
            out.append(String.format(
                    Locale.ROOT,
                    "  %d partitions, %s in files, %s free; memory %s of %s; %d writers, %d readers; heard %d s ago%n",
                    load.partitions(),
                    megabytes(load.dataBytes()),
                    megabytes(load.freeBytes()),
                    megabytes(load.poolUsedBytes()),
                    megabytes(load.poolBytes()),
                    load.writers(),
                    load.readers(),
                    each.silentMs() / 1000));
        }
        return out.toString();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String megabytes(long bytes) {
        return (bytes >> 20) + " MB";
    }

    public static String json(List<Member> members) throws JsonProcessingException {
        ArrayNode all = JSON.createArrayNode();
        for (Member each : members) {
            WorkerReport report = each.report();
            Load load = report.load();
            ObjectNode node = all.addObject();
            node.put("id", report.id().toString())
                    .put("incarnation", report.incarnation().toString());
            node.put("host", report.host()).put("port", report.port()).put("httpPort", report.httpPort());
            node.put("version", report.software()).put("state", report.state().name());
            node.put("health", each.health().name()).put("silentMs", each.silentMs());
            node.put("excluded", each.excluded()).put("reason", each.reason());
            node.put("freeBytes", load.freeBytes()).put("totalBytes", load.totalBytes());
            node.put("dataBytes", load.dataBytes()).put("partitions", load.partitions());
            node.put("memoryBytes", load.poolBytes()).put("memoryUsedBytes", load.poolUsedBytes());
            node.put("writers", load.writers()).put("readers", load.readers());
        }
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all);
    }

    public static String json(Iterable<String> lines) throws JsonProcessingException {
        ArrayNode all = JSON.createArrayNode();
        lines.forEach(all::add);
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all);
    }
}
