package io.drey.flink.state.changelog;

import io.drey.checkpoint.upload.Trash;
import io.drey.flink.state.metric.ChangelogMetrics;
import io.drey.flink.state.metric.MetricSink;
import io.drey.flink.state.options.DreyOptions;
import io.drey.flink.state.options.MetricLevel;
import io.drey.flink.state.retention.Janitor;
import io.drey.flink.state.task.DeferredDispose;
import io.drey.foundation.DetachedThread;
import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.io.AvailabilityProvider;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.StateChangelogStorage;
import org.apache.flink.runtime.state.changelog.StateChangelogWriter;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changelog of one job in one task manager: its logs share files and memory. Files lie among the shared files of the
 * job's checkpoints and have names as those of Drey's backend have: so whoever cleans up there knows them.
 */
final class DreyChangelogStorage extends DreyChangelogView
        implements StateChangelogStorage<ChangelogStateHandleStreamImpl> {
    private static final Logger LOG = LoggerFactory.getLogger(DreyChangelogStorage.class);

    /** Less than this and a file would have to be written for every few blocks. */
    private static final MemorySize MEMORY_MIN = MemorySize.ofMebiBytes(4);

    /** Beside those that write files: one deletes, and one looks for what is left. */
    private static final int THREADS_MAX = ChangelogUploads.FILES_MAX + 2;

    private static final long IDLE_SECONDS_MAX = 10;

    private final Path shared;
    private final boolean localRecovery;
    private final ThreadPoolExecutor threads;
    private final Trash<StreamStateHandle> trash;
    private final Janitor janitor;
    private final ChangelogUploads uploads;

    /** @param localRecovery whether Flink wants copies of checkpoints on local disks */
    DreyChangelogStorage(JobID job, Configuration configuration, boolean localRecovery, MetricGroup metrics)
            throws IOException {
        super(configuration);
        this.localRecovery = localRecovery;
        Path directory = new Path(directory(configuration));
        if (configuration.get(CheckpointingOptions.CREATE_CHECKPOINT_SUB_DIR)) {
            directory = new Path(directory, job.toHexString());
        }
        this.shared = new Path(directory, AbstractFsCheckpointStorageAccess.CHECKPOINT_SHARED_STATE_DIR);
        this.threads = new ThreadPoolExecutor(
                THREADS_MAX,
                THREADS_MAX,
                IDLE_SECONDS_MAX,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DreyChangelogStorage::thread);
        threads.allowCoreThreadTimeOut(true);
        this.trash = new Trash<>(
                threads,
                StateObject::discardState,
                (handle, cause) -> LOG.warn(
                        "{} could not be deleted and takes space in the checkpoint storage: no checkpoint refers to it."
                                + " drey checkpoints audit says what stays",
                        handle.maybeGetPath().orElse(null),
                        cause));
        this.janitor = Janitor.of(directory.getFileSystem(), directory, threads, System::nanoTime, true, LOG::warn);
        this.uploads =
                new ChangelogUploads(memory(configuration), shared, threads, trash, ChangelogUploads.HANGING_NANOS);
        if (configuration.get(DreyOptions.METRICS) != MetricLevel.OFF) {
            new ChangelogMetrics(
                            uploads::memoryUsed,
                            uploads::filesStored,
                            uploads::bytesStored,
                            uploads::failures,
                            uploads::secondAttempts)
                    .register(new MetricSink(metrics.addGroup("drey"), MetricLevel.FULL));
        }
    }

    private static long memory(Configuration configuration) {
        MemorySize memory = configuration.get(DreyOptions.CHANGELOG_MEMORY);
        if (memory.compareTo(MEMORY_MIN) < 0) {
            throw new IllegalConfigurationException("expected " + DreyOptions.CHANGELOG_MEMORY.key()
                    + " to be at least " + MEMORY_MIN + ", found " + memory);
        }
        return memory.getBytes();
    }

    /** Where checkpoints of all jobs go. */
    private static String directory(Configuration configuration) {
        String directory = configuration.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY);
        if (directory == null) {
            throw new IllegalConfigurationException("expected " + CheckpointingOptions.CHECKPOINTS_DIRECTORY.key()
                    + " in the configuration of the task manager, found none: the changelog storage drey keeps its files"
                    + " beside those of the checkpoints");
        }
        return directory;
    }

    private static Thread thread(Runnable work) {
        // Of a job, but not its code; and it starts threads that outlive the job.
        return DetachedThread.of("drey-changelog", work);
    }

    /**
     * One writer of an operator sees to it that nothing is left behind, that of subtask 0.
     *
     * <p>There is none with local recovery. Flink's backend makes local handles of a checkpoint that lack what was
     * materialized or restored before, or what came since, if one of its three parts has no local copy; a restart would
     * take that for the whole state.
     */
    @Override
    public StateChangelogWriter<ChangelogStateHandleStreamImpl> createWriter(
            String operator, KeyGroupRange keyGroups, MailboxExecutor mailbox) {
        if (localRecovery) {
            throw new IllegalConfigurationException("expected " + StateRecoveryOptions.LOCAL_RECOVERY.key() + " and "
                    + CheckpointingOptions.LOCAL_BACKUP_ENABLED.key()
                    + " to be false in the configuration of the task managers where "
                    + StateChangelogOptions.ENABLE_STATE_CHANGE_LOG.key()
                    + " is true, found one true: Flink's changelog can lose state when it restores from local copies,"
                    + " which a job cannot turn off for itself");
        }
        restoresFor(shared);
        DeferredDispose.releaseLost();
        boolean cleans = keyGroups.getStartKeyGroup() == 0;
        return new ChangelogWriter(uploads, keyGroups, cleans ? janitor::completed : checkpoint -> {});
    }

    @Override
    public AvailabilityProvider getAvailabilityProvider() {
        return uploads.availability();
    }

    @Override
    public void close() {
        super.close();
        janitor.close();
        uploads.close();
        trash.close();
        threads.shutdown();
    }
}
