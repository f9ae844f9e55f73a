package io.drey.flink.state.changelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.checkpoint.upload.Trash;
import io.drey.flink.state.changelog.ChangelogFixture.Change;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;
import io.drey.store.block.BlockLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.SequenceNumber;
import org.apache.flink.runtime.state.changelog.StateChangelogStorage;
import org.apache.flink.runtime.state.changelog.StateChangelogStorageLoader;
import org.apache.flink.runtime.state.changelog.StateChangelogWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangelogStorageTest {
    private static final MemorySize MEMORY = MemorySize.ofMebiBytes(4);
    private static final SequenceNumber BEGIN = SequenceNumber.of(0);

    @TempDir
    Path directory;

    private final long memoryBefore = Memory.allocatedBytes();
    private ChangelogFixture fixture;

    @BeforeEach
    void open() throws Exception {
        FailingFileSystem.FAILING.set(false);
        fixture = new ChangelogFixture(directory, MEMORY);
    }

    @AfterEach
    void close() throws Exception {
        FailingFileSystem.FAILING.set(false);
        fixture.close();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (Memory.allocatedBytes() != memoryBefore && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        assertThat(Memory.allocatedBytes()).isEqualTo(memoryBefore);
    }

    private static List<Change> append(
            StateChangelogWriter<ChangelogStateHandleStreamImpl> writer, int count, int lengthMax) throws Exception {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] bytes = ChangelogFixture.bytes((int) ((i * 7919L) % (lengthMax + 1)), i);
            int keyGroup = i % ChangelogFixture.KEY_GROUPS.getNumberOfKeyGroups();
            writer.append(keyGroup, bytes);
            changes.add(Change.of(keyGroup, bytes));
        }
        return changes;
    }

    @Test
    void aCheckpointListsWhatWasAppendedSinceItsBeginInOrder() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        writer.appendMeta(new byte[] {1, 2});
        List<Change> first = append(writer, 1_000, 300);
        SequenceNumber between = writer.nextSequenceNumber();
        List<Change> second = append(writer, 1_000, 300);
        ChangelogStateHandleStreamImpl later = ChangelogFixture.persist(writer, between, 7);
        ChangelogStateHandleStreamImpl all = ChangelogFixture.persist(writer, BEGIN, 8);
        assertThat(fixture.read(later)).isEqualTo(second);
        List<Change> expected = new ArrayList<>(List.of(Change.of(-1, new byte[] {1, 2})));
        expected.addAll(first);
        expected.addAll(second);
        assertThat(fixture.read(all)).isEqualTo(expected);
        assertThat(all.getStateSize()).isGreaterThan(later.getStateSize());
        assertThat(all.getCheckpointedSize()).isBetween(1L, all.getStateSize() - 1);
        writer.close();
    }

    @Test
    void changesOfOtherKeyGroupsAreLeftOut() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        List<Change> changes = append(writer, 100, 50);
        ChangelogStateHandleStreamImpl handle = ChangelogFixture.persist(writer, BEGIN, 1);
        writer.close();
        ChangelogStateHandleStreamImpl half =
                (ChangelogStateHandleStreamImpl) handle.getIntersection(KeyGroupRange.of(3, 20));
        assertThat(fixture.read(half))
                .isEqualTo(changes.stream()
                        .filter(change -> change.keyGroup() >= 3)
                        .toList());
    }

    /** As after a restore in mode CLAIM: its checkpoints list the other job's files until they are materialized. */
    @Test
    void whatIsRestoredFromAnotherJobIsClaimedForTheOneThatRestores() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        List<Change> changes = append(writer, 10, 100);
        ChangelogStateHandleStreamImpl handle = ChangelogFixture.persist(writer, BEGIN, 1);
        writer.close();
        assertThat(fixture.read(handle)).isEqualTo(changes);
        // What a slow machine has written twice goes when its writer comes to it.
        fixture.awaitFiles(ChangelogFixture.files(handle));
        try (ChangelogFixture other = new ChangelogFixture(directory, MEMORY)) {
            other.writer().close();
            assertThat(other.read(handle)).isEqualTo(changes);
        }
        assertThat(fixture.files())
                .containsAll(ChangelogFixture.files(handle))
                .hasSize(2)
                .anyMatch(name -> name.startsWith("drey-claim-"));
    }

    @Test
    void logsThatAskAtTheSameTimeShareAFile() throws Exception {
        // However slow the machine is, no file is begun before all have asked.
        CompletableFuture<Void> asked = new CompletableFuture<>();
        Executor threads = work -> new Thread(() -> {
                    asked.join();
                    work.run();
                })
                .start();
        try (ChangelogUploads uploads = uploads(threads)) {
            List<ChangelogWriter> writers = new ArrayList<>();
            List<CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>>> results = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                writers.add(writer(uploads));
                append(writers.get(i), 10 + i, 100);
            }
            for (ChangelogWriter writer : writers) {
                results.add(writer.persist(BEGIN, 1));
            }
            asked.complete(null);
            Set<String> files = new HashSet<>();
            for (CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> result : results) {
                files.addAll(
                        ChangelogFixture.files(result.get(1, TimeUnit.MINUTES).getJobManagerOwnedSnapshot()));
            }
            assertThat(files).hasSize(1);
            awaitOnlyFile();
            writers.forEach(ChangelogWriter::close);
            // It is the job manager's now.
            assertThat(countFiles()).isEqualTo(1);
        }
    }

    private ChangelogUploads uploads(Executor threads) {
        Trash<StreamStateHandle> trash = new Trash<>(threads, StateObject::discardState, (handle, cause) -> {});
        String place = FailingFileSystem.SCHEME + "://" + directory;
        return new ChangelogUploads(MEMORY.getBytes(), new org.apache.flink.core.fs.Path(place), threads, trash, 0);
    }

    private static ChangelogWriter writer(ChangelogUploads uploads) {
        return new ChangelogWriter(uploads, ChangelogFixture.KEY_GROUPS, checkpoint -> {});
    }

    /** The job manager would delete it when the first log lists it no more, before the other one does. */
    @Test
    void noFileHasSectionsThatAreListedFromDifferentCheckpointsOn() throws Exception {
        Queue<Runnable> held = new ConcurrentLinkedQueue<>();
        try (ChangelogUploads uploads = uploads(held::add);
                ChangelogWriter slow = writer(uploads);
                ChangelogWriter fast = writer(uploads)) {
            ChangelogFixture.persist(slow, BEGIN, 1);
            ChangelogFixture.persist(fast, BEGIN, 1);
            append(slow, 10, 100);
            append(fast, 10, 100);
            CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> early = slow.persist(BEGIN, 5);
            fast.persist(BEGIN, 5);
            fast.persist(BEGIN, 6);
            SequenceNumber later = fast.nextSequenceNumber();
            Random random = new Random(3);
            for (int i = 0; i < 200; i++) {
                byte[] change = new byte[4 << 10];
                random.nextBytes(change);
                fast.append(0, change);
            }
            CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> late = fast.persist(later, 7);
            while (!early.isDone() || !late.isDone()) {
                held.remove().run();
            }
            Set<String> files = ChangelogFixture.files(early.get().getJobManagerOwnedSnapshot());
            files.retainAll(ChangelogFixture.files(late.get().getJobManagerOwnedSnapshot()));
            assertThat(files).isEmpty();
        }
        held.forEach(Runnable::run);
    }

    @Test
    void aWriteThatHangsGoesWithItsCheckpointAndNotWithTheNext() throws Exception {
        CountDownLatch storage = new CountDownLatch(1);
        FailingFileSystem.HUNG.set(0);
        FailingFileSystem.hang = storage;
        try (ChangelogUploads uploads = uploads(work -> new Thread(work).start());
                ChangelogWriter writer = writer(uploads)) {
            List<Change> changes = append(writer, 100, 50);
            CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> first = writer.persist(BEGIN, 1);
            while (FailingFileSystem.HUNG.get() < 3) {
                Thread.sleep(10);
            }
            FailingFileSystem.hang = null;
            writer.reset(BEGIN, writer.nextSequenceNumber(), 1);
            assertThat(first).isCompletedExceptionally();
            assertThat(fixture.read(ChangelogFixture.persist(writer, BEGIN, 2))).isEqualTo(changes);
        } finally {
            FailingFileSystem.hang = null;
            storage.countDown();
        }
        awaitOnlyFile();
    }

    /** Those that hung are created now, and deleted: until the last one is open, a count of one means nothing. */
    private void awaitOnlyFile() throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while ((FailingFileSystem.OPEN.get() > 0 || countFiles() != 1) && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        assertThat(FailingFileSystem.OPEN.get()).isZero();
        assertThat(countFiles()).isEqualTo(1);
    }

    private long countFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches("drey-\\d.*"))
                    .count();
        }
    }

    @Test
    void aChangeMayBeLargerThanTheMemory() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        byte[] random = new byte[(int) (3 * MEMORY.getBytes())];
        new Random(5).nextBytes(random);
        writer.append(1, random);
        writer.append(2, new byte[0]);
        ChangelogStateHandleStreamImpl handle = ChangelogFixture.persist(writer, BEGIN, 1);
        assertThat(fixture.read(handle)).isEqualTo(List.of(Change.of(1, random), Change.of(2, new byte[0])));
        writer.close();
    }

    @Test
    void whatCannotBeStoredFailsTheCheckpointAndIsInTheNext() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        List<Change> changes = append(writer, 100, 100);
        FailingFileSystem.FAILING.set(true);
        assertThatThrownBy(() -> ChangelogFixture.persist(writer, BEGIN, 1))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("the storage takes no files");
        FailingFileSystem.FAILING.set(false);
        changes.addAll(append(writer, 100, 100));
        assertThat(fixture.read(ChangelogFixture.persist(writer, BEGIN, 2))).isEqualTo(changes);
        writer.close();
    }

    /** Not behind what failed before, again and again in all threads. */
    @Test
    void aCheckpointFailsWithTheStorageHoweverManyLogsHaveWhatFailed() throws Exception {
        FailingFileSystem.FAILING.set(true);
        List<StateChangelogWriter<ChangelogStateHandleStreamImpl>> writers = new ArrayList<>();
        for (int checkpoint = 1; checkpoint <= 2 * ChangelogUploads.FILES_MAX; checkpoint++) {
            StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
            writers.add(writer);
            append(writer, 100, 100);
            CompletableFuture<?> result = writer.persist(BEGIN, checkpoint);
            assertThatThrownBy(() -> result.get(20, TimeUnit.SECONDS))
                    .as("checkpoint %d", checkpoint)
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("the storage takes no files");
        }
        FailingFileSystem.FAILING.set(false);
        for (StateChangelogWriter<ChangelogStateHandleStreamImpl> writer : writers) {
            assertThat(fixture.read(ChangelogFixture.persist(writer, BEGIN, 100)))
                    .hasSize(100);
            writer.close();
        }
    }

    @Test
    void tasksAreToldToWaitWhileTheStorageTakesNothingAndGoOnThen() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        FailingFileSystem.FAILING.set(true);
        byte[] random = new byte[1_000];
        Random bits = new Random(5);
        List<Change> changes = new ArrayList<>();
        while (fixture.storage.getAvailabilityProvider().isAvailable()) {
            bits.nextBytes(random);
            writer.append(1, random);
            changes.add(Change.of(1, random));
        }
        assertThat(changes.size()).isBetween(2_000, 4_000);
        CompletableFuture<?> again = fixture.storage.getAvailabilityProvider().getAvailableFuture();
        FailingFileSystem.FAILING.set(false);
        again.get(1, TimeUnit.MINUTES);
        assertThat(fixture.read(ChangelogFixture.persist(writer, BEGIN, 1))).isEqualTo(changes);
        writer.close();
    }

    @Test
    void whatNoCheckpointListedIsDeletedWhenItIsTruncatedOrItsTaskEnds() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        StateChangelogWriter<ChangelogStateHandleStreamImpl> other = fixture.writer();
        append(writer, 3_000, 1_000);
        SequenceNumber materialized = writer.nextSequenceNumber();
        writer.truncate(materialized);
        append(other, 3_000, 1_000);
        other.nextSequenceNumber();
        ChangelogStateHandleStreamImpl listed = ChangelogFixture.persist(other, BEGIN, 1);
        append(other, 3_000, 1_000);
        writer.close();
        other.close();
        fixture.awaitFiles(ChangelogFixture.files(listed));
        assertThat(fixture.read(listed)).hasSize(3_000);
    }

    @Test
    void anAbortedCheckpointListsNothing() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        append(writer, 10, 10);
        FailingFileSystem.FAILING.set(true);
        CompletableFuture<?> result = writer.persist(BEGIN, 1);
        writer.reset(BEGIN, writer.nextSequenceNumber(), 1);
        assertThat(result).isCompletedExceptionally();
        FailingFileSystem.FAILING.set(false);
        writer.truncate(writer.nextSequenceNumber());
        writer.close();
        fixture.awaitFiles(Set.of());
    }

    @Test
    void aCheckpointUnderWayListsAlsoWhatIsTruncatedMeanwhile() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        List<Change> changes = append(writer, 100, 100);
        CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> result = writer.persist(BEGIN, 1);
        writer.truncate(writer.nextSequenceNumber());
        ChangelogStateHandleStreamImpl handle = result.get(1, TimeUnit.MINUTES).getJobManagerOwnedSnapshot();
        assertThat(fixture.read(handle)).isEqualTo(changes);
        writer.close();
    }

    @Test
    void aLogThatIsTruncatedDoesNotFailTheFileThatItSharesWithAnother() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        StateChangelogWriter<ChangelogStateHandleStreamImpl> other = fixture.writer();
        FailingFileSystem.GATE.lock();
        CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> result;
        List<Change> changes;
        try {
            append(writer, 100, 1_000);
            SequenceNumber materialized = writer.nextSequenceNumber();
            changes = append(other, 100, 100);
            result = other.persist(BEGIN, 1);
            while (FailingFileSystem.GATE.getQueueLength() == 0) {
                Thread.sleep(1);
            }
            writer.truncate(materialized);
        } finally {
            FailingFileSystem.GATE.unlock();
        }
        ChangelogStateHandleStreamImpl handle = result.get(1, TimeUnit.MINUTES).getJobManagerOwnedSnapshot();
        assertThat(fixture.read(handle)).isEqualTo(changes);
        writer.close();
        other.close();
    }

    @Test
    void nothingIsListedBeforeWhatWasTruncated() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        append(writer, 10, 10);
        writer.truncate(writer.nextSequenceNumber());
        assertThatThrownBy(() -> writer.persist(BEGIN, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("earlier ones are materialized");
        writer.close();
    }

    @Test
    void eachFlippedBitIsFoundAndNamesTheFile() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        List<Change> changes = append(writer, 20, 20);
        ChangelogStateHandleStreamImpl handle = ChangelogFixture.persist(writer, BEGIN, 1);
        writer.close();
        Tuple2<?, Long> section = handle.getHandlesAndOffsets().get(0);
        Path file = pathOf(handle);
        String name = file.getFileName().toString();
        byte[] intact = Files.readAllBytes(file);
        for (int at = (int) (long) section.f1; at < intact.length; at++) {
            byte[] damaged = intact.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Files.write(file, damaged);
            assertThatThrownBy(() -> fixture.read(handle))
                    .as("byte %d", at)
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("expected");
        }
        Files.write(file, Arrays.copyOf(intact, intact.length - 1));
        assertThatThrownBy(() -> fixture.read(handle)).hasMessageContaining("the end of the file");
        Files.write(file, intact);
        assertThat(fixture.read(handle)).isEqualTo(changes);
    }

    private Path pathOf(ChangelogStateHandleStreamImpl handle) throws IOException {
        String name = ChangelogFixture.files(handle).iterator().next();
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> path.endsWith(name)).findFirst().orElseThrow();
        }
    }

    /** As a storage leaves them that lost what it had promised: the length is right, and what was written is not. */
    @Test
    void aHeaderOfZerosIsFoundAndNamesTheFile() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        append(writer, 20, 20);
        ChangelogStateHandleStreamImpl handle = ChangelogFixture.persist(writer, BEGIN, 1);
        writer.close();
        Path file = pathOf(handle);
        byte[] damaged = Files.readAllBytes(file);
        Arrays.fill(damaged, (int) (long) handle.getHandlesAndOffsets().get(0).f1, damaged.length, (byte) 0);
        Files.write(file, damaged);
        assertThatThrownBy(() -> fixture.read(handle))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining(file.getFileName().toString());
    }

    @Test
    void aHeaderThatEndsItsSectionAfterAnEarlierBlockIsFound() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        // The next one begins in a block of its own.
        byte[] change = new byte[ChangelogWriter.RAW_BYTES - 8];
        new Random(5).nextBytes(change);
        writer.append(1, change);
        writer.append(1, new byte[200]);
        ChangelogStateHandleStreamImpl handle = ChangelogFixture.persist(writer, BEGIN, 1);
        writer.close();
        Path file = pathOf(handle);
        ByteBuffer damaged = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int section = (int) (long) handle.getHandlesAndOffsets().get(0).f1;
        int first = section + ChangelogSection.HEADER_BYTES;
        int payload = damaged.getInt(first + BlockLayout.PAYLOAD_LENGTH_OFFSET);
        damaged.putInt(section + Long.BYTES, BlockLayout.HEADER_BYTES + payload);
        Files.write(file, damaged.array());
        assertThatThrownBy(() -> fixture.read(handle)).isInstanceOf(CorruptFileException.class);
    }

    @Test
    void aBlockThatClaimsToBeAsLongAsCanBeIsFoundAndNamesTheFile() throws Exception {
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer = fixture.writer();
        append(writer, 20, 20);
        ChangelogStateHandleStreamImpl handle = ChangelogFixture.persist(writer, BEGIN, 1);
        writer.close();
        Path file = pathOf(handle);
        ByteBuffer damaged = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int first = (int) (long) handle.getHandlesAndOffsets().get(0).f1 + ChangelogSection.HEADER_BYTES;
        damaged.putInt(first + BlockLayout.PAYLOAD_LENGTH_OFFSET, Integer.MAX_VALUE);
        Files.write(file, damaged.array());
        assertThatThrownBy(() -> fixture.read(handle))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining(file.getFileName().toString());
    }

    @Test
    void withoutADirectoryOfTheJobFilesLieWhereFlinkPutsItsOwn() throws Exception {
        Configuration configuration = ChangelogFixture.configuration(directory, MEMORY);
        configuration.set(CheckpointingOptions.CREATE_CHECKPOINT_SUB_DIR, false);
        DreyChangelogStorage storage =
                new DreyChangelogStorage(new JobID(), configuration, false, new UnregisteredMetricsGroup());
        StateChangelogWriter<ChangelogStateHandleStreamImpl> writer =
                storage.createWriter("operator", ChangelogFixture.KEY_GROUPS, null);
        SequenceNumber from = writer.initialSequenceNumber();
        writer.append(0, new byte[1000]);
        Path file = pathOf(ChangelogFixture.persist(writer, from, 1));
        assertThat(file.getParent()).isEqualTo(directory.resolve("shared"));
        writer.close();
        storage.close();
    }

    @Test
    void localRecoveryWithWhichFlinkWouldLoseStateIsRefused() throws Exception {
        DreyChangelogStorage storage = new DreyChangelogStorage(
                new JobID(), ChangelogFixture.configuration(directory, MEMORY), true, new UnregisteredMetricsGroup());
        assertThatThrownBy(() -> storage.createWriter("operator", ChangelogFixture.KEY_GROUPS, null))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("execution.state-recovery.from-local")
                .hasMessageContaining("in the configuration of the task managers");
        storage.close();
    }

    @Test
    void flinkFindsItByItsNameAndIsToldWhatIsMissing() throws Exception {
        Configuration configuration = ChangelogFixture.configuration(directory, MEMORY);
        configuration.setString("state.changelog.storage", "drey");
        StateChangelogStorageLoader.initialize(null);
        StateChangelogStorage<?> found = StateChangelogStorageLoader.load(
                new JobID(),
                configuration,
                UnregisteredMetricGroups.createUnregisteredTaskManagerJobMetricGroup(),
                LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED);
        assertThat(found).isInstanceOf(DreyChangelogStorage.class);
        found.close();
        assertThatThrownBy(() -> new ChangelogFixture(directory, MemorySize.ofMebiBytes(1)))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("state.changelog.drey.memory");
        assertThatThrownBy(() -> new DreyChangelogStorage(
                        new JobID(), new Configuration(), false, new UnregisteredMetricsGroup()))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("execution.checkpointing.dir");
    }

    @Test
    void aFileThatFindsNoThreadIsWrittenForTheNextCheckpoint() throws Exception {
        AtomicBoolean none = new AtomicBoolean(true);
        Executor threads = work -> {
            if (none.getAndSet(false)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            new Thread(work).start();
        };
        Trash<StreamStateHandle> trash = new Trash<>(threads, StateObject::discardState, (handle, cause) -> {});
        try (ChangelogUploads uploads = new ChangelogUploads(
                        MEMORY.getBytes(), new org.apache.flink.core.fs.Path(directory.toUri()), threads, trash, 0);
                ChangelogWriter writer = new ChangelogWriter(uploads, ChangelogFixture.KEY_GROUPS, checkpoint -> {})) {
            List<Change> changes = append(writer, 100, 50);
            assertThatThrownBy(() -> writer.persist(BEGIN, 1)).isInstanceOf(OutOfMemoryError.class);
            assertThat(fixture.read(ChangelogFixture.persist(writer, BEGIN, 2))).isEqualTo(changes);
        }
    }

    /** So it ends when a restore fails behind it: nobody else knows of it. */
    @Test
    void aLogThatNobodyClosesIsFreedWhenItsTaskHasEnded() throws Exception {
        fixture.writer().close();
        long withoutLogs = Memory.allocatedBytes();
        Thread task = new Thread(() -> fixture.writer());
        task.start();
        task.join();
        fixture.writer().close();
        assertThat(Memory.allocatedBytes()).isEqualTo(withoutLogs);
    }

    @Test
    void aLogThatIsClosedWhileItsTaskAppendsIsFreedWhenTheTaskHasEnded() throws Exception {
        CountDownLatch appended = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicReference<StateChangelogWriter<ChangelogStateHandleStreamImpl>> writer = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread task = new Thread(() -> {
            try {
                writer.set(fixture.writer());
                append(writer.get(), 1_000, 300);
                appended.countDown();
                closed.await();
                append(writer.get(), 1_000, 300);
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        task.start();
        appended.await();
        long used = Memory.allocatedBytes();
        writer.get().truncateAndClose(BEGIN);
        assertThat(Memory.allocatedBytes()).isEqualTo(used);
        closed.countDown();
        task.join();
        assertThat(failure.get()).isNull();
    }
}
