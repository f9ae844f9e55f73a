package io.drey.bench.shuffle;

import io.drey.bench.result.ShuffleComparison;
import java.io.IOException;
import java.nio.file.Path;

/** A job, or several one after the other, that a comparison of shuffle services runs on each of them in turn. */
interface ShuffleLoad {
    /** On the command line. */
    String text();

    /** What it shows, and how large it is. */
    ShuffleComparison.Job facts(boolean quick);

    /** Slots that a cluster needs for it, of all task managers. */
    int slots(boolean quick);

    /** Runs of each contender that are not measured, before those that are. */
    int warmUps(boolean quick);

    /** Makes what all runs read. */
    default void prepare(Path input, boolean quick) throws IOException {}

    /**
     * Runs to the end, or until its thread is interrupted.
     *
     * @throws Exception whatever Flink throws: it is this run's result
     */
    Outcome run(FlinkProcesses cluster, boolean quick, Surroundings surroundings) throws Exception;

    /**
     * The result of a run.
     *
     * @param seconds it took
     * @param rows that arrived
     * @param digest of these, whatever their order
     */
    record Outcome(double seconds, long rows, String digest) {}

    /** Where a run takes place. */
    interface Surroundings {
        /** A directory for the load, with what was prepared. */
        Path input();

        /** On a limited disk all reads reach it from now on. */
        void forgetWritten() throws IOException;
    }
}
