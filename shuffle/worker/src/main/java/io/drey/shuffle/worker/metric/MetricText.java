package io.drey.shuffle.worker.metric;

import java.util.List;

/** Metrics in the text format of Prometheus. */
final class MetricText {
    private static final String PREFIX = "drey_shuffle_";

    private MetricText() {}

    /** Those of one name follow each other. */
    static String of(List<Metric> metrics) {
        StringBuilder out = new StringBuilder();
        String last = "";
        for (Metric each : metrics) {
            String name = PREFIX + each.name();
            if (!name.equals(last)) {
                String kind = each.isCounter() ? "counter" : "gauge";
                out.append("# TYPE ").append(name).append(' ').append(kind).append('\n');
                last = name;
            }
            out.append(name);
            if (!each.directory().isEmpty()) {
                String escaped = each.directory()
                        .replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n");
                out.append("{directory=\"").append(escaped).append("\"}");
            }
            out.append(' ').append(each.value()).append('\n');
        }
        return out.toString();
    }
}
