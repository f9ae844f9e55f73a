package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many stores of a job in one process: their checkpoints are few files. */
class FewFilesTest {
    private static final int STORES = 40;
    private static final int CHECKPOINTS = 3;
    private static final int KEYS = 100;
    private static final int VALUE_CHARS = 400;

    /** As Flink has it by default. */
    private static final int INLINE_BYTES = 20 << 10;

    @TempDir
    Path directory;

    private final SplittableRandom random = new SplittableRandom(1);
    private final MemoryManager memory = MemoryManager.create(256 << 20, MemoryManager.DEFAULT_PAGE_SIZE);
    private final JobID job = new JobID();
    private final List<BackendFixture> tasks = new ArrayList<>();

    @AfterEach
    void close() {
        tasks.forEach(BackendFixture::close);
    }

    private AbstractKeyedStateBackend<String> open(List<KeyedStateHandle> handles) throws IOException {
        BackendFixture task = new BackendFixture(directory, memory, job);
        tasks.add(task);
        return task.openInSlowTime(new Configuration(), StringSerializer.INSTANCE, handles);
    }

    @Test
    void aCheckpointOfFortyStoresIsThreeNewFilesAtMost() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(STORES);
        SharedStateRegistry registry = new SharedStateRegistryImpl();
        try {
            List<AbstractKeyedStateBackend<String>> stores = new ArrayList<>();
            for (int i = 0; i < STORES; i++) {
                stores.add(open(List.of()));
            }
            CheckpointStreamFactory streams = streams();
            Set<Path> before = files();
            List<KeyedStateHandle> last = List.of();
            for (long id = 1; id <= CHECKPOINTS; id++) {
                for (AbstractKeyedStateBackend<String> store : stores) {
                    fill(store, id);
                }
                last = checkpoint(stores, id, streams, threads);
                Set<Path> found = files();
                found.removeAll(before);
                assertThat(found).as("new files of checkpoint " + id).hasSizeBetween(1, 3);
                for (KeyedStateHandle handle : last) {
                    handle.registerSharedStates(registry, id);
                }
                registry.checkpointCompleted(id);
                for (AbstractKeyedStateBackend<String> store : stores) {
                    store.notifyCheckpointComplete(id);
                }
                registry.unregisterUnusedState(id);
                before = files();
            }
            long listed = last.stream()
                    .flatMap(handle -> ((IncrementalRemoteKeyedStateHandle) handle).getSharedState().stream())
                    .mapToLong(file -> file.getHandle().getStateSize())
                    .sum();
            assertThat(listed).isGreaterThan((long) STORES * KEYS * VALUE_CHARS / 4);
            for (AbstractKeyedStateBackend<String> store : stores) {
                end(store);
            }
            checkRestored(last.get(0));
            checkRestored(last.get(STORES - 1));
        } finally {
            threads.shutdownNow();
        }
    }

    private CheckpointStreamFactory streams() throws IOException {
        return new FsCheckpointStreamFactory(
                FileSystem.getLocalFileSystem(),
                new org.apache.flink.core.fs.Path(Files.createDirectories(directory.resolve("storage/own"))
                        .toUri()),
                new org.apache.flink.core.fs.Path(Files.createDirectories(directory.resolve("storage/shared"))
                        .toUri()),
                INLINE_BYTES,
                4096);
    }

    private Set<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve("storage"))) {
            return all.filter(Files::isRegularFile).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static ValueState<String> state(AbstractKeyedStateBackend<String> store) throws Exception {
        return store.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("value", String.class));
    }

    private void fill(AbstractKeyedStateBackend<String> store, long id) throws Exception {
        ValueState<String> state = state(store);
        for (int key = 0; key < KEYS; key++) {
            store.setCurrentKey("key" + key);
            state.update(key + " of " + id + " " + noise());
        }
    }

    /** What cannot be compressed. */
    private String noise() {
        return random.ints(VALUE_CHARS, '0', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, (a, b) -> {})
                .toString();
    }

    private static List<KeyedStateHandle> checkpoint(
            List<AbstractKeyedStateBackend<String>> stores,
            long id,
            CheckpointStreamFactory streams,
            ExecutorService threads)
            throws Exception {
        List<RunnableFuture<SnapshotResult<KeyedStateHandle>>> futures = new ArrayList<>();
        for (AbstractKeyedStateBackend<String> store : stores) {
            futures.add(store.snapshot(id, id, streams, CheckpointOptions.forCheckpointWithDefaultLocation()));
        }
        List<Future<?>> running = futures.stream().map(threads::submit).collect(Collectors.toList());
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (int i = 0; i < running.size(); i++) {
            running.get(i).get();
            handles.add(futures.get(i).get().getJobManagerOwnedSnapshot());
        }
        return handles;
    }

    private void checkRestored(KeyedStateHandle handle) throws Exception {
        AbstractKeyedStateBackend<String> store = open(List.of(handle));
        ValueState<String> state = state(store);
        for (int key = 0; key < KEYS; key++) {
            store.setCurrentKey("key" + key);
            assertThat(state.value()).startsWith(key + " of " + CHECKPOINTS + " ");
        }
        end(store);
    }

    private static void end(AbstractKeyedStateBackend<String> store) throws IOException {
        store.close();
        store.dispose();
    }
}
