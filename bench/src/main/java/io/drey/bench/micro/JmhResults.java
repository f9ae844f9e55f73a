package io.drey.bench.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.bench.figure.Statistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads the JSON that JMH writes. A benchmark's parameter {@value #CONTENDER} is what was measured, its others are
 * sizes, and the results that differ in the contender only become one row. Scores are medians over iterations: where
 * others use the machine too, a mean says more of them.
 */
final class JmhResults {
    private static final String CONTENDER = "contender";

    /**
     * JMH's name of benchmarks that run once in an iteration, so that preparations are in what it counts of the heap.
     */
    private static final String SINGLE_SHOT = "ss";

    private record RowKey(String group, String operation, Map<String, String> sizes) {}

    private JmhResults() {}

    /**
     * The rows in the order in which their first benchmark ran.
     *
     * @throws IOException if the file cannot be read or is no such result; the message says which file and what is
     *     wrong
     */
    static List<MicroRow> read(Path file) throws IOException {
        Map<RowKey, Map<String, MicroScore>> scores = new LinkedHashMap<>();
        JsonNode results = new ObjectMapper().readTree(Files.readString(file));
        if (!results.isArray()) {
            throw new IOException(file + " is no result of JMH: expected an array, found "
                    + results.getNodeType().name().toLowerCase(Locale.ROOT));
        }
        for (JsonNode result : results) {
            String contender = text(file, result.path("params"), CONTENDER);
            scores.computeIfAbsent(key(file, result), row -> new LinkedHashMap<>())
                    .put(contender, score(file, result));
        }
        List<MicroRow> rows = new ArrayList<>();
        scores.forEach(
                (row, byContender) -> rows.add(new MicroRow(row.group(), row.operation(), row.sizes(), byContender)));
        return rows;
    }

    private static RowKey key(Path file, JsonNode result) throws IOException {
        String[] name = text(file, result, "benchmark").split("\\.");
        Map<String, String> sizes = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> param : result.path("params").properties()) {
            if (!param.getKey().equals(CONTENDER)) {
                sizes.put(param.getKey(), param.getValue().asText());
            }
        }
        return new RowKey(name[Math.max(0, name.length - 2)], name[name.length - 1], sizes);
    }

    private static String text(Path file, JsonNode node, String field) throws IOException {
        if (!node.path(field).isTextual()) {
            throw new IOException(file + " has a result without a " + field + ": " + node);
        }
        return node.path(field).asText();
    }

    private static MicroScore score(Path file, JsonNode result) throws IOException {
        JsonNode primary = result.path("primaryMetric");
        double nanos = median(primary) * nanos(file, text(file, primary, "scoreUnit"));
        boolean prepares = text(file, result, "mode").equals(SINGLE_SHOT);
        JsonNode others = result.path("secondaryMetrics");
        return new MicroScore(
                nanos,
                median(others.path("meter.cpu")),
                median(others.path(prepares ? "meter.heap" : "gc.alloc.rate.norm")),
                median(others.path("meter.reads")));
    }

    private static double nanos(Path file, String unit) throws IOException {
        return switch (unit) {
            case "ns/op" -> 1;
            case "us/op" -> 1e3;
            case "ms/op" -> 1e6;
            case "s/op" -> 1e9;
            default -> throw new IOException(file + " has scores in '" + unit + "', expected a time an operation");
        };
    }

    /** Over the iterations of all forks; -1 if there is none. */
    private static double median(JsonNode metric) {
        List<Double> values = new ArrayList<>();
        for (JsonNode fork : metric.path("rawData")) {
            fork.forEach(value -> values.add(value.asDouble()));
        }
        return values.isEmpty() ? -1 : Statistics.median(values);
    }
}
