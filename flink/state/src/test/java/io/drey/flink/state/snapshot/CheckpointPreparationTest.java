package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.drey.checkpoint.upload.Listing;
import io.drey.files.IoCounts;
import io.drey.flink.state.pack.Packs;
import io.drey.flink.state.simulation.SimulatedTime;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.flink.state.task.PinnedSnapshot;
import io.drey.flink.state.task.TaskThread;
import io.drey.flink.state.task.Time;
import io.drey.store.Store;
import io.drey.store.StoreImage.FileInfo;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.ThreadBackground;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointPreparationTest {
    private static final long MS = 1_000_000;
    private static final int ENTRIES = 2_000;
    private static final int VALUE_BYTES = 1 << 10;

    @TempDir
    Path base;

    private final AtomicLong now = new AtomicLong();
    private final SlotMemory memory = new SlotMemory(16 << 20, 4 << 10);
    private final ThreadBackground background = new ThreadBackground(1);
    private final MockEnvironment environment = new MockEnvironmentBuilder().build();
    private final SharedFiles sharedFiles = SharedFiles.restored(Map.of(), Runnable::run);
    private boolean hasTimer = true;
    private Executor threads = Runnable::run;
    private Executor uploadThreads = Runnable::run;
    private InstanceDirectory directory;
    private InstanceDirectory.Lease backend;
    private Store store;
    private CheckpointStreamFactory files;
    private CheckpointPreparation preparation;

    @BeforeEach
    void open() throws Exception {
        directory = InstanceDirectory.create(
                List.of(base.resolve("local").toFile()),
                false,
                new JobID(),
                "operator",
                false,
                InstanceDirectory.Disks.REAL);
        backend = directory.use();
        store = Store.open(
                StoreSettings.of(0, 0), new StoreResources(directory.files(), memory, background), List.of());
        Path storage = Files.createDirectory(base.resolve("storage"));
        files = new FsCheckpointStreamFactory(
                FileSystem.getLocalFileSystem(),
                new org.apache.flink.core.fs.Path(storage.toUri()),
                new org.apache.flink.core.fs.Path(storage.toUri()),
                0,
                4096);
        preparation = preparation(true);
    }

    private CheckpointPreparation preparation(boolean continuous) {
        Time time = new Time() {
            private final SimulatedTime simulated = new SimulatedTime(now::get);

            @Override
            public long nanos() {
                return simulated.nanos();
            }

            @Override
            public void set(Runnable alarm, long nanos) {
                if (!hasTimer) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                simulated.set(alarm, nanos);
            }

            @Override
            public void cancel(Runnable alarm) {
                simulated.cancel(alarm);
            }

            @Override
            public boolean await(CountDownLatch latch, long nanos) {
                return simulated.await(latch, nanos);
            }
        };
        Packs packs = new Packs();
        Packs.Task task = new Packs.Task(new JobID(), ExecutionAttemptID.randomId());
        FileUploads uploads = new FileUploads(
                directory.files(),
                upload -> uploadThreads.execute(upload),
                2,
                packs,
                task,
                new IoCounts(),
                sharedFiles.trash(),
                new UploadTimes(),
                time);
        return new CheckpointPreparation(
                store,
                TaskThread.current(environment),
                directory,
                sharedFiles,
                uploads,
                new CheckpointStrategy.Config<>(
                        UUID.randomUUID(),
                        0,
                        KeyGroupRange.of(0, 0),
                        IntSerializer.INSTANCE,
                        true,
                        continuous ? 0 : Long.MAX_VALUE,
                        new LocalCopies(LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED, "backend", time),
                        round -> threads.execute(round),
                        Runnable::run,
                        2,
                        new FileNaming(UUID.randomUUID(), task, 0),
                        packs,
                        new IoCounts(),
                        time));
    }

    @AfterEach
    void close() throws Exception {
        preparation.close();
        sharedFiles.close();
        store.close();
        backend.close();
        memory.close();
        background.close();
        environment.close();
    }

    private void write() {
        int table = store.table("t", TableKind.VALUE);
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < ENTRIES; i++) {
            byte[] key = {(byte) i, (byte) (i >> 8)};
            store.put(new EntryKey().row(table, 0, key, key.length, new byte[0], 0), value, 0, value.length);
        }
    }

    private void barriers(CheckpointPreparation of, SharingFilesStrategy strategy, CheckpointStreamFactory streams) {
        for (int seconds = 0; seconds <= 20; seconds += 10) {
            now.set(seconds * 1_000 * MS);
            of.barrier(strategy, streams);
        }
    }

    /** The files that a checkpoint would upload now. */
    private List<String> toUpload() throws Exception {
        PinnedSnapshot pinned = PinnedSnapshot.take(store, directory);
        Listing<StreamStateHandle> listing = sharedFiles.enter(1, SharingFilesStrategy.FORWARD_BACKWARD, files);
        try {
            pinned.store().await();
            List<String> names =
                    pinned.store().files().stream().map(FileInfo::name).toList();
            assertThat(names).isNotEmpty();
            listing.decide(names);
            List<String> claimed = listing.claim();
            listing.failed(claimed);
            return claimed;
        } finally {
            listing.withdraw();
            pinned.release();
        }
    }

    @Test
    void aRoundUploadsWhatTheNextCheckpointWants() throws Exception {
        write();
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(29_560 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isEqualTo(1);
        assertThat(preparation.bytes()).isPositive();
        assertThat(toUpload()).isEmpty();
    }

    @Test
    void theSecondRoundFindsWhatChangedSinceTheFirst() throws Exception {
        write();
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(29_560 * MS);
        preparation.due();
        write();
        now.set(29_860 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isEqualTo(2);
        assertThat(toUpload()).isEmpty();
    }

    /** Flink's threads end the process with an error: a checkpoint would only fail. */
    @Test
    void aRoundWithoutMemoryLeavesItsWorkToTheCheckpoint() throws Exception {
        write();
        CheckpointStreamFactory full = new FsCheckpointStreamFactory(
                new LocalFileSystem() {
                    @Override
                    public FSDataOutputStream create(org.apache.flink.core.fs.Path file, WriteMode mode) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                },
                new org.apache.flink.core.fs.Path(base.toUri()),
                new org.apache.flink.core.fs.Path(base.toUri()),
                0,
                4096);
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, full);
        now.set(29_560 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isZero();
        assertThat(toUpload()).isNotEmpty();
    }

    @Test
    void aRoundThatHangsIsGivenUpByTheCheckpointThatWaitedForIt() throws Exception {
        givenUpRound(30_000);
    }

    /** As where the storage has become slow: each checkpoint would wait for rounds in vain, and upload all once more. */
    @Test
    void aRoundThatWasGivenUpSaysThatTheyTakeLonger() throws Exception {
        givenUpRound(33_000);
        storedWithout(43_000);
        now.set(52_560 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isZero();
        storedWithout(53_000);
        now.set(62_560 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isEqualTo(1);
    }

    /** A checkpoint without rounds, which takes 0.1 s. */
    private void storedWithout(long barrierMs) {
        now.set(barrierMs * MS);
        CheckpointPreparation.Barrier barrier = preparation.barrier(SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set((barrierMs + 100) * MS);
        barrier.stored();
    }

    /** A round for the barrier after 30 s, which comes then, and waits for it in vain. */
    private void givenUpRound(long barrierMs) throws Exception {
        write();
        CountDownLatch storage = new CountDownLatch(1);
        CheckpointStreamFactory hanging = new FsCheckpointStreamFactory(
                new LocalFileSystem() {
                    @Override
                    public FSDataOutputStream create(org.apache.flink.core.fs.Path file, WriteMode mode)
                            throws IOException {
                        awaitDeaf(storage);
                        return super.create(file, mode);
                    }
                },
                new org.apache.flink.core.fs.Path(base.toUri()),
                new org.apache.flink.core.fs.Path(base.toUri()),
                0,
                4096);
        ExecutorService rounds = Executors.newSingleThreadExecutor();
        threads = rounds;
        uploadThreads = upload -> new Thread(upload).start();
        try {
            barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, hanging);
            now.set(29_560 * MS);
            preparation.due();
            now.set(barrierMs * MS);
            CheckpointPreparation.Barrier barrier = preparation.barrier(SharingFilesStrategy.FORWARD_BACKWARD, hanging);
            AtomicBoolean waits = new AtomicBoolean(true);
            Thread clock = new Thread(() -> {
                while (waits.get()) {
                    now.addAndGet(100 * MS);
                    Thread.onSpinWait();
                }
            });
            clock.start();
            barrier.awaitRounds();
            waits.set(false);
            clock.join();
            rounds.shutdown();
            assertThat(rounds.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            storage.countDown();
            threads = Runnable::run;
            uploadThreads = Runnable::run;
        }
    }

    private static void awaitDeaf(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.onSpinWait();
            }
        }
    }

    /** A task must not fail because nothing is prepared. */
    @Test
    void roundsWithoutAThreadLeaveTheirWorkToTheCheckpointAndLaterOnesGoOn() throws Exception {
        write();
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files);
        threads = round -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        for (int millis : new int[] {29_560, 29_860}) {
            now.set(millis * MS);
            assertThatCode(preparation::due).doesNotThrowAnyException();
        }
        assertThat(toUpload()).isNotEmpty();
        threads = Runnable::run;
        now.set(30_000 * MS);
        preparation.barrier(SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(39_560 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isEqualTo(1);
    }

    /** Nor where there is none for the time. */
    @Test
    void aBarrierIsTakenWithoutAThreadForTheTime() throws Exception {
        write();
        hasTimer = false;
        assertThatCode(() -> barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files))
                .doesNotThrowAnyException();
        assertThat(toUpload()).isNotEmpty();
        hasTimer = true;
        now.set(30_000 * MS);
        preparation.barrier(SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(39_560 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isEqualTo(1);
    }

    @Test
    void whatNoCheckpointWantsIsDeletedInTheEnd() throws Exception {
        write();
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(29_560 * MS);
        preparation.due();
        assertThat(base.resolve("storage")).isNotEmptyDirectory();
        sharedFiles.close();
        assertThat(base.resolve("storage")).isEmptyDirectory();
    }

    @Test
    void theFullCheckpointAfterARestoreIsTheFirstBarrierToGoBy() throws Exception {
        write();
        preparation.barrier(SharingFilesStrategy.FORWARD, files);
        now.set(10_000 * MS);
        preparation.barrier(SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(19_560 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isEqualTo(1);
        assertThat(toUpload()).isEmpty();
    }

    @Test
    void aCheckpointCountsWhatItsRoundsUploaded() {
        write();
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(29_560 * MS);
        preparation.due();
        now.set(30_000 * MS);
        assertThat(preparation
                        .barrier(SharingFilesStrategy.FORWARD_BACKWARD, files)
                        .uploadedBytes())
                .isEqualTo(preparation.bytes())
                .isPositive();
        now.set(40_000 * MS);
        assertThat(preparation
                        .barrier(SharingFilesStrategy.FORWARD_BACKWARD, files)
                        .uploadedBytes())
                .isZero();
    }

    @Test
    void aRoundThatComesTooLateIsLeftOut() throws Exception {
        write();
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(30_001 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isZero();
        preparation.barrier(SharingFilesStrategy.FORWARD_BACKWARD, files);
        assertThat(preparation.barrierErrorMillis()).isEqualTo(1);
    }

    @Test
    void nothingIsPreparedForWhatSharesNoFilesOrIsNotWanted() throws Exception {
        write();
        barriers(preparation, SharingFilesStrategy.NO_SHARING, files);
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, new MemCheckpointStreamFactory(1 << 20));
        now.set(29_560 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isZero();

        try (CheckpointPreparation off = preparation(false)) {
            barriers(off, SharingFilesStrategy.FORWARD_BACKWARD, files);
            now.set(29_560 * MS);
            off.due();
            assertThat(off.rounds()).isZero();
        }
        assertThat(toUpload()).isNotEmpty();
    }

    @Test
    void aCheckpointWithoutRoundsSaysHowLongTheyWouldTake() {
        write();
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(30_000 * MS);
        CheckpointPreparation.Barrier barrier = preparation.barrier(SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(37_000 * MS);
        barrier.stored();
        now.set(40_000 * MS);
        preparation.barrier(SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(49_560 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isZero();
    }

    /** As if the process had stood still, or the storage, just then. */
    @Test
    void roundsComeBackAfterASecondOneThatTookLong() {
        write();
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(29_560 * MS);
        preparation.due();
        write();
        uploadThreads = upload -> {
            now.addAndGet(60_000 * MS);
            upload.run();
        };
        now.set(29_860 * MS);
        preparation.due();
        assertThat(preparation.rounds()).isEqualTo(2);
        uploadThreads = Runnable::run;
        long at = now.get();
        for (int each = 0; each < 10; each++) {
            CheckpointPreparation.Barrier barrier = preparation.barrier(SharingFilesStrategy.FORWARD_BACKWARD, files);
            now.addAndGet(100 * MS);
            barrier.stored();
            now.addAndGet(9_460 * MS);
            preparation.due();
            at += 10_000 * MS;
            now.set(at);
        }
        assertThat(preparation.rounds()).isGreaterThan(2);
    }

    @Test
    void afterItsEndNothingIsPrepared() {
        write();
        barriers(preparation, SharingFilesStrategy.FORWARD_BACKWARD, files);
        now.set(29_560 * MS);
        preparation.close();
        preparation.due();
        assertThat(preparation.rounds()).isZero();
    }
}
