package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.drey.flink.state.options.DreyOptions;
import io.drey.foundation.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints, restores, damaged files, and that nothing is left behind. */
class BackendLifeTest {
    private static final int KEYS = 300;

    @TempDir
    Path directory;

    private BackendFixture fixture;
    private long allocatedBefore;

    @BeforeEach
    void open() {
        allocatedBefore = Memory.allocatedBytes();
        fixture = new BackendFixture(directory);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        fixture.close();
        assertThat(Memory.allocatedBytes()).as("memory outside the heap").isEqualTo(allocatedBefore);
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    private AbstractKeyedStateBackend<String> backend(KeyedStateHandle... handles) throws IOException {
        return fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(handles));
    }

    private static void end(AbstractKeyedStateBackend<?> backend) throws IOException {
        backend.close();
        backend.dispose();
        backend.dispose();
    }

    /** So it ends when Flink's changelog cannot be replayed into it: Flink has lost it then. */
    @Test
    void aBackendThatNobodyClosesIsFreedWhenItsTaskHasEnded() throws Exception {
        FutureTask<Void> restoring = new FutureTask<>(() -> {
            new AllStates(backend(), KEYS).fill();
            return null;
        });
        Thread task = new Thread(restoring);
        task.start();
        restoring.get();
        task.join();

        AbstractKeyedStateBackend<String> next = backend();

        try (Stream<Path> directories = Files.walk(directory).filter(Files::isDirectory)) {
            assertThat(directories.filter(each -> each.getFileName().toString().startsWith("drey_job_")))
                    .hasSize(1);
        }
        end(next);
    }

    private IncrementalRemoteKeyedStateHandle filledCheckpoint() throws Exception {
        AbstractKeyedStateBackend<String> backend = backend();
        try {
            new AllStates(backend, KEYS).fill();
            return (IncrementalRemoteKeyedStateHandle) fixture.checkpoint(backend, 1);
        } finally {
            end(backend);
        }
    }

    @Test
    void aRestoredBackendHoldsWhatWasThereAtTheCheckpoint() throws Exception {
        AbstractKeyedStateBackend<String> backend = backend();
        AllStates states = new AllStates(backend, KEYS);
        states.fill();
        Map<String, String> expected = states.dump();
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        states.fill();
        assertThat(states.dump()).isNotEqualTo(expected);
        end(backend);

        AbstractKeyedStateBackend<String> restored = backend(handle);
        AllStates restoredStates = new AllStates(restored, KEYS);
        assertThat(restoredStates.dump()).isEqualTo(expected);
        assertThat(restoredStates.keysOfMap("nn")).hasSize(KEYS).doesNotHaveDuplicates();
        end(restored);
    }

    /** Files past the page cache: flushed, uploaded, downloaded and read again. */
    @Test
    void aBackendWithDirectIoHoldsTheSame() throws Exception {
        Configuration options = new Configuration();
        options.set(DreyOptions.DIRECT_IO, true);
        AbstractKeyedStateBackend<String> backend;
        try {
            backend = fixture.open(new DreyStateBackend(options), StringSerializer.INSTANCE, List.of());
        } catch (IOException e) {
            assumeFalse(
                    ExceptionUtils.findThrowableWithMessage(e, "expected direct I/O to work")
                            .isPresent(),
                    "the temporary directory cannot do direct I/O");
            throw e;
        }
        AllStates states = new AllStates(backend, KEYS);
        states.fill();
        Map<String, String> expected = states.dump();
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        assertThat(states.dump()).isEqualTo(expected);
        end(backend);

        AbstractKeyedStateBackend<String> restored =
                fixture.open(new DreyStateBackend(options), StringSerializer.INSTANCE, List.of(handle));
        assertThat(new AllStates(restored, KEYS).dump()).isEqualTo(expected);
        end(restored);
    }

    @Test
    void aFileIsUploadedOnceAndReferredToAfterwards() throws Exception {
        AbstractKeyedStateBackend<String> backend = backend();
        new AllStates(backend, KEYS).fill();
        IncrementalRemoteKeyedStateHandle first = (IncrementalRemoteKeyedStateHandle) fixture.checkpoint(backend, 1);
        backend.notifyCheckpointComplete(1);
        IncrementalRemoteKeyedStateHandle second = (IncrementalRemoteKeyedStateHandle) fixture.checkpoint(backend, 2);
        end(backend);
        assertThat(first.getSharedState()).isNotEmpty().noneMatch(BackendLifeTest::isPlaceholder);
        assertThat(second.getSharedState()).isNotEmpty().allMatch(BackendLifeTest::isPlaceholder);
        assertThat(second.getCheckpointedSize()).isLessThan(first.getCheckpointedSize());
    }

    private static boolean isPlaceholder(HandleAndLocalPath file) {
        return file.getHandle() instanceof PlaceholderStreamStateHandle;
    }

    @Test
    void aChangeOfParallelismAndBackKeepsEverything() throws Exception {
        AbstractKeyedStateBackend<String> whole = backend();
        AllStates states = new AllStates(whole, KEYS);
        states.fill();
        Map<String, String> expected = states.dump();
        KeyedStateHandle handle = fixture.checkpoint(whole, 1);
        end(whole);

        List<KeyedStateHandle> parts = new ArrayList<>();
        Map<String, String> found = new TreeMap<>();
        for (KeyGroupRange range : List.of(new KeyGroupRange(0, 3), new KeyGroupRange(4, 9))) {
            AbstractKeyedStateBackend<String> part =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, range, List.of(handle));
            found.putAll(new AllStates(part, KEYS).dump());
            parts.add(fixture.checkpoint(part, 2));
            end(part);
        }
        assertThat(found).isEqualTo(expected);

        // The parts refer to the parent's uploads; a job manager would replace the placeholders.
        Map<String, StreamStateHandle> uploads = new TreeMap<>();
        ((IncrementalRemoteKeyedStateHandle) handle)
                .getSharedState()
                .forEach(file -> uploads.put(file.getLocalPath(), file.getHandle()));
        for (KeyedStateHandle part : parts) {
            for (HandleAndLocalPath file : ((IncrementalRemoteKeyedStateHandle) part).getSharedState()) {
                if (isPlaceholder(file)) {
                    file.replaceHandle(uploads.get(file.getLocalPath()));
                }
            }
        }
        AbstractKeyedStateBackend<String> merged = backend(parts.toArray(KeyedStateHandle[]::new));
        assertThat(new AllStates(merged, KEYS).dump()).isEqualTo(expected);
        end(merged);
    }

    @Test
    void aShortFileIsNamed() throws Exception {
        IncrementalRemoteKeyedStateHandle handle = filledCheckpoint();
        HandleAndLocalPath file = handle.getSharedState().get(0);
        byte[] bytes = file.getHandle().asBytesIfInMemory().orElseThrow();
        file.replaceHandle(new ByteStreamStateHandle("short", java.util.Arrays.copyOf(bytes, bytes.length - 1)));
        assertThatThrownBy(() -> backend(handle))
                .satisfies(e -> assertThat(ExceptionUtils.stringifyException(e))
                        .contains(file.getLocalPath(), "found " + (bytes.length - 1)));
    }

    @Test
    void aMissingFileIsNamed() throws Exception {
        IncrementalRemoteKeyedStateHandle handle = filledCheckpoint();
        String name = handle.getSharedState().remove(0).getLocalPath();
        assertThatThrownBy(() -> backend(handle))
                .satisfies(
                        e -> assertThat(ExceptionUtils.stringifyException(e)).contains(name, "could not be fetched"));
    }

    @Test
    void aDamagedManifestIsRefused() throws Exception {
        IncrementalRemoteKeyedStateHandle handle = filledCheckpoint();
        byte[] manifest = handle.getMetaDataStateHandle().asBytesIfInMemory().orElseThrow();
        manifest[manifest.length / 2] ^= 1;
        assertThatThrownBy(() -> backend(handle))
                .satisfies(e -> assertThat(ExceptionUtils.stringifyException(e)).contains("is damaged"));
    }

    @Test
    void anotherBackendsCheckpointIsRefusedWithAdvice() throws Exception {
        refuses(new HashMapStateBackend());
        refuses(new EmbeddedRocksDBStateBackend(true));
        FileUtils.deleteDirectory(directory.toFile());
        Files.createDirectories(directory);
    }

    private void refuses(AbstractStateBackend other) throws Exception {
        AbstractKeyedStateBackend<String> backend = fixture.open(other, StringSerializer.INSTANCE, List.of());
        new AllStates(backend, KEYS).fill();
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        end(backend);
        assertThatThrownBy(() -> backend(handle))
                .satisfies(e -> assertThat(ExceptionUtils.stringifyException(e)).contains("canonical savepoint"));
    }

    @Test
    void stateLargerThanMemoryGoesToFilesAndComesBack() throws Exception {
        AbstractKeyedStateBackend<String> backend = backend();
        AllStates states = new AllStates(backend, 12 * KEYS);
        for (int i = 0; i < 4; i++) {
            states.fill();
        }
        Map<String, String> expected = states.dump();
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        end(backend);
        AbstractKeyedStateBackend<String> restored = backend(handle);
        assertThat(new AllStates(restored, 12 * KEYS).dump()).isEqualTo(expected);
        end(restored);
    }

    @Test
    void aSnapshotOutlivesItsBackend() throws Exception {
        AbstractKeyedStateBackend<String> backend = backend();
        new AllStates(backend, KEYS).fill();
        var future = backend.snapshot(
                1,
                1,
                new org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory(1 << 20),
                org.apache.flink.runtime.checkpoint.CheckpointOptions.forCheckpointWithDefaultLocation());
        end(backend);
        future.run();
        assertThat(future.isCancelled()).isTrue();
    }

    @Test
    void twoBackendsOfASlotShareItsMemory() throws Exception {
        AbstractKeyedStateBackend<String> first = backend();
        AllStates firstStates = new AllStates(first, KEYS);
        firstStates.fill();
        long allocated = Memory.allocatedBytes();
        AbstractKeyedStateBackend<String> second = backend();
        AllStates secondStates = new AllStates(second, KEYS);
        secondStates.fill();
        assertThat(Memory.allocatedBytes() - allocated).isLessThan(1 << 20);
        assertThat(secondStates.dump()).isEqualTo(firstStates.dump());
        end(first);
        assertThat(secondStates.dump()).isNotEmpty();
        end(second);
    }

    /** A failed task closes its backends before its operators, whose end may use state. */
    @Test
    void stateCanBeUsedBehindTheCloseOfItsOwnTaskUntilItDisposes() throws Exception {
        fixture.mailbox();
        AbstractKeyedStateBackend<String> backend = backend();
        AllStates states = new AllStates(backend, KEYS);
        states.fill();
        Map<String, String> expected = states.dump();
        backend.close();
        assertThat(states.dump()).isEqualTo(expected);
        states.fill();
        backend.dispose();
        assertThatThrownBy(states::fill)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected keyed state to be used before its task ends");
    }

    @Test
    void aBackendThatOnlyAnotherThreadClosesIsFreedWhenItsTaskEnds() throws Exception {
        CompletableFuture<AbstractKeyedStateBackend<String>> opened = new CompletableFuture<>();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        FutureTask<Map<String, String>> work = new FutureTask<>(() -> {
            try {
                fixture.mailbox();
                AbstractKeyedStateBackend<String> backend = backend();
                AllStates states = new AllStates(backend, KEYS);
                states.fill();
                Map<String, String> expected = states.dump();
                opened.complete(backend);
                closed.join();
                assertThat(states.dump()).isEqualTo(expected);
                return expected;
            } catch (Throwable e) {
                opened.completeExceptionally(e);
                throw e;
            }
        });
        Thread task = new Thread(work);
        task.start();
        opened.get().close();
        closed.complete(null);
        assertThat(work.get()).isNotEmpty();
        task.join();
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (isReleasing() && System.nanoTime() < deadline) {
            Thread.sleep(10);
        }
        assertThat(isReleasing()).isFalse();
    }

    private static boolean isReleasing() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("drey-release"));
    }
}
