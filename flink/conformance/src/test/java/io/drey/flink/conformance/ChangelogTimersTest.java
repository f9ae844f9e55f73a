package io.drey.flink.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timers under Flink's changelog, with nothing materialized: all there is of them is in logs. */
class ChangelogTimersTest {
    private static final KeyGroupRange ALL = KeyGroupRange.of(0, ChangelogSubtasks.KEY_GROUPS - 1);
    private static final int TIMERS = 60;

    private static KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Integer, VoidNamespace>> queue(
            CheckpointableKeyedStateBackend<Integer> subtask) {
        return subtask.create(
                "timers", new TimerSerializer<>(IntSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE));
    }

    private static TimerHeapInternalTimer<Integer, VoidNamespace> timer(int i) {
        return new TimerHeapInternalTimer<>(i, i, VoidNamespace.INSTANCE);
    }

    private static List<Long> poll(
            KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Integer, VoidNamespace>> queue, int count) {
        List<Long> times = new ArrayList<>();
        while (times.size() < count && !queue.isEmpty()) {
            times.add(queue.poll().getTimestamp());
        }
        return times;
    }

    /** Two restores: then the queue is in two logs, and each is applied. */
    @ParameterizedTest
    @EnumSource(names = {"HASHMAP", "DREY"})
    void eachTimerFiresOnceThoughSubtasksFailOver(BackendUnderTest backend, @TempDir Path directory) throws Exception {
        for (ChangelogUnderTest changelog : ChangelogUnderTest.values()) {
            ChangelogSubtasks subtasks = new ChangelogSubtasks(directory.resolve(changelog.name()));
            CheckpointableKeyedStateBackend<Integer> subtask = subtasks.open(backend, changelog, ALL, List.of());
            var timers = queue(subtask);
            for (int i = 0; i < TIMERS; i++) {
                timers.add(timer(i));
            }
            List<Long> fired = new ArrayList<>();
            for (int restore = 0; restore < 2; restore++) {
                subtask = subtasks.open(backend, changelog, ALL, List.of(subtasks.checkpoint(subtask)));
                timers = queue(subtask);
                fired.addAll(poll(timers, TIMERS / 4));
                assertThat(timers.remove(timer(TIMERS - 1 - restore))).isFalse();
            }
            subtask = subtasks.open(backend, changelog, ALL, List.of(subtasks.checkpoint(subtask)));
            fired.addAll(poll(queue(subtask), TIMERS));
            subtask.dispose();
            List<Long> expected = new ArrayList<>();
            for (long time = 0; time < TIMERS - 2; time++) {
                expected.add(time);
            }
            assertThat(fired).as("%s", changelog).isEqualTo(expected);
        }
    }
}
