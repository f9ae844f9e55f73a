package io.drey.flink.state.combined;

import io.drey.flink.state.DreyStateBackendFactory;
import io.drey.flink.state.options.DreyOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;

/** Any combination of Flink's options that say how checkpoints are made, kept and restored. */
final class CombinedOptions {
    private static final int MANAGED_MB = 32;
    private static final int RESTARTS_MAX = 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Checkpoints at such an interval are prepared before their barriers. */
    private static final Duration PREPARED_INTERVAL = Duration.ofMillis(2600);

    private static final int[] INLINE_BYTES = {0, 1_000, 20_000, 1 << 20};

    private CombinedOptions() {}

    static Configuration any(SplittableRandom random, Path directory) {
        Configuration c = new Configuration();
        c.set(RestOptions.BIND_PORT, "0");
        c.set(StateBackendOptions.STATE_BACKEND, DreyStateBackendFactory.class.getName());
        c.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(MANAGED_MB));
        c.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        c.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, RESTARTS_MAX);
        c.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        places(c, random, directory);
        checkpoints(c, random);
        merging(c, random);
        recovery(c, random);
        return c;
    }

    private static void places(Configuration c, SplittableRandom random, Path directory) {
        boolean inJobManager = random.nextInt(12) == 0;
        c.set(CheckpointingOptions.CHECKPOINT_STORAGE, inJobManager ? "jobmanager" : "filesystem");
        Path checkpoints = directory.resolve("checkpoints" + random.nextInt(2));
        c.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
        Path savepoints = directory.resolve("savepoints");
        c.set(CheckpointingOptions.SAVEPOINT_DIRECTORY, savepoints.toUri().toString());
        int inline = INLINE_BYTES[random.nextInt(INLINE_BYTES.length)];
        c.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, new MemorySize(inline));
    }

    private static void checkpoints(Configuration c, SplittableRandom random) {
        Duration interval = random.nextInt(4) == 0 ? PREPARED_INTERVAL : Duration.ofMillis(40 + random.nextInt(150));
        c.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
        c.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, TIMEOUT);
        c.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 1 + random.nextInt(3));
        c.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        c.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        boolean unaligned = random.nextInt(3) == 0;
        c.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        if (unaligned) {
            c.set(CheckpointingOptions.ALIGNED_CHECKPOINT_TIMEOUT, Duration.ofMillis(random.nextInt(2) * 20L));
        } else {
            c.set(CheckpointingOptions.MAX_CONCURRENT_CHECKPOINTS, 1 + random.nextInt(3));
        }
        c.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, random.nextInt(5) > 0);
        c.set(CheckpointingOptions.CLEANER_PARALLEL_MODE, random.nextBoolean());
    }

    /** Without pools that block: Flink's lose their file with an aborted upload, and others wait for it for ever. */
    private static void merging(Configuration c, SplittableRandom random) {
        c.set(CheckpointingOptions.FILE_MERGING_ENABLED, random.nextBoolean());
        c.set(CheckpointingOptions.FILE_MERGING_ACROSS_BOUNDARY, random.nextBoolean());
        c.set(CheckpointingOptions.FILE_MERGING_MAX_FILE_SIZE, new MemorySize(100_000L + random.nextInt(1 << 20)));
    }

    private static void recovery(Configuration c, SplittableRandom random) {
        boolean local = random.nextInt(3) == 0;
        c.set(CheckpointingOptions.LOCAL_BACKUP_ENABLED, local);
        c.set(StateRecoveryOptions.LOCAL_RECOVERY, local);
        c.set(DreyOptions.RESTORE_LAZY, random.nextBoolean());
        c.set(
                JobManagerOptions.SCHEDULER,
                random.nextInt(3) == 0
                        ? JobManagerOptions.SchedulerType.Adaptive
                        : JobManagerOptions.SchedulerType.Default);
    }

    static boolean isAdaptive(Configuration c) {
        return c.get(JobManagerOptions.SCHEDULER) == JobManagerOptions.SchedulerType.Adaptive;
    }

    /** What differs between configurations, for whoever reads of a failure. */
    static String text(Configuration c) {
        return c.toMap().entrySet().stream()
                .filter(each -> !each.getKey().startsWith("restart-strategy"))
                .map(each -> each.getKey() + "=" + each.getValue())
                .sorted()
                .collect(Collectors.joining(" "));
    }
}
