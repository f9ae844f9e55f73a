package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.flink.state.options.DreyOptions;
import io.drey.flink.state.options.MetricLevel;
import io.drey.foundation.Memory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.DirectoryStateHandle;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backends that work while most of what they were restored from is still in the checkpoint storage. */
class LazyRestoreTest {
    private static final int BYTES = 6_000_000;

    /** So large that they go into value logs, which are deleted without being read. */
    private static final int LARGE_BYTES = 8_000;

    /** Those of a run that is not read as a whole when it is opened. */
    private static final int RUN_KEYS = 400;

    @TempDir
    Path directory;

    @TempDir
    Path storage;

    /** Of what each file begins with, behind kind and version. */
    private static final int ID_OFFSET = 12;

    private static final Duration TIME_TO_LIVE = Duration.ofSeconds(1);

    private final QueuedTasks tasks = new QueuedTasks();
    private final SplittableRandom random = new SplittableRandom(3);
    private final Map<Integer, byte[]> model = new HashMap<>();
    private BackendFixture fixture;
    private int valueBytes = 1_000;
    private RecordedMetrics metrics;
    private AbstractKeyedStateBackend<String> backend;
    private ValueState<byte[]> value;
    private final AtomicLong now = new AtomicLong(50_000);
    private boolean ages;
    private long allocatedBefore;

    @BeforeEach
    void open() throws Exception {
        allocatedBefore = Memory.allocatedBytes();
        fixture = new BackendFixture(directory, tasks);
        fixture.storage(storage);
        fixture.time(now::get);
        openOn();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        end();
        fixture.close();
        assertThat(Memory.allocatedBytes()).as("memory outside the heap").isEqualTo(allocatedBefore);
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    private void openOn(KeyedStateHandle... handles) throws Exception {
        openOn(new KeyGroupRange(0, BackendFixture.KEY_GROUPS - 1), handles);
    }

    private void openOn(KeyGroupRange keyGroups, KeyedStateHandle... handles) throws Exception {
        Configuration options = new Configuration();
        options.set(DreyOptions.METRICS, MetricLevel.FULL);
        options.set(DreyOptions.RESTORE_LAZY, true);
        options.set(DreyOptions.OBJECT_CACHE_ENTRIES, 0);
        metrics = new RecordedMetrics();
        fixture.metrics(metrics);
        backend = new SurroundedBackend()
                .restores(tasks)
                .open(options, fixture.parameters(StringSerializer.INSTANCE, keyGroups, List.of(handles)));
        ValueStateDescriptor<byte[]> descriptor =
                new ValueStateDescriptor<>("value", BytePrimitiveArraySerializer.INSTANCE);
        if (ages) {
            descriptor.enableTimeToLive(StateTtlConfig.newBuilder(TIME_TO_LIVE).build());
        }
        value = backend.getPartitionedState("", StringSerializer.INSTANCE, descriptor);
    }

    private void end() throws IOException {
        backend.close();
        backend.dispose();
    }

    private long bytesLeft() {
        return (Long) metrics.value("drey.restoreBytesLeft");
    }

    private int keys() {
        return BYTES / valueBytes;
    }

    private static int keyGroup(int key) {
        return KeyGroupRangeAssignment.assignToKeyGroup("key" + key, BackendFixture.KEY_GROUPS);
    }

    private void put(int key) throws Exception {
        byte[] bytes = new byte[valueBytes];
        random.nextBytes(bytes);
        model.put(key, bytes);
        backend.setCurrentKey("key" + key);
        value.update(bytes);
    }

    private void fill() throws Exception {
        for (int key = 0; key < keys(); key++) {
            put(key);
        }
    }

    private void check(int key) throws Exception {
        backend.setCurrentKey("key" + key);
        if (backend.getKeyGroupRange().contains(backend.getCurrentKeyGroupIndex())) {
            assertThat(value.value()).as("key %d", key).isEqualTo(model.get(key));
        }
    }

    private void checkAll() throws Exception {
        for (int key = 0; key < keys(); key++) {
            check(key);
        }
    }

    private static Set<String> files(KeyedStateHandle handle) {
        Set<String> files = new HashSet<>();
        ((IncrementalRemoteKeyedStateHandle) handle)
                .getSharedState()
                .forEach(file -> file.getHandle().maybeGetPath().ifPresent(path -> files.add(path.getPath())));
        return files;
    }

    /** As the job manager does once a checkpoint is complete. */
    private void deleteAllBut(Set<String> listed) throws IOException {
        List<Path> unlisted;
        try (Stream<Path> files = Files.walk(storage.resolve("shared"))) {
            unlisted = files.filter(Files::isRegularFile)
                    .filter(file -> !listed.contains(file.toString()))
                    .toList();
        }
        for (Path file : unlisted) {
            // Also for those who have it open.
            Files.newByteChannel(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                    .close();
            Files.delete(file);
        }
    }

    /** State Processor's executor runs in the calling thread, whose stack has an end. */
    @Test
    void whereNoOtherThreadCouldFetchThemAllFilesAreThereFromTheFirst() throws Exception {
        fill();
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        end();
        fixture.close();
        AtomicInteger depth = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        fixture = new BackendFixture(
                directory, new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
                    @Override
                    public void execute(Runnable task) {
                        deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
                        task.run();
                        depth.decrementAndGet();
                    }
                });
        openOn(handle);
        assertThat(deepest.get()).isLessThan(2);
        assertThat(bytesLeft()).isZero();
        assertThat((Long) metrics.value("drey.restoreMillis")).isPositive();
        deleteAllBut(Set.of());
        checkAll();
    }

    /** A backend with a checkpoint, restored from it. */
    private KeyedStateHandle fillAndRestore() throws Exception {
        fill();
        KeyedStateHandle handle = fixture.completed(backend);
        end();
        openOn(handle);
        assertThat(bytesLeft()).as("bytes still to come").isGreaterThan(BYTES / 2L);
        return handle;
    }

    @Test
    void stateIsReadBeforeTheFilesAreLocalAndThenTheStorageIsNotNeeded() throws Exception {
        fillAndRestore();
        long before = bytesLeft();
        for (int key = 0; key < keys(); key += keys() / 20) {
            check(key);
        }
        assertThat(bytesLeft()).isLessThan(before).isPositive();
        assertThat((Long) metrics.value("drey.restoreRangesRead")).isPositive();
        assertThat(tasks.run(Integer.MAX_VALUE)).isFalse();
        assertThat(bytesLeft()).isZero();
        deleteAllBut(Set.of());
        checkAll();
    }

    /** A job that fails soon after each checkpoint comes no further than to the next one, time after time. */
    @Test
    void youngFilesAreCompactedWhenAllHaveComeAndNotOnlyAfterTheNextCheckpoint() throws Exception {
        int youngMax = DreyOptions.YOUNG_RUNS_MAX.defaultValue();
        for (int run = 0; run <= youngMax; run++) {
            for (int key = 0; key < RUN_KEYS; key++) {
                put(key);
            }
            KeyedStateHandle handle = fixture.completed(backend);
            end();
            openOn(handle);
        }
        assertThat(bytesLeft()).isPositive();
        assertThat(tasks.run(Integer.MAX_VALUE)).isFalse();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (youngRuns() > youngMax && System.nanoTime() < deadline) {
            check(0);
            Thread.sleep(1);
        }
        assertThat(youngRuns()).isLessThanOrEqualTo(youngMax);
    }

    private int youngRuns() {
        return ((Number) metrics.value("drey.youngRuns")).intValue();
    }

    /** A local copy of what a full checkpoint lists: what others have uploaded is known by name only. */
    private KeyedStateHandle localCopy(KeyedStateHandle handle, Path to) throws IOException {
        IncrementalRemoteKeyedStateHandle remote = (IncrementalRemoteKeyedStateHandle) handle;
        List<HandleAndLocalPath> placeholders = new ArrayList<>();
        for (HandleAndLocalPath file : remote.getSharedState()) {
            try (InputStream in = file.getHandle().openInputStream()) {
                Files.copy(in, to.resolve(file.getLocalPath()));
            }
            placeholders.add(HandleAndLocalPath.of(
                    new PlaceholderStreamStateHandle(
                            file.getHandle().getStreamStateHandleID(),
                            file.getHandle().getStateSize(),
                            false),
                    file.getLocalPath()));
        }
        return new IncrementalLocalKeyedStateHandle(
                remote.getBackendIdentifier(),
                remote.getCheckpointId(),
                DirectoryStateHandle.forPathWithSize(to),
                remote.getKeyGroupRange(),
                remote.getMetaDataStateHandle(),
                placeholders);
    }

    /** After a change of parallelism one of two parents may be here, and not the first one. */
    @Test
    void aFileThatOneParentHasInAPackIsTakenFromTheLocalCopyOfAnother(@TempDir Path copy) throws Exception {
        valueBytes = 200;
        for (int key = 0; key < 3_000; key++) {
            put(key);
        }
        KeyedStateHandle both = fixture.completed(backend);
        end();
        openOn(new KeyGroupRange(0, 4), both);
        tasks.run(Integer.MAX_VALUE);
        for (int key = 3_000; key < 6_000; key++) {
            if (keyGroup(key) <= 4) {
                put(key);
            }
        }
        KeyedStateHandle first = fixture.completedFull(backend);
        end();
        openOn(new KeyGroupRange(5, 9), both);
        KeyedStateHandle second = fixture.completedFull(backend);
        end();
        assertThat(files(first)).as("packs").hasSize(1).doesNotContainAnyElementsOf(files(second));
        openOn(localCopy(second, copy), first);
        for (int key = 0; key < 6_000; key++) {
            check(key);
        }
        KeyedStateHandle third = fixture.completed(backend);
        deleteAllBut(Stream.of(files(third), files(second)).flatMap(Set::stream).collect(Collectors.toSet()));
        for (int key = 0; key < 6_000; key++) {
            check(key);
        }
    }

    @Test
    void ofKeyGroupsThatARunHasNoneOfItsFileIsNotNeeded() throws Exception {
        for (int key = 0; key < keys(); key++) {
            if (keyGroup(key) > 4) {
                put(key);
            }
        }
        Set<String> upper = files(fixture.completed(backend));
        for (int key = 0; key < keys(); key++) {
            if (keyGroup(key) <= 4) {
                put(key);
            }
        }
        KeyedStateHandle both = fixture.completed(backend);
        end();
        for (String file : upper) {
            Files.delete(Path.of(file));
        }
        openOn(new KeyGroupRange(0, 4), both);
        for (int key = 0; key < keys(); key++) {
            if (keyGroup(key) <= 4) {
                check(key);
            }
        }
    }

    @Test
    void aCheckpointInTheMiddleListsWhatIsThereAlreadyAndCanBeRestored() throws Exception {
        Set<String> first = files(fillAndRestore());
        tasks.run(2);
        for (int key = 0; key < keys(); key += 10) {
            put(key);
        }
        long left = bytesLeft();
        assertThat(left).isPositive();
        KeyedStateHandle second = fixture.completed(backend);
        assertThat(bytesLeft()).as("nothing was fetched for it").isEqualTo(left);
        assertThat(files(second)).containsAll(first);
        end();
        openOn(second);
        assertThat(bytesLeft()).isPositive();
        checkAll();
    }

    @Test
    void afterAFullCheckpointTheRestoredFilesAreNotNeeded() throws Exception {
        KeyedStateHandle first = fillAndRestore();
        KeyedStateHandle full = fixture.fullCheckpoint(backend, 50);
        assertThat(bytesLeft()).isZero();
        assertThat(files(full)).doesNotContainAnyElementsOf(files(first));
        deleteAllBut(files(full));
        checkAll();
        end();
        openOn(full);
        checkAll();
    }

    private RunnableFuture<SnapshotResult<KeyedStateHandle>> savepoint() throws Exception {
        SavepointResources<String> resources = backend.savepoint();
        return new SnapshotStrategyRunner<>(
                        "savepoint",
                        new SavepointSnapshotStrategy<>(resources.getSnapshotResources()),
                        new CloseableRegistry(),
                        resources.getPreferredSnapshotExecutionType())
                .snapshot(
                        1_000,
                        1_000,
                        fixture.streams(),
                        new CheckpointOptions(
                                SavepointType.savepoint(SavepointFormatType.CANONICAL),
                                CheckpointStorageLocationReference.getDefault()));
    }

    /** The savepoint reads files that the job manager may delete once the checkpoints have dropped them. */
    @Test
    void anOlderSnapshotKeepsWhatLaterCheckpointsDrop() throws Exception {
        end();
        ages = true;
        valueBytes = LARGE_BYTES;
        openOn();
        Set<String> restored = files(fillAndRestore());
        RunnableFuture<SnapshotResult<KeyedStateHandle>> savepoint = savepoint();
        long then = now.getAndAdd(TIME_TO_LIVE.toMillis() + 1);
        put(keys());
        Set<String> listed = files(fixture.completed(backend));
        assertThat(listed).as("files after all has expired").isNotEmpty().doesNotContainAnyElementsOf(restored);
        deleteAllBut(listed);
        now.set(then);
        savepoint.run();
        end();
        openOn(savepoint.get().getJobManagerOwnedSnapshot());
        checkAll();
    }

    @Test
    void aRescaledBackendReadsPartsOfItsParentsByRange() throws Exception {
        fill();
        KeyedStateHandle whole = fixture.completed(backend);
        end();
        openOn(new KeyGroupRange(0, 2), whole);
        assertThat(bytesLeft()).isPositive();
        KeyedStateHandle left = fixture.completed(backend);
        end();
        openOn(new KeyGroupRange(3, 9), whole);
        assertThat(bytesLeft()).isPositive();
        KeyedStateHandle right = fixture.completed(backend);
        end();
        openOn(left, right);
        assertThat(bytesLeft()).isPositive();
        checkAll();
    }

    /** Both halves have uploaded the files that they share: what the next checkpoint lists is one of two. */
    @Test
    void aFileOfTwoParentsComesFromWhereTheNextCheckpointListsIt() throws Exception {
        fill();
        KeyedStateHandle whole = fixture.completed(backend);
        end();
        openOn(new KeyGroupRange(0, 2), whole);
        KeyedStateHandle left = fixture.completedFull(backend);
        end();
        openOn(new KeyGroupRange(3, 9), whole);
        KeyedStateHandle right = fixture.completedFull(backend);
        end();
        openOn(left, right);
        Set<String> listed = files(fixture.completed(backend));
        assertThat(bytesLeft()).isPositive();
        deleteAllBut(listed);
        assertThat(tasks.run(Integer.MAX_VALUE)).isFalse();
        checkAll();
    }

    /** After as many attempts as there are, which takes some seconds. */
    @Test
    void aLostFileFailsTheTaskWithItsName() throws Exception {
        fill();
        KeyedStateHandle handle = fixture.completed(backend);
        end();
        fixture.environment.setExpectedExternalFailureCause(IOException.class);
        openOn(handle);
        Set<String> files = files(handle);
        assertThat(files).hasSize(1);
        Path file = Path.of(files.iterator().next());
        try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
            cut.truncate(Files.size(file) / 2);
        }
        tasks.run(Integer.MAX_VALUE);
        assertThat(fixture.environment.getActualExternalFailureCause())
                .hasValueSatisfying(cause -> assertThat(cause)
                        .hasMessageContaining("could not be restored as a whole")
                        .hasMessageContaining(file.toString())
                        .hasMessageContaining("restore from another checkpoint if it is lost"));
        assertThatThrownBy(this::checkAll)
                .satisfies(e ->
                        assertThat(ExceptionUtils.stringifyException(e)).contains(file.toString(), "has not come"));
    }

    @Test
    void aFileThatIsDamagedWhereItBeginsIsNamedAsTheStorageDoes() throws Exception {
        fill();
        KeyedStateHandle handle = fixture.completed(backend);
        end();
        Path file = Path.of(files(handle).iterator().next());
        byte[] bytes = Files.readAllBytes(file);
        bytes[ID_OFFSET] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> openOn(handle))
                .hasMessageContaining("is damaged at byte 0")
                .hasMessageContaining("Here it came from")
                .hasMessageContaining(file.toString());
        openOn();
    }
}
