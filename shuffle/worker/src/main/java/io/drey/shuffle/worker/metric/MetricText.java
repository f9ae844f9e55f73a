package io.drey.shuffle.worker.metric;

/** Metrics in the text format of Prometheus. */
public final class MetricText {
    private static final String PREFIX = "drey_shuffle_";

    private final StringBuilder out = new StringBuilder();
    private String last = "";

    /** A value that goes up and down. */
    public MetricText gauge(String name, String label, String value, long number) {
        return add(name, "gauge", label, value, number);
    }

    public MetricText gauge(String name, long number) {
        return add(name, "gauge", "", "", number);
    }

    /** A number that only grows until the worker ends; its name ends in {@code _total}. */
    public MetricText counter(String name, String label, String value, long number) {
        return add(name, "counter", label, value, number);
    }

    private MetricText add(String name, String kind, String label, String value, long number) {
        if (!name.equals(last)) {
            out.append("# TYPE ")
                    .append(PREFIX)
                    .append(name)
                    .append(' ')
                    .append(kind)
                    .append('\n');
            last = name;
        }
        out.append(PREFIX).append(name);
        if (!label.isEmpty()) {
            String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            out.append('{').append(label).append("=\"").append(escaped).append("\"}");
        }
        out.append(' ').append(number).append('\n');
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
