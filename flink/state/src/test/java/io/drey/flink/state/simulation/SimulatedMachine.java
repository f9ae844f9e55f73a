package io.drey.flink.state.simulation;

import io.drey.files.Directory;
import io.drey.files.ReadableFile;
import io.drey.files.fault.FaultyDirectory;
import io.drey.files.memory.MemoryDirectory;
import io.drey.files.remote.Downloads;
import io.drey.flink.state.QueuedTasks;
import io.drey.flink.state.keyed.DreyKeyedStateBackendBuilder;
import io.drey.flink.state.memory.Surroundings;
import io.drey.flink.state.options.DreyOptions;
import io.drey.flink.state.options.DreySettings;
import io.drey.flink.state.pack.Packs;
import io.drey.flink.state.restore.RestoreReport;
import io.drey.flink.state.simulation.Tally.Event;
import io.drey.flink.state.task.LocalTrust;
import io.drey.flink.state.watch.BackendListener;
import io.drey.store.file.FileId;
import io.drey.store.tuning.PlacementLimits;
import io.drey.store.tuning.ReadThresholds;
import java.io.File;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.Path;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.io.disk.iomanager.IOManager;
import org.apache.flink.runtime.io.disk.iomanager.IOManagerAsync;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.operators.testutils.DummyEnvironment;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProvider;
import org.apache.flink.runtime.state.TaskStateManager;
import org.apache.flink.runtime.state.TestTaskStateManager;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStorageAccess;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.taskmanager.TaskManagerRuntimeInfo;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;

/** The machine of one subtask: its clock, disk, memory and background, on which backends are opened, one at a time. */
final class SimulatedMachine {
    static final int KEY_GROUPS = 12;
    private static final long NANOS_PER_LOOK = 20_000;
    private static final PlacementLimits SEPARATING = new PlacementLimits(8, 8, 4 << 10);
    private static final int PAGE_BYTES = 1 << 10;
    private static final int IO_BYTES = 256;
    private static final int RANGE_BYTES_MIN = 64;

    /** Of a file that comes by and by. */
    private static final int RANGE_ATTEMPTS = 3;

    private final SplittableRandom random;
    private final Packs packs;
    private final java.nio.file.Path base;
    private final Clock clock;
    private final Tally tally;
    private final boolean hasRealDisk;
    private final LocalRecoveryConfig localRecovery;
    private final MemoryManager memory;
    private final PausingBackground background;
    private final Attempts attempts;
    private final QueuedTasks tasks = new QueuedTasks();
    private final SimulatedTime time;
    private final DreySettings settings;
    private final boolean separating;
    private Directory bare;
    private FaultyDirectory disk;
    private boolean faulty;
    private Consumer<FaultyDirectory> nextDisk = healthy -> {};
    private JobID job;
    private boolean open;
    private boolean whole;

    /** Why the backend failed its task by itself. */
    private Throwable failure;

    private RestoreReport report;

    /** Nanoseconds, of which some pass whenever somebody looks, and the time of day, which stands still meanwhile. */
    static final class Clock {
        private long nanos = 1;
        private long millis;

        long nanos() {
            nanos += NANOS_PER_LOOK;
            return nanos;
        }

        long millis() {
            return millis;
        }

        /** The same without looking. */
        long now() {
            return nanos;
        }

        void moveMs(long ms) {
            nanos += ms * 1_000_000;
            millis += ms;
        }
    }

    /** @param copies where local copies go; null for none, and a disk in memory */
    SimulatedMachine(SplittableRandom random, World world, LocalSnapshotDirectoryProvider copies) {
        this.random = random;
        this.base = world.base;
        this.packs = world.packs;
        this.clock = world.clock;
        this.tally = world.tally;
        this.time = new SimulatedTime(clock::nanos);
        hasRealDisk = copies != null;
        localRecovery = copies == null
                ? LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED
                : LocalRecoveryConfig.backupAndRecoveryEnabled(copies);
        int pages = 140 + random.nextInt(140);
        memory = MemoryManager.create((long) pages * PAGE_BYTES, MemoryManager.DEFAULT_PAGE_SIZE);
        background = new PausingBackground(world.tally);
        settings = settings(random, world.inlineBytes);
        separating = random.nextBoolean();
        attempts = new Attempts(random.split(), world);
    }

    private static DreySettings settings(SplittableRandom random, int inlineBytes) {
        Configuration config = new Configuration();
        config.set(DreyOptions.PAGE_SIZE, new MemorySize(PAGE_BYTES));
        config.set(DreyOptions.BLOCK_SIZE, new MemorySize(128));
        config.set(DreyOptions.RUN_SIZE_MAX, new MemorySize(2 << 10));
        config.set(DreyOptions.IO_SIZE, new MemorySize(IO_BYTES));
        config.set(DreyOptions.YOUNG_RUNS_MAX, 3);
        config.set(DreyOptions.TIMER_CACHE_SIZE, 4);
        config.set(DreyOptions.OBJECT_CACHE_ENTRIES, random.nextInt(3) * 8);
        config.set(DreyOptions.TRANSFER_THREADS, 1 + random.nextInt(3));
        config.set(DreyOptions.RESTORE_LAZY, random.nextBoolean());
        config.setString(DreyOptions.METRICS.key(), "OFF");
        config.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, new MemorySize(inlineBytes));
        config.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, random.nextInt(10) != 0);
        return DreySettings.from(config);
    }

    /** Opens a backend, on a disk that is new and fails as {@link #spoilNext} has said. */
    AbstractKeyedStateBackend<String> open(JobID job, KeyGroupRange keyGroups, Collection<KeyedStateHandle> handles)
            throws Exception {
        this.job = job;
        open = false;
        whole = false;
        SplittableRandom ids = random.split();
        Surroundings surroundings = new Surroundings(
                threads -> background,
                () -> new FileId(ids.nextLong(), ids.nextLong()),
                time,
                ReadThresholds.of(0, 0, 0, clock::nanos),
                separating ? SEPARATING : PlacementLimits.SHIPPED,
                new Downloads.Limits(RANGE_BYTES_MIN << random.nextInt(3), 1 + random.nextInt(4), RANGE_ATTEMPTS, 0),
                tasks,
                attempts,
                0,
                packs,
                new LocalTrust(),
                local -> {
                    bare = hasRealDisk ? local : new MemoryDirectory();
                    disk = new FaultyDirectory(bare);
                    nextDisk.accept(disk);
                    nextDisk = healthy -> {};
                    return disk;
                });
        AbstractKeyedStateBackend<String> backend = new DreyKeyedStateBackendBuilder<>(
                        new KeyedStateBackendParametersImpl<>(
                                new Environment(job, keyGroups.getStartKeyGroup() == 0 ? 0 : 1),
                                job,
                                "simulated",
                                StringSerializer.INSTANCE,
                                KEY_GROUPS,
                                keyGroups,
                                null,
                                clock::millis,
                                new UnregisteredMetricsGroup(),
                                handles,
                                new CloseableRegistry()),
                        settings,
                        LatencyTrackingStateConfig.disabled(),
                        SizeTrackingStateConfig.disabled(),
                        new Listener(),
                        surroundings)
                .build();
        open = true;
        return backend;
    }

    /** Of the last backend. */
    JobID job() {
        return job;
    }

    /** The disk of the last backend. */
    FaultyDirectory disk() {
        return disk;
    }

    /** The disk, to do something to it. */
    FaultyDirectory faulty() {
        faulty = true;
        return disk;
    }

    /** Does something to the disk of the backend that is opened next, from its first I/O on. */
    void spoilNext(Consumer<FaultyDirectory> spoil) {
        faulty = true;
        nextDisk = spoil;
    }

    boolean hasFaults() {
        return faulty;
    }

    /** The names of the backend's files. */
    List<String> localFiles() throws IOException {
        return bare.list();
    }

    long length(String name) throws IOException {
        try (ReadableFile file = bare.open(name)) {
            return file.size();
        }
    }

    PausingBackground background() {
        return background;
    }

    Attempts attempts() {
        return attempts;
    }

    /** What its threads for I/O are to do. */
    QueuedTasks tasks() {
        return tasks;
    }

    SimulatedTime time() {
        return time;
    }

    /** Whether files of the last backend are still to come. */
    boolean isRestoring() {
        return open
                && !whole
                && failure == null
                && settings.restoreLazy()
                && report.source() == RestoreReport.Source.CHECKPOINT;
    }

    /** Why the backend failed its task by itself; null if it did not. */
    Throwable failure() {
        return failure;
    }

    long nowMs() {
        return clock.millis();
    }

    /** Checks that all is back, after the last backend and its snapshots. */
    void checkEmpty() throws Exception {
        tasks.run(Integer.MAX_VALUE);
        while (background.step()) {
            // Jobs of closed stores end at their next part.
        }
        // Files that could not be deleted, or were fetched for nothing, go with their directory.
        if (!faulty
                && open
                && bare instanceof MemoryDirectory files
                && !files.list().isEmpty()) {
            throw new AssertionError("expected no local files after the last backend, found " + files.list());
        }
        if (!memory.verifyEmpty() || memory.availableMemory() != memory.getMemorySize()) {
            throw new AssertionError("expected all " + memory.getMemorySize() + " bytes of the slot back, found "
                    + memory.availableMemory());
        }
        memory.shutdown();
    }

    private final class Listener implements BackendListener {
        @Override
        public void opened(Opened backend) {
            report = backend.report();
        }

        @Override
        public void restored(String operator, long nanos) {
            whole = true;
        }

        @Override
        public void failed(String sentence) {}

        @Override
        public void warned(String sentence) {
            // What the janitor says when it cannot do all of its work.
            tally.count(Event.JANITOR_HINDERED, sentence.contains("that no checkpoint") ? 1 : 0);
        }
    }

    private static final class Disks extends IOManagerAsync {
        private static final Disks ALL = new Disks();

        private ExecutorService executor;

        /** There is one, which is expensive; its threads are those of the machine that asked last. */
        static Disks with(ExecutorService executor) {
            ALL.executor = executor;
            return ALL;
        }

        @Override
        public ExecutorService getExecutorService() {
            return executor;
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("it lives as long as the process");
        }
    }

    private final class Environment extends DummyEnvironment {
        private final JobID job;

        Environment(JobID job, int index) throws IOException {
            super("simulated", World.PARALLELISM_MAX, index);
            this.job = job;
            setCheckpointStorageAccess(
                    new FsCheckpointStorageAccess(new Path(SimulatedStorage.ROOT), null, job, 0, IO_BYTES));
        }

        @Override
        public JobID getJobID() {
            return job;
        }

        @Override
        public MailboxExecutor getMainMailboxExecutor() {
            // None, which it would say by an exception.
            return null;
        }

        @Override
        public void failExternally(Throwable cause) {
            failure = cause;
        }

        @Override
        public MemoryManager getMemoryManager() {
            return memory;
        }

        @Override
        public IOManager getIOManager() {
            return Disks.with(tasks);
        }

        @Override
        public TaskManagerRuntimeInfo getTaskManagerInfo() {
            return new TestingTaskManagerRuntimeInfo(new Configuration(), new File(base.toString()));
        }

        @Override
        public TaskStateManager getTaskStateManager() {
            return new TestTaskStateManager(localRecovery);
        }
    }
}
