package io.drey.flink.state.options;

/** How many metrics a backend has: the value of {@code state.backend.drey.metrics}. */
public enum MetricLevel {
    OFF,
    /** The few that explain most incidents. */
    BASIC,
    /** All of them, also of each state. */
    FULL
}
