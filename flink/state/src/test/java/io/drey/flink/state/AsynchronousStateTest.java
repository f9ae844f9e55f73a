package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Memory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.v2.AggregatingState;
import org.apache.flink.api.common.state.v2.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.v2.ListState;
import org.apache.flink.api.common.state.v2.ListStateDescriptor;
import org.apache.flink.api.common.state.v2.MapState;
import org.apache.flink.api.common.state.v2.MapStateDescriptor;
import org.apache.flink.api.common.state.v2.ReducingState;
import org.apache.flink.api.common.state.v2.ReducingStateDescriptor;
import org.apache.flink.api.common.state.v2.State;
import org.apache.flink.api.common.state.v2.StateDescriptor;
import org.apache.flink.api.common.state.v2.StateIterator;
import org.apache.flink.api.common.state.v2.ValueState;
import org.apache.flink.api.common.state.v2.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.asyncprocessing.RecordContext;
import org.apache.flink.runtime.state.AsyncKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States of Flink's asynchronous interface, which are read and written at once. */
class AsynchronousStateTest {
    private static final long TTL_MS = 1_000;
    private static final int WALKED = 1_000;

    @TempDir
    Path directory;

    private final AtomicLong now = new AtomicLong(50_000);
    private final Thread task = Thread.currentThread();
    private long timesAsked;
    private final long allocatedBefore = Memory.allocatedBytes();
    private BackendFixture fixture;
    private AsyncKeyedStateBackend<String> backend;

    @BeforeEach
    void open() throws Exception {
        fixture = new BackendFixture(directory);
        fixture.time(this::askTime);
        fixture.mailbox();
        backend = new DreyStateBackend()
                .createAsyncKeyedStateBackend(fixture.parameters(
                        StringSerializer.INSTANCE, new KeyGroupRange(0, BackendFixture.KEY_GROUPS - 1), List.of()));
        switchTo("key");
    }

    /** Another record. */
    private void switchTo(String key) {
        int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, BackendFixture.KEY_GROUPS);
        backend.switchContext(new RecordContext<>("record", key, context -> {}, keyGroup, null, 0));
    }

    private long askTime() {
        // Compaction asks too.
        timesAsked += Thread.currentThread() == task ? 1 : 0;
        return now.get();
    }

    @AfterEach
    void close() throws Exception {
        backend.close();
        backend.dispose();
        fixture.close();
        // In the task's thread, and not when that has ended.
        assertThat(Memory.allocatedBytes()).isEqualTo(allocatedBefore);
    }

    private <S extends State> S state(StateDescriptor<?> descriptor) throws Exception {
        descriptor.enableTimeToLive(
                StateTtlConfig.newBuilder(Duration.ofMillis(TTL_MS)).build());
        return backend.getOrCreateKeyedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    /** The longest text. */
    private static final class Longest implements AggregateFunction<String, String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String createAccumulator() {
            return "";
        }

        @Override
        public String add(String value, String longest) {
            return merge(value, longest);
        }

        @Override
        public String getResult(String longest) {
            return longest;
        }

        @Override
        public String merge(String one, String another) {
            return one.length() < another.length() ? another : one;
        }
    }

    /** It is known what the map holds when it is asked for, also if that is changed before the walk. */
    @Test
    void aWalkOverAMapBeginsWhenItIsAskedFor() throws Exception {
        MapState<Long, Long> map =
                state(new MapStateDescriptor<>("map", LongSerializer.INSTANCE, LongSerializer.INSTANCE));
        for (long i = 0; i < WALKED; i++) {
            map.put(i, -i);
        }
        List<Long> found = new ArrayList<>();
        map.asyncKeys().thenAccept(walk -> {
            map.clear();
            walk.onNext(key -> {
                found.add(key);
            });
        });
        assertThat(found).hasSize(WALKED);
        map.put(1L, 2L);
        map.asyncEntries().thenAccept(walk -> {
            assertThat(walk.isEmpty()).isFalse();
            for (int again = 0; again < 2; again++) {
                walk.onNext(entry -> {
                    found.add(entry.getValue());
                });
            }
        });
        map.asyncValues()
                .thenAccept(walk -> walk.onNext(value -> {
                    found.add(value);
                }));
        assertThat(found.subList(WALKED, found.size())).containsExactly(2L, 2L, 2L);
    }

    @Test
    void walksGoOnOverWhatTheirCallbacksClear() throws Exception {
        MapState<Long, Long> map =
                state(new MapStateDescriptor<>("map", LongSerializer.INSTANCE, LongSerializer.INSTANCE));
        List<StateIterator<Map.Entry<Long, Long>>> walks = new ArrayList<>();
        for (int walk = 0; walk < 100; walk++) {
            for (long i = 0; i < WALKED; i++) {
                map.put(i, -i);
            }
            map.asyncEntries().thenAccept(walks::add);
        }
        List<Long> found = new ArrayList<>();
        for (StateIterator<Map.Entry<Long, Long>> walk : walks) {
            walk.onNext(entry -> {
                map.asyncClear();
                found.add(entry.getValue());
            });
        }
        assertThat(found).hasSize(walks.size() * WALKED);
        assertThat(map.isEmpty()).isTrue();
    }

    /** Programs of the DataStream API V2 ask for a state whenever they use it. */
    @Test
    void aWalkGoesOnOverWhatIsClearedByAnotherHandleOfItsState() throws Exception {
        MapStateDescriptor<Long, Long> descriptor =
                new MapStateDescriptor<>("map", LongSerializer.INSTANCE, LongSerializer.INSTANCE);
        MapState<Long, Long> map = state(descriptor);
        for (long i = 0; i < WALKED; i++) {
            map.put(i, -i);
        }
        List<Long> found = new ArrayList<>();
        this.<MapState<Long, Long>>state(descriptor)
                .asyncKeys()
                .thenAccept(walk -> walk.onNext(key -> {
                    this.<MapState<Long, Long>>state(descriptor).asyncClear();
                    found.add(key);
                }));
        assertThat(found).hasSize(WALKED);
        assertThat(map.isEmpty()).isTrue();
    }

    /** A clear took as long as it takes to read all maps that were only looked at. */
    @Test
    void aClearDoesNotReadWhatEarlierRecordsOnlyAskedFor() throws Exception {
        MapState<Long, Long> map =
                state(new MapStateDescriptor<>("map", LongSerializer.INSTANCE, LongSerializer.INSTANCE));
        List<StateIterator<Long>> looks = new ArrayList<>();
        for (int record = 0; record < 10; record++) {
            switchTo("key" + record);
            for (long i = 0; i < WALKED; i++) {
                map.put(i, -i);
            }
            map.asyncKeys().thenAccept(looks::add);
        }
        switchTo("key");
        long before = timesAsked;
        map.asyncClear();
        // Each entry that is read asks for the time.
        assertThat(timesAsked).isEqualTo(before);
        assertThat(looks).noneMatch(StateIterator::isEmpty);
    }

    @Test
    void aWalkGoesOnOverWhatIsClearedInAnotherRecord() throws Exception {
        MapState<Long, Long> map =
                state(new MapStateDescriptor<>("map", LongSerializer.INSTANCE, LongSerializer.INSTANCE));
        for (long i = 0; i < WALKED; i++) {
            map.put(i, -i);
        }
        List<Long> found = new ArrayList<>();
        map.asyncKeys()
                .thenAccept(walk -> walk.onNext(key -> {
                    switchTo("key");
                    map.asyncClear();
                    found.add(key);
                }));
        assertThat(found).hasSize(WALKED);
    }

    @Test
    void theTimeToLiveOfEachKindOfStateCounts() throws Exception {
        StringSerializer text = StringSerializer.INSTANCE;
        ValueState<String> value = state(new ValueStateDescriptor<>("value", text));
        ListState<String> list = state(new ListStateDescriptor<>("list", text));
        MapState<String, String> map = state(new MapStateDescriptor<>("map", text, text));
        ReducingState<Long> sum = state(new ReducingStateDescriptor<>("sum", Long::sum, LongSerializer.INSTANCE));
        AggregatingState<String, String> longest =
                state(new AggregatingStateDescriptor<>("longest", new Longest(), text));
        value.update("v");
        list.add("first");
        map.put("a", "1");
        sum.add(3L);
        longest.add("long");
        now.addAndGet(TTL_MS - 1);
        assertThat(value.value()).isEqualTo("v");
        assertThat(list.get()).containsExactly("first");
        assertThat(map.get("a")).isEqualTo("1");
        assertThat(sum.get()).isEqualTo(3);
        assertThat(longest.get()).isEqualTo("long");
        now.incrementAndGet();
        assertThat(value.value()).isNull();
        assertThat(list.get()).isNullOrEmpty();
        assertThat(map.get("a")).isNull();
        assertThat(sum.get()).isNull();
        assertThat(longest.get()).isNull();
    }
}
