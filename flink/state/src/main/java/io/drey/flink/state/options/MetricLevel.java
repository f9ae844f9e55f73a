package io.drey.flink.state.options;

/** The number of metrics of a backend: the value of {@code state.backend.drey.metrics}. */
public enum MetricLevel {
    OFF,
    /** The few that explain most incidents. */
    BASIC,
    /** All of them, also of each state. */
    FULL
}
