package io.drey.cli.demo;

import io.drey.jobs.FlightJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** What the user chose for a run, in three parts. */
public record DemoSettings(DemoSettings.Work work, DemoSettings.Cluster cluster, DemoSettings.Checkpoints checkpoints) {
    /**
     * What is computed.
     *
     * @param input directory of the data set, or null for the built-in one
     * @param output directory for the rows, or null
     * @param failAfter events until the failure on purpose, or null
     * @param stopAfter events until the job is stopped with a savepoint, or null
     */
    public record Work(FlightJob job, Path input, int repeat, Path output, Long failAfter, Long stopAfter) {}

    /**
     * What it runs on.
     *
     * @param webUiPort port of the web UI, 0 for any, or null if it was not asked for
     * @param options further options of Flink's configuration
     */
    public record Cluster(
            Backend backend,
            int parallelism,
            long managedBytes,
            Integer webUiPort,
            Map<String, String> options,
            Path workDirectory) {}

    /**
     * Where checkpoints go and come from.
     *
     * @param directory null for one in the working directory
     * @param restore a checkpoint or savepoint to start from, or null
     */
    public record Checkpoints(Duration interval, Path directory, Path restore) {}
}
