package io.drey.cli.doctor.job;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A job over some seconds.
 *
 * @param tasks how many subtasks are in which state, at that end of the look at which fewer ran
 * @param startedAgain whether that happened during the look
 * @param seconds between the two looks that rates come from
 * @param backend "drey", "rocksdb", "hashmap", ..., or "" if the job's configuration does not say
 * @param isBatch whether it ends by itself, and takes no checkpoints
 * @param vertices in the order of the data
 */
public record JobFacts(
        String id,
        String name,
        String state,
        Map<String, Integer> tasks,
        boolean startedAgain,
        double seconds,
        String backend,
        boolean isBatch,
        List<VertexFacts> vertices,
        CheckpointFacts checkpoints,
        List<ProcessFacts> processes,
        long restarts) {
    static final String RUNNING = "RUNNING";

    /** States of subtasks that work, or have done all of their work. */
    static final Set<String> WORK = Set.of(RUNNING, "FINISHED");

    /** Whether its tasks ran for the whole look: else their metrics do not say what limits the job. */
    boolean works() {
        // Tasks of a batch job wait for those before them.
        boolean areRunning = isBatch ? tasks.isEmpty() || tasks.containsKey(RUNNING) : running(tasks) == all(tasks);
        return state.equals(RUNNING) && areRunning && !startedAgain;
    }

    static int all(Map<String, Integer> tasks) {
        return tasks.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** How many run, or have ended as they should. */
    static int running(Map<String, Integer> tasks) {
        return WORK.stream().mapToInt(state -> tasks.getOrDefault(state, 0)).sum();
    }

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
     * @param changelog whether Flink's changelog is on
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
            long writtenBytes,
            boolean changelog) {}

    /** A task manager: parts of the time in garbage collection, of the heap in use, and of its processors in use. */
    public record ProcessFacts(String id, double gcShare, double heapShare, double cpuLoad) {}
}
