package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.options.DreyOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timers, near and far, through checkpoints and savepoints of a whole backend: each comes back once, or not at all. */
class TimerSnapshotTest {
    private static final int TIMERS = 2_000;

    @TempDir
    Path directory;

    private BackendFixture fixture;
    private final List<AbstractKeyedStateBackend<String>> opened = new ArrayList<>();
    private final Map<
                    AbstractKeyedStateBackend<String>,
                    KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<String, String>>>
            queues = new HashMap<>();

    @BeforeEach
    void open() {
        fixture = new BackendFixture(directory);
    }

    @AfterEach
    void close() throws Exception {
        for (AbstractKeyedStateBackend<String> backend : opened) {
            backend.close();
            backend.dispose();
        }
        fixture.close();
    }

    /** Keeps so few timers on the heap that most of them are far. */
    private static AbstractStateBackend drey() {
        Configuration options = new Configuration();
        options.set(DreyOptions.TIMER_CACHE_SIZE, 1);
        options.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, false);
        return new DreyStateBackend(options);
    }

    private AbstractKeyedStateBackend<String> backend(AbstractStateBackend type, KeyedStateHandle... handles)
            throws Exception {
        return backend(type, new KeyGroupRange(0, BackendFixture.KEY_GROUPS - 1), handles);
    }

    private AbstractKeyedStateBackend<String> backend(
            AbstractStateBackend type, KeyGroupRange keyGroups, KeyedStateHandle... handles) throws Exception {
        AbstractKeyedStateBackend<String> backend =
                fixture.open(type, StringSerializer.INSTANCE, keyGroups, Arrays.asList(handles));
        opened.add(backend);
        return backend;
    }

    private KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<String, String>> queue(
            AbstractKeyedStateBackend<String> backend) {
        return queues.computeIfAbsent(
                backend,
                b -> b.create("timers", new TimerSerializer<>(StringSerializer.INSTANCE, StringSerializer.INSTANCE)));
    }

    private static TimerHeapInternalTimer<String, String> timer(int i) {
        return new TimerHeapInternalTimer<>((i * 7919L) % TIMERS - 100, "key" + i, "n".repeat(i % 3));
    }

    private void fill(AbstractKeyedStateBackend<String> backend) {
        var queue = queue(backend);
        for (int i = 0; i < TIMERS; i++) {
            if (backend.getKeyGroupRange()
                    .contains(KeyGroupRangeAssignment.assignToKeyGroup("key" + i, BackendFixture.KEY_GROUPS))) {
                queue.add(timer(i));
            }
        }
    }

    /** Takes timers in the order of their times. */
    private TreeSet<String> poll(AbstractKeyedStateBackend<String> backend, int count) {
        var queue = queue(backend);
        TreeSet<String> polled = new TreeSet<>();
        long last = Long.MIN_VALUE;
        for (int i = 0; i < count && !queue.isEmpty(); i++) {
            TimerHeapInternalTimer<String, String> timer = queue.poll();
            assertThat(timer.getTimestamp()).isGreaterThanOrEqualTo(last);
            last = timer.getTimestamp();
            assertThat(polled.add(timer.toString())).isTrue();
        }
        return polled;
    }

    private static TreeSet<String> all() {
        TreeSet<String> all = new TreeSet<>();
        for (int i = 0; i < TIMERS; i++) {
            all.add(timer(i).toString());
        }
        return all;
    }

    /** As Flink's changelog does: once to apply its log, once for the operator. */
    @Test
    void aQueueThatIsAskedForAgainHasTheSameTimers() throws Exception {
        AbstractKeyedStateBackend<String> backend = backend(drey());
        fill(backend);
        TreeSet<String> fired = poll(backend, 300);
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        AbstractKeyedStateBackend<String> restored = backend(drey(), handle);
        queues.put(
                restored,
                restored.create(
                        "timers", new TimerSerializer<>(StringSerializer.INSTANCE, StringSerializer.INSTANCE), true));
        fired.addAll(poll(restored, 400));
        TimerHeapInternalTimer<String, String> added = new TimerHeapInternalTimer<>(-1_000, "added", "");
        queue(restored).add(added);
        queues.remove(restored);
        assertThat(queue(restored).size()).isEqualTo(TIMERS - fired.size() + 1);
        assertThat(queue(restored).poll()).isEqualTo(added);
        TreeSet<String> left = poll(restored, TIMERS);
        assertThat(left).doesNotContainAnyElementsOf(fired);
        left.addAll(fired);
        assertThat(left).isEqualTo(all());
    }

    @Test
    void timersThatFiredBeforeACheckpointDoNotComeBack() throws Exception {
        AbstractKeyedStateBackend<String> backend = backend(drey());
        fill(backend);
        TreeSet<String> fired = poll(backend, 700);
        fixture.checkpoint(backend, 1);
        fired.addAll(poll(backend, 500));
        KeyedStateHandle handle = fixture.checkpoint(backend, 2);
        poll(backend, 300);

        AbstractKeyedStateBackend<String> restored = backend(drey(), handle);
        TreeSet<String> left = poll(restored, TIMERS);
        assertThat(left).hasSize(TIMERS - fired.size()).doesNotContainAnyElementsOf(fired);
        left.addAll(fired);
        assertThat(left).isEqualTo(all());
        assertThat(queue(restored).size()).isZero();
    }

    @Test
    void timersThatFiredAfterASavepointAreNotInLaterCheckpoints() throws Exception {
        AbstractKeyedStateBackend<String> backend = backend(drey());
        fill(backend);
        fixture.canonicalSavepoint(backend, 1);
        TreeSet<String> fired = poll(backend, 1_500);
        KeyedStateHandle handle = fixture.checkpoint(backend, 2);
        AbstractKeyedStateBackend<String> restored = backend(drey(), handle);
        assertThat(queue(restored).size()).isEqualTo(TIMERS - fired.size());
        assertThat(poll(restored, TIMERS)).doesNotContainAnyElementsOf(fired);
    }

    @Test
    void timersOfAQueueThatNobodyAskedForAreInSnapshotsAsWell() throws Exception {
        AbstractKeyedStateBackend<String> backend = backend(drey());
        fill(backend);
        KeyedStateHandle first = fixture.checkpoint(backend, 1);

        AbstractKeyedStateBackend<String> untouched = backend(drey(), first);
        KeyedStateHandle second = fixture.checkpoint(untouched, 2);
        KeyedStateHandle savepoint = fixture.canonicalSavepoint(untouched, 3);
        KeyedStateHandle third = fixture.checkpoint(untouched, 4);
        for (KeyedStateHandle handle : List.of(second, savepoint, third)) {
            assertThat(poll(backend(drey(), handle), TIMERS)).isEqualTo(all());
        }
        assertThat(poll(backend(new HashMapStateBackend(), savepoint), TIMERS)).isEqualTo(all());
        assertThat(poll(untouched, TIMERS)).isEqualTo(all());
    }

    @Test
    void timersCrossChangesOfParallelism() throws Exception {
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (KeyGroupRange range : List.of(new KeyGroupRange(0, 3), new KeyGroupRange(4, 9))) {
            AbstractKeyedStateBackend<String> backend = backend(drey(), range);
            fill(backend);
            handles.add(fixture.checkpoint(backend, 1));
        }
        TreeSet<String> found = new TreeSet<>();
        for (KeyGroupRange range : List.of(new KeyGroupRange(0, 1), new KeyGroupRange(2, 5), new KeyGroupRange(6, 9))) {
            KeyedStateHandle[] touching = handles.stream()
                    .filter(handle -> handle.getIntersection(range) != null)
                    .toArray(KeyedStateHandle[]::new);
            found.addAll(poll(backend(drey(), range, touching), TIMERS));
        }
        assertThat(found).isEqualTo(all());
    }
}
