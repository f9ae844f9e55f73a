package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.retention.SharedName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of files in the checkpoint storage. */
class SharedNamesTest {
    private static final String FLINKS = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    @TempDir
    Path directory;

    private BackendFixture fixture;

    @BeforeEach
    void openFixture() {
        fixture = new BackendFixture(directory.resolve("local"));
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private static Configuration inlineUpTo(int bytes) {
        Configuration options = new Configuration();
        options.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, new MemorySize(bytes));
        return options;
    }

    private AbstractKeyedStateBackend<String> open(Configuration options, List<KeyedStateHandle> from)
            throws IOException {
        return fixture.openInSlowTime(options, StringSerializer.INSTANCE, from);
    }

    private static void put(AbstractKeyedStateBackend<String> backend, String key) throws Exception {
        ValueState<String> state = backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("s", StringSerializer.INSTANCE));
        backend.setCurrentKey(key);
        state.update("value of " + key);
    }

    private FsCheckpointStreamFactory streams(FileSystem fileSystem, String base, int inlineBytesMax)
            throws IOException {
        Files.createDirectories(directory.resolve("storage/chk"));
        Files.createDirectories(directory.resolve("storage/shared"));
        return new FsCheckpointStreamFactory(
                fileSystem,
                new org.apache.flink.core.fs.Path(base + "/chk"),
                new org.apache.flink.core.fs.Path(base + "/shared"),
                inlineBytesMax,
                4096);
    }

    private FsCheckpointStreamFactory streams(int inlineBytesMax) throws IOException {
        return streams(
                FileSystem.getLocalFileSystem(), directory.resolve("storage").toString(), inlineBytesMax);
    }

    private static IncrementalRemoteKeyedStateHandle take(
            AbstractKeyedStateBackend<String> backend,
            long id,
            FsCheckpointStreamFactory streams,
            CheckpointOptions options)
            throws Exception {
        var future = backend.snapshot(id, id, streams, options);
        future.run();
        return (IncrementalRemoteKeyedStateHandle) future.get().getJobManagerOwnedSnapshot();
    }

    private static IncrementalRemoteKeyedStateHandle take(
            AbstractKeyedStateBackend<String> backend, long id, FsCheckpointStreamFactory streams) throws Exception {
        return take(backend, id, streams, CheckpointOptions.forCheckpointWithDefaultLocation());
    }

    private static void end(AbstractKeyedStateBackend<String> backend) throws IOException {
        backend.close();
        backend.dispose();
    }

    private List<String> stored(String place) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("storage").resolve(place))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void aSharedFileIsNamedAfterTheCheckpointThatItWasWrittenFor() throws Exception {
        AbstractKeyedStateBackend<String> backend = open(inlineUpTo(0), List.of());
        put(backend, "a");
        take(backend, 3, streams(0));
        assertThat(stored("shared"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(SharedName.parse(name).first()).isEqualTo(3));
        end(backend);
    }

    /** Also if a job goes back, and its checkpoints get numbers that others had. */
    @Test
    void noNameIsUsedTwiceByAttemptsSubtasksAndRestartsFromAnOlderCheckpoint() throws Exception {
        Set<String> names = new HashSet<>();
        List<KeyedStateHandle> from = List.of();
        for (int attempt = 0; attempt < 4; attempt++) {
            List<AbstractKeyedStateBackend<String>> subtasks = new ArrayList<>();
            for (int subtask = 0; subtask < 2; subtask++) {
                subtasks.add(open(inlineUpTo(0), from));
            }
            for (long id = 5; id < 8; id++) {
                for (AbstractKeyedStateBackend<String> subtask : subtasks) {
                    put(subtask, "key " + id);
                    Set<String> before = new HashSet<>(names);
                    IncrementalRemoteKeyedStateHandle handle = take(subtask, id, streams(0));
                    names.addAll(stored("shared"));
                    assertThat(names).hasSizeGreaterThan(before.size());
                    if (attempt == 0 && id == 5) {
                        from = List.of(handle);
                    }
                }
            }
            for (AbstractKeyedStateBackend<String> subtask : subtasks) {
                end(subtask);
            }
        }
        assertThat(names).allSatisfy(name -> assertThat(SharedName.parse(name)).isNotNull());
        assertThat(names.stream().map(name -> SharedName.parse(name).store()).distinct())
                .hasSize(8);
    }

    @Test
    void whatFlinkKeepsInItsMetaDataStaysThere() throws Exception {
        AbstractKeyedStateBackend<String> backend = open(inlineUpTo(20_000), List.of());
        put(backend, "a");
        IncrementalRemoteKeyedStateHandle handle = take(backend, 1, streams(20_000));
        assertThat(stored("shared")).isEmpty();
        assertThat(handle.getSharedState())
                .isNotEmpty()
                .extracting(HandleAndLocalPath::getHandle)
                .allMatch(file -> file instanceof ByteStreamStateHandle);
        end(backend);
    }

    @Test
    void aSavepointHasFlinksNames() throws Exception {
        AbstractKeyedStateBackend<String> backend = open(inlineUpTo(0), List.of());
        put(backend, "a");
        take(
                backend,
                1,
                streams(0),
                new CheckpointOptions(
                        SavepointType.savepoint(SavepointFormatType.NATIVE),
                        CheckpointStorageLocationReference.getDefault()));
        assertThat(stored("chk")).isNotEmpty().allMatch(name -> name.matches(FLINKS));
        assertThat(stored("shared")).isEmpty();
        end(backend);
    }

    /** It may encrypt them. */
    @Test
    void aStorageThatOverridesFlinksStreamsWritesAllFiles() throws Exception {
        AbstractKeyedStateBackend<String> backend = open(inlineUpTo(0), List.of());
        put(backend, "a");
        Files.createDirectories(directory.resolve("storage/chk"));
        Files.createDirectories(directory.resolve("storage/shared"));
        CountedStreams streams = new CountedStreams(directory.resolve("storage").toString());
        take(backend, 1, streams);
        assertThat(streams.written).isPositive();
        assertThat(Stream.of(stored("chk"), stored("shared")).flatMap(List::stream))
                .hasSize(streams.written)
                .allMatch(name -> name.matches(FLINKS));
        end(backend);
    }

    @Test
    void aCheckpointOutOfOrderHasFlinksNames() throws Exception {
        AbstractKeyedStateBackend<String> backend = open(inlineUpTo(0), List.of());
        put(backend, "a");
        take(backend, 7, streams(0));
        int before = stored("shared").size();
        take(backend, 6, streams(0));
        assertThat(stored("shared").stream().filter(name -> name.matches(FLINKS)))
                .hasSize(stored("shared").size() - before)
                .isNotEmpty();
        end(backend);
    }

    @Test
    void aFileGetsTheEntropyThatItsPathAsksFor() throws Exception {
        AbstractKeyedStateBackend<String> backend = open(inlineUpTo(0), List.of());
        put(backend, "a");
        IncrementalRemoteKeyedStateHandle handle = take(
                backend,
                1,
                streams(
                        new EntropyFileSystem(),
                        EntropyFileSystem.SCHEME + "://" + directory.resolve("storage") + "/_entropy_",
                        0));
        assertThat(handle.getSharedState()).isNotEmpty().allSatisfy(file -> {
            FileStateHandle stored = (FileStateHandle) file.getHandle();
            assertThat(stored.getFilePath().getPath()).matches(".*/storage/e\\d+/shared/drey-1-\\d+-[0-9a-f]{16}");
            assertThat(Path.of(stored.getFilePath().getPath())).hasSize(stored.getStateSize());
        });
        end(backend);
    }

    @Test
    void aFailedCheckpointLeavesNoNamedFile() throws Exception {
        AbstractKeyedStateBackend<String> backend = open(inlineUpTo(0), List.of());
        put(backend, "a");
        var future = backend.snapshot(1, 1, streams(0), CheckpointOptions.forCheckpointWithDefaultLocation());
        future.run();
        future.cancel(true);
        end(backend);
        // Deleted by other threads.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!(stored("shared").isEmpty() && stored("chk").isEmpty()) && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertThat(stored("shared")).isEmpty();
        assertThat(stored("chk")).isEmpty();
    }

    /** Of a storage that is not Flink's. */
    private static final class CountedStreams extends FsCheckpointStreamFactory {
        private int written;

        CountedStreams(String base) {
            super(
                    FileSystem.getLocalFileSystem(),
                    new org.apache.flink.core.fs.Path(base + "/chk"),
                    new org.apache.flink.core.fs.Path(base + "/shared"),
                    0,
                    4096);
        }

        @Override
        public FsCheckpointStateOutputStream createCheckpointStateOutputStream(CheckpointedStateScope scope)
                throws IOException {
            written++;
            return super.createCheckpointStateOutputStream(scope);
        }
    }
}
