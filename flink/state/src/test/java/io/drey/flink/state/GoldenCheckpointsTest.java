package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.options.DreyOptions;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checkpoints and savepoints of every version that wrote another format, as Flink's metadata with all bytes in them:
 * each must be restored for ever. {@code docs/reference/compatibility.md} has a line for each.
 *
 * <p>{@code -Ddrey.golden.write=NAME} makes the files of a new version; those that are there are never written again.
 */
class GoldenCheckpointsTest {
    private static final String WRITE = "drey.golden.write";
    private static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final String CHECKPOINT = "checkpoint.bin";
    private static final String NATIVE = "savepoint-native.bin";
    private static final String CANONICAL = "savepoint-canonical.bin";
    private static final String CONTENT = "content.txt";

    /** A checkpoint of timers most of which are far, in sets from 2 on. */
    private static final String FAR_TIMERS = "checkpoint-far-timers.bin";

    private static final CheckpointOptions FULL = new CheckpointOptions(
            SavepointType.savepoint(SavepointFormatType.NATIVE), CheckpointStorageLocationReference.getDefault());
    private static final int HALF = BackendFixture.KEY_GROUPS / 2;
    private static final int LAST = BackendFixture.KEY_GROUPS - 1;
    private static final long BYTES_MAX = 250_000;
    private static final int TIMERS = 900;
    private static final int REMOVED = 7;
    private static final int TIMES_FIRED = 10;

    @TempDir
    Path directory;

    private BackendFixture fixture;

    @BeforeEach
    void prepare() {
        fixture = new BackendFixture(directory);
        fixture.time(() -> GoldenStates.NOW);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Path> goldenFiles() throws IOException {
        return sets().flatMap(set -> Stream.of(CHECKPOINT, NATIVE, CANONICAL).map(set::resolve));
    }

    static Stream<Path> goldenTimers() throws IOException {
        return sets().map(set -> set.resolve(FAR_TIMERS)).filter(Files::exists);
    }

    private static Stream<Path> sets() throws IOException {
        String written = System.getProperty(WRITE);
        if (written != null && !Files.exists(GOLDEN.resolve(written))) {
            write(GOLDEN.resolve(written));
        }
        if (written != null && !Files.exists(GOLDEN.resolve(written).resolve(FAR_TIMERS))) {
            writeTimers(GOLDEN.resolve(written).resolve(FAR_TIMERS));
        }
        try (Stream<Path> files = Files.list(GOLDEN)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void isRestoredAndGoesOn(Path file) throws Exception {
        List<String> expected = Files.readAllLines(file.resolveSibling(CONTENT));
        AbstractKeyedStateBackend<String> backend = open(0, BackendFixture.KEY_GROUPS - 1, read(file));
        GoldenStates states = new GoldenStates(backend);
        assertThat(lines(states.dump())).isEqualTo(expected);
        states.fill(3);
        Map<String, String> later = states.dump();
        KeyedStateHandle handle = fixture.snapshot(backend, 100, FULL);
        end(backend);
        backend = open(0, BackendFixture.KEY_GROUPS - 1, handle);
        assertThat(new GoldenStates(backend).dump()).isEqualTo(later);
        end(backend);
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void isRestoredInTwoHalves(Path file) throws Exception {
        List<String> expected = Files.readAllLines(file.resolveSibling(CONTENT));
        AbstractKeyedStateBackend<String> first = open(0, HALF - 1, read(file));
        Map<String, String> found = new TreeMap<>(new GoldenStates(first).dump());
        end(first);
        AbstractKeyedStateBackend<String> second = open(HALF, BackendFixture.KEY_GROUPS - 1, read(file));
        found.putAll(new GoldenStates(second).dump());
        end(second);
        assertThat(lines(found)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("goldenTimers")
    void farTimersFireOnceEachInTheirOrder(Path file) throws Exception {
        TreeSet<String> found = new TreeSet<>();
        for (KeyGroupRange half : List.of(new KeyGroupRange(0, HALF - 1), new KeyGroupRange(HALF, LAST))) {
            AbstractKeyedStateBackend<String> backend =
                    fixture.open(farTimers(), StringSerializer.INSTANCE, half, List.of(read(file)));
            found.addAll(fired(backend));
            end(backend);
        }
        AbstractKeyedStateBackend<String> backend =
                fixture.open(farTimers(), StringSerializer.INSTANCE, List.of(read(file)));
        assertThat(found).isEqualTo(fired(backend)).isEqualTo(timersLeft());
        end(backend);
    }

    /** Keeps as few timers on the heap as it can. */
    private static DreyStateBackend farTimers() {
        Configuration options = new Configuration();
        options.set(DreyOptions.TIMER_CACHE_SIZE, 1);
        return new DreyStateBackend(options);
    }

    private static KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<String, String>> queue(
            AbstractKeyedStateBackend<String> backend) {
        return backend.create("far", new TimerSerializer<>(StringSerializer.INSTANCE, StringSerializer.INSTANCE));
    }

    /** Times are in no order of the keys, and each is there several times. */
    private static TimerHeapInternalTimer<String, String> timer(int i) {
        return new TimerHeapInternalTimer<>(i * 7919L % (TIMERS / 3), "key" + i, "n");
    }

    private static TreeSet<String> fired(AbstractKeyedStateBackend<String> backend) {
        var queue = queue(backend);
        TreeSet<String> fired = new TreeSet<>();
        long last = Long.MIN_VALUE;
        while (!queue.isEmpty()) {
            TimerHeapInternalTimer<String, String> timer = queue.poll();
            assertThat(timer.getTimestamp()).isGreaterThanOrEqualTo(last);
            last = timer.getTimestamp();
            assertThat(fired.add(timer.toString())).isTrue();
        }
        return fired;
    }

    /** All but those that were removed, and those of the first times, which fired. */
    private static TreeSet<String> timersLeft() {
        TreeSet<String> left = new TreeSet<>();
        for (int i = 0; i < TIMERS; i++) {
            if (i % REMOVED != 0 && timer(i).getTimestamp() >= TIMES_FIRED) {
                left.add(timer(i).toString());
            }
        }
        return left;
    }

    private static void writeTimers(Path file) {
        try {
            BackendFixture fixture = new BackendFixture(Files.createTempDirectory("golden"));
            AbstractKeyedStateBackend<String> backend = fixture.open(farTimers(), StringSerializer.INSTANCE, List.of());
            var queue = queue(backend);
            for (int i = 0; i < TIMERS; i++) {
                queue.add(timer(i));
            }
            fixture.completedFull(backend);
            for (int i = 0; i < TIMERS; i += REMOVED) {
                queue.remove(timer(i));
            }
            while (queue.peek().getTimestamp() < TIMES_FIRED) {
                queue.poll();
            }
            write(file, fixture.completedFull(backend));
            end(backend);
            fixture.close();
        } catch (Exception e) {
            throw new IllegalStateException("the golden file " + file + " could not be written", e);
        }
    }

    @Test
    void setsAreSmallAndDocumented() throws IOException {
        String page = Files.readString(page());
        List<Path> sets = sets().toList();
        assertThat(sets).isNotEmpty();
        long bytes = 0;
        for (Path set : sets) {
            assertThat(page).contains("| " + set.getFileName() + " |");
            try (Stream<Path> files = Files.list(set)) {
                for (Path file : files.toList()) {
                    bytes += Files.size(file);
                }
            }
        }
        assertThat(bytes).isLessThan(BYTES_MAX);
    }

    private static Path page() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/reference/compatibility.md"))) {
            at = at.getParent();
        }
        return at.resolve("docs/reference/compatibility.md");
    }

    /** Opens a backend on the part of the handle that the job manager would give to it. */
    private AbstractKeyedStateBackend<String> open(int from, int to, KeyedStateHandle handle) throws IOException {
        KeyGroupRange keyGroups = new KeyGroupRange(from, to);
        return fixture.open(
                new DreyStateBackend(),
                StringSerializer.INSTANCE,
                keyGroups,
                List.of(handle.getIntersection(keyGroups)));
    }

    private static void end(AbstractKeyedStateBackend<?> backend) throws IOException {
        backend.close();
        backend.dispose();
    }

    private static List<String> lines(Map<String, String> dump) {
        return new TreeMap<>(dump)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + " = " + entry.getValue())
                        .toList();
    }

    private static KeyedStateHandle read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            CheckpointMetadata metadata = Checkpoints.loadCheckpointMetadata(
                    new DataInputStream(in),
                    GoldenCheckpointsTest.class.getClassLoader(),
                    file.toUri().toString());
            return metadata.getOperatorStates()
                    .iterator()
                    .next()
                    .getStates()
                    .iterator()
                    .next()
                    .getManagedKeyedState()
                    .iterator()
                    .next();
        }
    }

    private static void write(Path set) {
        try {
            Path scratch = Files.createTempDirectory("golden");
            BackendFixture fixture = new BackendFixture(scratch);
            fixture.time(() -> GoldenStates.NOW);
            fixture.storage(scratch.resolve("storage"));
            // Files of any size are in packs.
            Configuration small = new Configuration();
            small.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, new MemorySize(0));
            AbstractKeyedStateBackend<String> backend =
                    fixture.open(new DreyStateBackend(small), StringSerializer.INSTANCE, List.of());
            GoldenStates states = new GoldenStates(backend);
            states.fill(1);
            fixture.completed(backend);
            states.fill(2);
            Files.createDirectories(set);
            Files.write(set.resolve(CONTENT), lines(states.dump()));
            write(set.resolve(CHECKPOINT), inMemory(fixture.completed(backend)));
            write(set.resolve(NATIVE), inMemory(fixture.snapshot(backend, 3, FULL)));
            KeyGroupsStateHandle canonical = (KeyGroupsStateHandle) fixture.canonicalSavepoint(backend, 4);
            write(
                    set.resolve(CANONICAL),
                    new KeyGroupsSavepointStateHandle(
                            canonical.getGroupRangeOffsets(), inMemory(canonical.getDelegateStateHandle())));
            end(backend);
            fixture.close();
        } catch (Exception e) {
            throw new IllegalStateException("the golden files " + set + " could not be written", e);
        }
    }

    /** The same with all bytes in it, also those of a pack, once for each file that is listed there. */
    private static KeyedStateHandle inMemory(KeyedStateHandle handle) throws IOException {
        IncrementalRemoteKeyedStateHandle files = (IncrementalRemoteKeyedStateHandle) handle;
        return IncrementalRemoteKeyedStateHandle.restore(
                files.getBackendIdentifier(),
                files.getKeyGroupRange(),
                files.getCheckpointId(),
                inMemory(files.getSharedState()),
                inMemory(files.getPrivateState()),
                inMemory(files.getMetaDataStateHandle()),
                files.getCheckpointedSize(),
                files.getStateHandleId());
    }

    private static List<HandleAndLocalPath> inMemory(List<HandleAndLocalPath> files) throws IOException {
        List<HandleAndLocalPath> copies = new ArrayList<>();
        for (HandleAndLocalPath file : files) {
            copies.add(HandleAndLocalPath.of(inMemory(file.getHandle()), file.getLocalPath()));
        }
        return copies;
    }

    private static StreamStateHandle inMemory(StreamStateHandle handle) throws IOException {
        String name = handle.maybeGetPath()
                .map(org.apache.flink.core.fs.Path::getName)
                .orElse("inline");
        try (InputStream in = handle.openInputStream()) {
            return new ByteStreamStateHandle(name, in.readAllBytes());
        }
    }

    private static void write(Path file, KeyedStateHandle handle) throws IOException {
        OperatorState operator = new OperatorState(null, null, new OperatorID(1, 1), 1, BackendFixture.KEY_GROUPS);
        operator.putState(
                0, OperatorSubtaskState.builder().setManagedKeyedState(handle).build());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Checkpoints.storeCheckpointMetadata(
                new CheckpointMetadata(1, List.of(operator), List.of()), new DataOutputStream(bytes));
        Files.write(file, bytes.toByteArray());
    }
}
