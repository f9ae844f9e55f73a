package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.HangingFileSystem.Call;
import io.drey.flink.state.HangingFileSystem.Hang;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.fs.Path;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checkpoints into a storage of which one file does not answer, until long after nobody waits for it any more. */
@Timeout(120)
class HangingStorageTest {
    private static final Predicate<Path> SHARED =
            path -> path.getParent().getName().equals("shared");

    @TempDir
    java.nio.file.Path directory;

    private final RecordedMetrics metrics = new RecordedMetrics();
    private final SlowTime time = new SlowTime();
    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;
    private FsCheckpointStreamFactory streams;

    @BeforeEach
    void open() throws Exception {
        HangingFileSystem.FILES.clear();
        // No other file takes long, however slow the machine is.
        HangingFileSystem.whenStanding = () -> time.pass(TimeUnit.SECONDS.toNanos(1));
        HangingFileSystem.DELETED.clear();
        fixture = new BackendFixture(directory.resolve("local"));
        fixture.metrics(metrics);
        Configuration options = new Configuration();
        options.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, new MemorySize(0));
        options.setString("state.backend.drey.metrics", "full");
        backend = fixture.openIn(time, options, StringSerializer.INSTANCE, List.of());
        Path storage = new Path(HangingFileSystem.SCHEME + "://" + directory.resolve("storage"));
        streams = new FsCheckpointStreamFactory(
                storage.getFileSystem(), new Path(storage, "chk"), new Path(storage, "shared"), 0, 4096);
        put("a");
    }

    @AfterEach
    void close() {
        HangingFileSystem.whenStanding = () -> {};
        fixture.close();
    }

    private void put(String key) throws Exception {
        ValueState<String> state = backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("s", StringSerializer.INSTANCE));
        backend.setCurrentKey(key);
        state.update("value of " + key);
    }

    private RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot(long id) throws Exception {
        return backend.snapshot(id, id, streams, CheckpointOptions.forCheckpointWithDefaultLocation());
    }

    private IncrementalRemoteKeyedStateHandle take(long id) throws Exception {
        RunnableFuture<SnapshotResult<KeyedStateHandle>> future = snapshot(id);
        future.run();
        return (IncrementalRemoteKeyedStateHandle) future.get().getJobManagerOwnedSnapshot();
    }

    private void endBackend() throws Exception {
        backend.close();
        backend.dispose();
    }

    private static Set<Path> listed(IncrementalRemoteKeyedStateHandle handle) {
        Set<Path> paths = new HashSet<>();
        handle.getSharedState().forEach(file -> paths.add(((FileStateHandle) file.getHandle()).getFilePath()));
        paths.add(((FileStateHandle) handle.getMetaDataStateHandle()).getFilePath());
        return paths;
    }

    private static void awaitDeleted(Path path) throws InterruptedException {
        while (!HangingFileSystem.DELETED.take().equals(path)) {
            // Others go too.
        }
    }

    /** What is not wanted goes when its writer comes to it. */
    private static void awaitFiles(Set<Path> expected) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!HangingFileSystem.FILES.equals(expected) && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertThat(HangingFileSystem.FILES).isEqualTo(expected);
    }

    private long count(String metric) {
        return metrics.all().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(metric))
                .mapToLong(entry -> ((Counter) entry.getValue()).getCount())
                .sum();
    }

    @ParameterizedTest
    @EnumSource
    void aCheckpointDoesNotWaitForAFileThatHangs(Call call) throws Exception {
        Hang hang = HangingFileSystem.next(call, SHARED);
        IncrementalRemoteKeyedStateHandle handle = take(1);
        Path hanging = hang.await();
        assertThat(listed(handle)).doesNotContain(hanging);
        assertThat(HangingFileSystem.FILES).containsAll(listed(handle));
        assertThat(count("secondAttempts")).isEqualTo(1);
        assertThat(count("secondAttemptsWon")).isEqualTo(1);
        hang.release();
        awaitDeleted(hanging);
        awaitFiles(listed(handle));
        endBackend();
        awaitFiles(listed(handle));
    }

    /** Of a first checkpoint: one file of state, then the manifest. */
    private static Hang manifest(Call call) {
        AtomicInteger created = new AtomicInteger();
        return HangingFileSystem.next(call, path -> created.incrementAndGet() == 2);
    }

    /** At the end of a job Flink deletes no shared state at all if it cannot delete a checkpoint's directory. */
    @ParameterizedTest
    @EnumSource
    void theDirectoryOfACheckpointCanBeDeletedWhileAnAttemptOfItsManifestHangs(Call call) throws Exception {
        Hang hang = manifest(call);
        Path own = streams.getTargetPath(CheckpointedStateScope.EXCLUSIVE);
        own.getFileSystem().mkdirs(own);
        IncrementalRemoteKeyedStateHandle handle = take(1);
        Path hanging = hang.await();
        handle.discardState();
        assertThat(own.getFileSystem().delete(own, false)).isTrue();
        hang.release();
        awaitDeleted(hanging);
        awaitFiles(Set.of());
        endBackend();
    }

    @ParameterizedTest
    @EnumSource
    void aCheckpointDoesNotWaitForAManifestThatHangs(Call call) throws Exception {
        Hang hang = manifest(call);
        IncrementalRemoteKeyedStateHandle handle = take(1);
        Path hanging = hang.await();
        assertThat(handle.getSharedState()).hasSize(1);
        assertThat(listed(handle)).hasSize(2).doesNotContain(hanging);
        hang.release();
        awaitDeleted(hanging);
        awaitFiles(listed(handle));
        endBackend();
    }

    @Test
    void theNextCheckpointListsWhatTheSecondAttemptWrote() throws Exception {
        Hang hang = HangingFileSystem.next(Call.WRITE, SHARED);
        Set<Path> first = listed(take(1));
        backend.notifyCheckpointComplete(1);
        put("b");
        IncrementalRemoteKeyedStateHandle second = take(2);
        assertThat(BackendFixture.referred(second)).isEqualTo(first.size() - 1);
        hang.release();
        awaitDeleted(hang.await());
        assertThat(HangingFileSystem.FILES).containsAll(first);
        endBackend();
    }

    @Test
    void aFileThatEndsAfterItsBackendLeavesNothing() throws Exception {
        Hang hang = HangingFileSystem.next(Call.CLOSE, SHARED);
        Set<Path> listed = listed(take(1));
        endBackend();
        hang.release();
        awaitDeleted(hang.await());
        awaitFiles(listed);
    }

    @ParameterizedTest
    @EnumSource
    void theTaskCancelsACheckpointWithoutWaitingForTheStorage(Call call) throws Exception {
        Hang hang = HangingFileSystem.next(call, SHARED);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> future = snapshot(1);
        Thread checkpoint = new Thread(future);
        checkpoint.start();
        Path hanging = hang.await();
        assertThat(future.cancel(true)).isTrue();
        backend.notifyCheckpointAborted(1);
        checkpoint.join();
        endBackend();
        hang.release();
        awaitDeleted(hanging);
        for (Path left = one(); left != null; left = one()) {
            awaitDeleted(left);
        }
        awaitFiles(Set.of());
    }

    /** A file that is still there, or null. */
    private static Path one() {
        return HangingFileSystem.FILES.stream().findAny().orElse(null);
    }
}
