package io.drey.cli.doctor.job;

import java.util.List;
import java.util.Map;

/**
 * A job over some seconds.
 *
 * @param seconds between the two looks that rates come from
 * @param backend "drey", "rocksdb", "hashmap", ..., or "" if the job's configuration does not say
 * @param isBatch whether it ends by itself, and takes no checkpoints
 * @param vertices in the order of the data
 */
public record JobFacts(
        String id,
        String name,
        String state,
        double seconds,
        String backend,
        boolean isBatch,
        List<VertexFacts> vertices,
        CheckpointFacts checkpoints,
        List<ProcessFacts> processes,
        long restarts) {
    /**
     * A task of all its subtasks.
     *
     * @param isSource has no input; {@code isSink} no output, and no input by key: it would have more than a sink
     */
    public record VertexFacts(String id, String name, boolean isSource, boolean isSink, List<SubtaskFacts> subtasks) {
        /** Whether it says how busy it is: sources of Flink's older interface do not. */
        public boolean tellsBusy() {
            return subtasks.stream().noneMatch(subtask -> Double.isNaN(subtask.busy()));
        }

        /** 0 if it does not say. */
        public double busyMax() {
            return subtasks.stream()
                    .mapToDouble(SubtaskFacts::busy)
                    .filter(busy -> !Double.isNaN(busy))
                    .max()
                    .orElse(0);
        }

        public double backPressuredMax() {
            return subtasks.stream()
                    .mapToDouble(SubtaskFacts::backPressured)
                    .max()
                    .orElse(0);
        }

        public double recordsIn() {
            return subtasks.stream().mapToDouble(SubtaskFacts::recordsIn).sum();
        }
    }

    /**
     * A subtask.
     *
     * @param busy part of the time, 0 to 1, NaN if it does not say; {@code backPressured} and {@code idle} alike
     * @param recordsIn a second
     * @param drey metrics of Drey in it, summed over its operators; of ratios the worst
     * @param rates of those that count, a second
     */
    public record SubtaskFacts(
            int index,
            double busy,
            double backPressured,
            double idle,
            double recordsIn,
            Map<String, Double> drey,
            Map<String, Double> rates) {
        double drey(String metric) {
            return drey.getOrDefault(metric, Double.NaN);
        }

        double rate(String metric) {
            return rates.getOrDefault(metric, 0.0);
        }
    }

    /**
     * Checkpoints of the job; of the last completed one the rest. -1: there is none.
     *
     * @param intervalMs -1 if checkpoints are off
     * @param ended the newest ones that were looked at, of which {@code failed} failed
     */
    public record CheckpointFacts(
            long intervalMs,
            long ended,
            long failed,
            long durationMs,
            long syncMsMax,
            long asyncMsMax,
            long alignmentMsMax,
            long stateBytes,
            long writtenBytes) {}

    /** A task manager: parts of the time in garbage collection, and of the heap in use. */
    public record ProcessFacts(String id, double gcShare, double heapShare, double cpuLoad) {}
}
