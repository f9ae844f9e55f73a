package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.runtime.state.internal.InternalMergingState;
import org.apache.flink.runtime.state.ttl.TtlStateFactory;
import org.apache.flink.runtime.state.ttl.TtlValue;
import org.apache.flink.runtime.testutils.statemigration.TestType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * State with a time to live, by a clock that the test sets: which one counts, and that what has expired leaves the
 * store.
 */
class TimeToLiveTest {
    private static final int KEYS = 200;
    private static final int APPENDS_MAX = 2_000;
    private static final long TTL = 1000;

    @TempDir
    Path directory;

    private BackendFixture fixture;
    private RecordedMetrics metrics;
    private AbstractKeyedStateBackend<String> backend;
    private final AtomicLong now = new AtomicLong(50_000);
    private ValueState<String> value;
    private ListState<String> texts;
    private ListState<Long> numbers;
    private MapState<String, String> map;

    @BeforeEach
    void prepare() {
        fixture = new BackendFixture(directory);
        fixture.time(now::get);
    }

    @AfterEach
    void close() throws IOException {
        end();
        fixture.close();
    }

    private void end() throws IOException {
        if (backend != null) {
            backend.close();
            backend.dispose();
            backend = null;
        }
    }

    private static StateTtlConfig.Builder ttl(long millis) {
        return StateTtlConfig.newBuilder(Duration.ofMillis(millis));
    }

    private void openWithoutStates(KeyedStateHandle... handles) throws Exception {
        end();
        metrics = new RecordedMetrics();
        fixture.metrics(metrics);
        backend = fixture.open(RecordedMetrics.backendWithAll(), StringSerializer.INSTANCE, List.of(handles));
    }

    private void open(StateTtlConfig ttl, KeyedStateHandle... handles) throws Exception {
        openWithoutStates(handles);
        StringSerializer text = StringSerializer.INSTANCE;
        value = state(new ValueStateDescriptor<>("value", text), ttl);
        texts = state(new ListStateDescriptor<>("texts", text), ttl);
        numbers = state(new ListStateDescriptor<>("numbers", LongSerializer.INSTANCE), ttl);
        map = state(new MapStateDescriptor<>("map", text, text), ttl);
    }

    private <S extends org.apache.flink.api.common.state.State> S state(
            StateDescriptor<S, ?> descriptor, StateTtlConfig ttl) throws Exception {
        if (ttl != null) {
            descriptor.enableTimeToLive(ttl);
        }
        return backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    private void fill(String prefix) throws Exception {
        for (int i = 0; i < KEYS; i++) {
            backend.setCurrentKey(prefix + i);
            value.update("value " + i);
            texts.add("first");
            texts.add("second, longer");
            numbers.add(1L);
            numbers.add(2L);
            map.put("a", "1");
            map.put("b", "2");
        }
    }

    private String read(String key) throws Exception {
        backend.setCurrentKey(key);
        return value.value() + " " + elements(texts) + elements(numbers) + " " + map.get("a") + map.get("b");
    }

    private static List<Object> elements(ListState<?> list) throws Exception {
        List<Object> elements = new ArrayList<>();
        Iterable<?> found = list.get();
        if (found != null) {
            found.forEach(elements::add);
        }
        return elements;
    }

    private long gauge(String name) {
        return (long) metrics.value("drey." + name);
    }

    private static final String ALIVE = "value 7 [first, second, longer][1, 2] 12";
    private static final String GONE = "null [][] nullnull";

    @Test
    void aLongerTimeToLiveCountsForOldStateToo() throws Exception {
        open(ttl(TTL).build());
        fill("k");
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        now.addAndGet(5 * TTL);
        assertThat(read("k7")).isEqualTo(GONE);
        open(ttl(10 * TTL).build(), handle);
        assertThat(read("k7")).isEqualTo(ALIVE);
        now.addAndGet(5 * TTL);
        assertThat(read("k7")).isEqualTo(GONE);
    }

    /** Flink's changelog replays its log with what the log says of a state, before the job registers it. */
    @Test
    void whatAChangelogReplaysDoesNotExpireByTheTimeToLiveOfBefore() throws Exception {
        open(ttl(TTL).build());
        backend.setCurrentKey("k7");
        value.update("value 7");
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        now.addAndGet(5 * TTL);
        openWithoutStates(handle);
        ValueStateDescriptor<TtlValue<String>> logged = new ValueStateDescriptor<>(
                "value", new TtlStateFactory.TtlSerializer<>(LongSerializer.INSTANCE, StringSerializer.INSTANCE));
        logged.enableTimeToLive(ttl(TTL).build());
        backend.createOrUpdateInternalState(
                VoidNamespaceSerializer.INSTANCE, logged, StateSnapshotTransformFactory.noTransform(), true);
        fixture.checkpoint(backend, 2);
        value = state(
                new ValueStateDescriptor<>("value", StringSerializer.INSTANCE),
                ttl(10 * TTL).build());
        backend.setCurrentKey("k7");
        assertThat(value.value()).isEqualTo("value 7");
    }

    @Test
    void aShorterTimeToLiveCountsForOldStateToo() throws Exception {
        open(ttl(10 * TTL).build());
        fill("k");
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        now.addAndGet(2 * TTL);
        assertThat(read("k7")).isEqualTo(ALIVE);
        open(ttl(TTL).build(), handle);
        assertThat(read("k7")).isEqualTo(GONE);
        fixture.checkpoint(backend, 2);
        assertThat(gauge("localBytes")).isZero();
    }

    @Test
    void aFileOfWhichEverythingHasExpiredGoesWithoutBeingRead() throws Exception {
        open(ttl(TTL).build());
        fill("k");
        fixture.checkpoint(backend, 1);
        now.addAndGet(TTL - 1);
        fixture.checkpoint(backend, 2);
        assertThat(gauge("localBytes")).isPositive();
        now.incrementAndGet();
        fixture.checkpoint(backend, 3);
        assertThat(gauge("localBytes")).isZero();
        assertThat(gauge("runsExpired")).isEqualTo(1);
        assertThat(gauge("foregroundReads") + gauge("compactionReads")).isZero();
        assertThat(read("k7")).isEqualTo(GONE);
    }

    /** What is on its way to disk for the first time: of an entry only a tombstone gets there. */
    @Test
    void whatHasExpiredIsNotFlushed() throws Exception {
        open(ttl(TTL).build());
        fill("k");
        now.addAndGet(TTL);
        fill("fresh");
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        assertThat(gauge("entriesExpired")).isEqualTo(5 * KEYS);
        open(ttl(1000 * TTL).build(), handle);
        assertThat(read("k7")).isEqualTo(GONE);
        assertThat(read("fresh7")).isEqualTo(ALIVE);
    }

    @Test
    void aListLivesAsLongAsItsLastElement() throws Exception {
        open(ttl(TTL).build());
        fill("k");
        fixture.checkpoint(backend, 1);
        now.addAndGet(TTL - 1);
        backend.setCurrentKey("k7");
        texts.add("third");
        fixture.checkpoint(backend, 2);
        now.incrementAndGet();
        KeyedStateHandle handle = fixture.checkpoint(backend, 3);
        assertThat(elements(texts)).containsExactly("third");
        open(ttl(TTL).build(), handle);
        backend.setCurrentKey("k7");
        assertThat(elements(texts)).containsExactly("third");
    }

    /** As RocksDB's filter and the heap cut it: a key that is never quiet would keep all that it ever had. */
    @Test
    void aListThatIsAppendedToForEverLosesWhatHasExpired() throws Exception {
        open(ttl(TTL).build());
        ValueState<String> others = state(new ValueStateDescriptor<>("others", StringSerializer.INSTANCE), null);
        KeyedStateHandle handle = null;
        int kept = Integer.MAX_VALUE;
        // Compactions have a pace of their own: on a slow machine they come later than all of this.
        for (int i = 0; i < APPENDS_MAX && (i < 200 || kept >= 100); i++) {
            now.addAndGet(TTL / 10);
            backend.setCurrentKey("hot");
            texts.add("text " + i);
            numbers.add((long) i);
            for (int key = 0; key < 10; key++) {
                backend.setCurrentKey("key " + key);
                others.update("value " + i);
            }
            handle = fixture.completed(backend);
            if (i >= 199) {
                backend.setCurrentKey("hot");
                assertThat(elements(texts)).hasSize(10).startsWith("text " + (i - 9));
                kept = keptAll(handle, i);
                Thread.sleep(10);
            }
        }
        assertThat(kept).as("elements that a longer time to live shows").isLessThan(100);
    }

    /** How many elements a checkpoint has, with those that have expired; the newest are those of the last appends. */
    private int keptAll(KeyedStateHandle handle, int last) throws Exception {
        AbstractKeyedStateBackend<String> appending = backend;
        ListState<String> appendedTexts = texts;
        ListState<Long> appendedNumbers = numbers;
        backend = null;
        open(ttl(1000 * TTL).build(), handle);
        backend.setCurrentKey("hot");
        assertThat(elements(texts)).endsWith("text " + (last - 1), "text " + last);
        assertThat(elements(numbers)).endsWith(last - 1L, (long) last);
        int most = Math.max(elements(texts).size(), elements(numbers).size());
        end();
        backend = appending;
        texts = appendedTexts;
        numbers = appendedNumbers;
        return most;
    }

    @Test
    void withoutCleanUpInTheBackgroundNothingIsDropped() throws Exception {
        StateTtlConfig config = ttl(TTL).disableCleanupInBackground().build();
        open(config);
        fill("k");
        now.addAndGet(TTL);
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        now.addAndGet(TTL);
        fixture.checkpoint(backend, 2);
        assertThat(gauge("localBytes")).isPositive();
        assertThat(gauge("entriesExpired") + gauge("runsExpired")).isZero();
        open(ttl(10 * TTL).build(), handle);
        assertThat(read("k7")).isEqualTo(ALIVE);
    }

    @Test
    void anEntryOfAMapThatHoldsNullIsKeptWhenTheMapGetsATimeToLive() throws Exception {
        open(null);
        backend.setCurrentKey("k");
        map.put("a", null);
        map.put("b", "2");
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        open(ttl(TTL).build(), handle);
        backend.setCurrentKey("k");
        assertThat(map.contains("a")).isTrue();
        assertThat(map.get("a")).isNull();
        assertThat(map.keys()).containsExactlyInAnyOrder("a", "b");
        now.addAndGet(TTL);
        assertThat(map.contains("a")).isFalse();
        assertThat(map.keys()).isEmpty();
    }

    /** These have the bytes of a null after the flag that says that it is one. */
    @Test
    void anEntryThatHoldsNullInASavepointOfHashMapIsKeptToo() throws Exception {
        backend = fixture.open(new HashMapStateBackend(), StringSerializer.INSTANCE, List.of());
        map = state(new MapStateDescriptor<>("map", StringSerializer.INSTANCE, StringSerializer.INSTANCE), null);
        backend.setCurrentKey("k");
        map.put("a", null);
        map.put("b", "2");
        KeyedStateHandle handle = fixture.canonicalSavepoint(backend, 1);
        open(ttl(TTL).build(), handle);
        backend.setCurrentKey("k");
        assertThat(map.contains("a")).isTrue();
        assertThat(map.get("a")).isNull();
        assertThat(map.get("b")).isEqualTo("2");
    }

    private MapState<TestType, String> mapOf(TypeSerializer<TestType> keys, KeyedStateHandle... handles)
            throws Exception {
        open(ttl(TTL).build(), handles);
        MapState<TestType, String> state =
                state(new MapStateDescriptor<>("typed", keys, StringSerializer.INSTANCE), ttl(TTL).build());
        backend.setCurrentKey("k");
        return state;
    }

    /** Flink wraps the serializer of its values then. */
    @Test
    void aMapOfWhichTheSerializerOfKeysWasReconfiguredIsCleanedUp() throws Exception {
        TestType key = new TestType("a", 1);
        mapOf(new TestType.V1TestTypeSerializer()).put(key, "1");
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        MapState<TestType, String> restored = mapOf(new TestType.ReconfigurationRequiringTestTypeSerializer(), handle);
        assertThat(restored.get(key)).isEqualTo("1");
        now.addAndGet(TTL);
        fixture.checkpoint(backend, 2);
        assertThat(gauge("localBytes")).isZero();
        assertThat(gauge("runsExpired")).isEqualTo(1);
    }

    @Test
    @SuppressWarnings("unchecked")
    void windowsWhoseValuesHaveExpiredMergeToNone() throws Exception {
        open(ttl(TTL).build());
        ReducingStateDescriptor<String> descriptor =
                new ReducingStateDescriptor<>("reduced", (first, second) -> first + second, StringSerializer.INSTANCE);
        descriptor.enableTimeToLive(ttl(TTL).build());
        backend.setCurrentKey("k");
        ReducingState<String> state = backend.getPartitionedState("one", StringSerializer.INSTANCE, descriptor);
        state.add("a");
        backend.getPartitionedState("two", StringSerializer.INSTANCE, descriptor)
                .add("b");
        now.addAndGet(TTL);
        ((InternalMergingState<String, String, String, String, String>) state).mergeNamespaces("two", List.of("one"));
        assertThat(state.get()).isNull();
    }

    /** The values of before have no time in front, and lie below those that were rewritten with one. */
    @Test
    void stateThatGetsATimeToLiveExpiresFromThen() throws Exception {
        open(null);
        fill("k");
        KeyedStateHandle handle = fixture.completed(backend);
        now.addAndGet(5 * TTL);
        open(ttl(TTL).build(), handle);
        assertThat(read("k7")).isEqualTo(ALIVE);
        fixture.completed(backend);
        now.addAndGet(TTL - 1);
        for (int i = 0; i < 12; i++) {
            backend.setCurrentKey("other " + i);
            value.update("makes a run");
            handle = fixture.completed(backend);
        }
        assertThat(read("k7")).isEqualTo(ALIVE);
        open(ttl(TTL).build(), handle);
        assertThat(read("k7")).isEqualTo(ALIVE);
        now.incrementAndGet();
        assertThat(read("k7")).isEqualTo(GONE);
    }
}
