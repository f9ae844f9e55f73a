package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.RunnableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateUtil;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several checkpoints under way: their asynchronous parts run in any order, are acknowledged in any order, complete,
 * fail or are overtaken, while Flink's own registry deletes what it may. Every checkpoint that completes is restored
 * and compared.
 */
@Tag(Effort.TAG)
class OverlappingCheckpointsModelTest {
    private static final int CASES = 12;
    private static final int STEPS = 120;
    private static final int OVERLAPPING_MAX = 4;
    private static final int KEYS = 40;

    @TempDir
    Path directory;

    private int outOfOrder;
    private int completed;
    private long reused;

    @Test
    void everyCompletedCheckpointCanBeRestored() {
        Seeds.cases(CASES, seed -> {
            History history = new History(seed);
            for (int step = 0; step < STEPS; step++) {
                history.step();
            }
            history.end();
        });
        assertThat(completed).isGreaterThan(5 * CASES);
        assertThat(outOfOrder).isGreaterThan(2 * CASES);
        assertThat(reused).as("files referred to, not uploaded").isGreaterThan(5 * CASES);
    }

    /** A checkpoint between the barrier and its end. */
    private static final class UnderWay {
        private final RunnableFuture<SnapshotResult<KeyedStateHandle>> future;
        private final Map<String, List<String>> content;
        private KeyedStateHandle handle;
        private boolean acknowledged;

        UnderWay(RunnableFuture<SnapshotResult<KeyedStateHandle>> future, Map<String, List<String>> content) {
            this.future = future;
            this.content = content;
        }
    }

    private final class History {
        private final SplittableRandom random;
        private final BackendFixture fixture = new BackendFixture(directory.resolve("local"));
        private final CheckpointStreamFactory streams;
        private final AbstractKeyedStateBackend<String> backend;
        private final ListState<String> list;
        private final Map<String, List<String>> model = new HashMap<>();
        private final Path storage = Files.createTempDirectory(directory, "storage");
        private final SharedStateRegistry registry = new SharedStateRegistryImpl();
        private final TreeMap<Long, UnderWay> underWay = new TreeMap<>();
        private KeyedStateHandle retained;
        private long lastId;
        private long lastRun;

        History(long seed) throws Exception {
            random = new SplittableRandom(seed);
            streams = new FsCheckpointStreamFactory(
                    FileSystem.getLocalFileSystem(),
                    new org.apache.flink.core.fs.Path(storage.resolve("own").toUri()),
                    new org.apache.flink.core.fs.Path(storage.resolve("shared").toUri()),
                    0,
                    4096);
            Files.createDirectory(storage.resolve("own"));
            Files.createDirectory(storage.resolve("shared"));
            backend = fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
            list = list(backend);
        }

        private ListState<String> list(AbstractKeyedStateBackend<String> of) throws Exception {
            return of.getPartitionedState(
                    VoidNamespace.INSTANCE,
                    VoidNamespaceSerializer.INSTANCE,
                    new ListStateDescriptor<>("list", StringSerializer.INSTANCE));
        }

        void step() throws Exception {
            switch (random.nextInt(10)) {
                case 0, 1 -> write();
                case 2, 3 -> begin();
                case 4, 5 -> run();
                case 6, 7 -> acknowledge();
                case 8 -> complete();
                default -> {
                    if (random.nextInt(3) == 0) {
                        abort();
                    }
                }
            }
        }

        private void write() throws Exception {
            for (int i = random.nextInt(20); i >= 0; i--) {
                String key = "k" + random.nextInt(KEYS);
                backend.setCurrentKey(key);
                String element = "e" + random.nextInt();
                list.add(element);
                model.computeIfAbsent(key, absent -> new ArrayList<>()).add(element);
            }
        }

        private void begin() throws Exception {
            if (underWay.size() < OVERLAPPING_MAX) {
                long id = ++lastId;
                Map<String, List<String>> content = new HashMap<>();
                model.forEach((key, elements) -> content.put(key, List.copyOf(elements)));
                underWay.put(
                        id,
                        new UnderWay(
                                backend.snapshot(id, id, streams, CheckpointOptions.forCheckpointWithDefaultLocation()),
                                content));
            }
        }

        /** One of those under way that are as wanted; null if there is none. */
        private Long any(Predicate<UnderWay> wanted) {
            List<Long> ids = new ArrayList<>();
            underWay.forEach((id, checkpoint) -> {
                if (wanted.test(checkpoint)) {
                    ids.add(id);
                }
            });
            return ids.isEmpty() ? null : ids.get(random.nextInt(ids.size()));
        }

        private void run() throws Exception {
            Long id = any(checkpoint -> checkpoint.handle == null);
            if (id != null) {
                UnderWay checkpoint = underWay.get(id);
                checkpoint.future.run();
                checkpoint.handle = checkpoint.future.get().getJobManagerOwnedSnapshot();
                outOfOrder += id < lastRun ? 1 : 0;
                lastRun = Math.max(lastRun, id);
                reused += BackendFixture.referred(checkpoint.handle);
            }
        }

        private void acknowledge() {
            Long id = any(checkpoint -> checkpoint.handle != null && !checkpoint.acknowledged);
            if (id != null) {
                underWay.get(id).handle.registerSharedStates(registry, id);
                underWay.get(id).acknowledged = true;
            }
        }

        private void complete() throws Exception {
            Long id = any(checkpoint -> checkpoint.acknowledged);
            if (id == null) {
                return;
            }
            UnderWay checkpoint = underWay.remove(id);
            for (Long older : List.copyOf(underWay.headMap(id).keySet())) {
                abort(older);
            }
            registry.checkpointCompleted(id);
            registry.unregisterUnusedState(id);
            if (retained != null) {
                retained.discardState();
            }
            retained = checkpoint.handle;
            completed++;
            check(checkpoint);
            if (random.nextInt(5) != 0) {
                backend.notifyCheckpointComplete(id);
            }
        }

        private void abort() throws Exception {
            Long id = any(checkpoint -> true);
            if (id != null) {
                abort(id);
            }
        }

        private void abort(long id) throws Exception {
            UnderWay checkpoint = underWay.remove(id);
            if (checkpoint.acknowledged) {
                // The job manager keeps what is shared until a later checkpoint completes.
                checkpoint.handle.discardState();
            } else {
                StateUtil.discardStateFuture(checkpoint.future);
            }
            if (random.nextInt(5) != 0) {
                backend.notifyCheckpointAborted(id);
            }
        }

        private void check(UnderWay checkpoint) throws Exception {
            AbstractKeyedStateBackend<String> restored =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(checkpoint.handle));
            ListState<String> found = list(restored);
            for (int key = 0; key < KEYS; key++) {
                restored.setCurrentKey("k" + key);
                assertThat(found.get()).isEqualTo(checkpoint.content.get("k" + key));
            }
            restored.close();
            restored.dispose();
        }

        private void end() throws Exception {
            for (Long id : List.copyOf(underWay.keySet())) {
                abort(id);
            }
            registry.unregisterUnusedState(Long.MAX_VALUE);
            if (retained != null) {
                retained.discardState();
            }
            backend.close();
            backend.dispose();
            fixture.close();
            try (Stream<Path> files = Files.walk(storage)) {
                assertThat(files.filter(Files::isRegularFile))
                        .as("files that nothing refers to")
                        .isEmpty();
            }
        }
    }
}
