package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.flink.state.options.DreyOptions;
import io.drey.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that are changed and started again from what they left, many times: formats of values, times to live, states
 * that are not declared, or declared and used by some subtasks only, or late; with other parallelisms, restores that do
 * not wait, and by the way of other backends.
 */
class UpgradeChainsTest {
    private static final List<String> STATES = List.of("value", "list", "map", "reducing", "aggregating");
    private static final int KEYS = 60;
    private static final int JOBS = 8;
    private static final String REFUSED = "to have one schema in all parts of the snapshot";

    @TempDir
    Path directory;

    @TempDir
    Path storage;

    /** How values of a state are written. */
    private record Form(int schema, boolean timed) {}

    /** What a subtask left. */
    private record Left(KeyGroupRange range, KeyedStateHandle handle, Map<String, Form> forms) {}

    private final QueuedTasks tasks = new QueuedTasks();
    private final Map<String, Map<String, Object>> model = new TreeMap<>();
    private final Map<String, TreeSet<String>> timers = new TreeMap<>();
    private SplittableRandom random;
    private BackendFixture fixture;
    private long now;
    private int checkpoints;
    private String job;

    /** Whether the subtask has never had any state. */
    private boolean isEmpty;

    /** The job under way. */
    private Map<String, Form> declared;

    private AbstractKeyedStateBackend<String> backend;
    private final Map<String, State> used = new TreeMap<>();
    private KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<String, VoidNamespace>> queue;

    @Test
    void nothingIsLostOrMisread() throws Exception {
        Seeds.cases(12, this::chain);
    }

    private void chain(long seed) throws Exception {
        random = new SplittableRandom(seed);
        model.clear();
        STATES.forEach(state -> model.put(state, new TreeMap<>()));
        timers.clear();
        now = 1_700_000_000_000L;
        fixture = new BackendFixture(directory, tasks);
        fixture.storage(storage.resolve("" + seed));
        fixture.time(() -> now);
        declared = new TreeMap<>();
        STATES.forEach(state -> declared.put(state, new Form(8, false)));
        try {
            List<Left> left = List.of();
            boolean canonical = true;
            for (int i = 0; i < JOBS; i++) {
                boolean others = canonical && random.nextInt(4) == 0;
                boolean canonicalNext = others || random.nextInt(4) == 0;
                left = run(i, left, canonical, canonicalNext, others);
                canonical = canonicalNext;
                now += random.nextInt(60_000);
            }
        } finally {
            end();
            fixture.close();
        }
    }

    private void end() throws IOException {
        if (backend != null) {
            backend.close();
            backend.dispose();
            backend = null;
        }
        used.clear();
        queue = null;
        tasks.run(100_000);
    }

    private List<Left> run(int number, List<Left> parents, boolean wasCanonical, boolean canonical, boolean others)
            throws Exception {
        change();
        boolean hasTimers = random.nextInt(4) > 0;
        AbstractStateBackend kind = kind(others);
        List<KeyGroupRange> ranges = ranges();
        for (KeyGroupRange range : ranges) {
            if (isRefused(parents, range)) {
                if (!others) {
                    assertThatThrownBy(
                                    () -> fixture.open(kind, StringSerializer.INSTANCE, range, handles(parents, range)))
                            .hasStackTraceContaining(REFUSED);
                    tasks.run(100_000);
                }
                ranges = parents.stream().map(Left::range).toList();
                break;
            }
        }
        job = "job " + number + " on " + kind.getClass().getSimpleName() + ", " + ranges + ", " + declared
                + (wasCanonical ? ", from canonical" : "") + (hasTimers ? ", timers" : "");
        List<Left> left = new ArrayList<>();
        for (KeyGroupRange range : ranges) {
            Map<String, Form> forms = forms(parents, range);
            backend = fixture.open(kind, StringSerializer.INSTANCE, range, handles(parents, range));
            isEmpty = handles(parents, range).isEmpty();
            subtask(range, forms, hasTimers, others);
            KeyedStateHandle handle = isEmpty
                    ? null
                    : canonical
                            ? fixture.canonicalSavepoint(backend, 1_000 + ++checkpoints)
                            : random.nextBoolean() ? fixture.completed(backend) : fixture.completedFull(backend);
            end();
            left.add(new Left(range, handle, forms));
        }
        return left;
    }

    /** What the next job declares. */
    private void change() {
        Map<String, Form> next = new LinkedHashMap<>();
        for (String state : STATES) {
            Form before = declared.getOrDefault(state, new Form(8, false));
            int schema = random.nextInt(3) == 0 ? 8 + random.nextInt(9) : before.schema();
            boolean timed = (random.nextInt(4) == 0) != before.timed();
            if (random.nextInt(7) > 0) {
                next.put(state, new Form(schema, timed));
            }
        }
        declared = next;
    }

    private AbstractStateBackend kind(boolean others) {
        if (others) {
            return random.nextBoolean() ? new HashMapStateBackend() : new EmbeddedRocksDBStateBackend();
        }
        Configuration options = new Configuration();
        options.set(DreyOptions.RESTORE_LAZY, random.nextBoolean());
        options.set(DreyOptions.OBJECT_CACHE_ENTRIES, random.nextBoolean() ? 0 : 64);
        options.set(DreyOptions.YOUNG_RUNS_MAX, random.nextBoolean() ? 2 : 8);
        options.set(DreyOptions.TIMER_CACHE_SIZE, random.nextBoolean() ? 1 : 1000);
        return new DreyStateBackend(options);
    }

    private List<KeyGroupRange> ranges() {
        TreeSet<Integer> begins = new TreeSet<>(Set.of(0));
        for (int more = random.nextInt(3); more > 0; more--) {
            begins.add(random.nextInt(BackendFixture.KEY_GROUPS));
        }
        List<KeyGroupRange> ranges = new ArrayList<>();
        for (int begin : begins) {
            Integer end = begins.higher(begin);
            ranges.add(new KeyGroupRange(begin, end == null ? BackendFixture.KEY_GROUPS - 1 : end - 1));
        }
        return ranges;
    }

    private static List<KeyedStateHandle> handles(List<Left> parents, KeyGroupRange range) {
        return parents.stream()
                .filter(left -> !left.range().getIntersection(range).equals(KeyGroupRange.EMPTY_KEY_GROUP_RANGE))
                .map(left -> left.handle() == null ? null : left.handle().getIntersection(range))
                .filter(Objects::nonNull)
                .toList();
    }

    private boolean isRefused(List<Left> parents, KeyGroupRange range) {
        for (String state : STATES) {
            Set<Form> found = new HashSet<>();
            for (Left parent : parents) {
                KeyGroupRange cut = parent.range().getIntersection(range);
                Form form = parent.forms().get(state);
                if (form != null && holds(state, cut)) {
                    found.add(form);
                }
            }
            if (found.size() > 1) {
                return true;
            }
        }
        return false;
    }

    private boolean holds(String state, KeyGroupRange range) {
        return model.get(state).keySet().stream().anyMatch(key -> range.contains(keyGroup(key)));
    }

    private Map<String, Form> forms(List<Left> parents, KeyGroupRange range) {
        Map<String, Form> forms = new TreeMap<>();
        for (String state : STATES) {
            for (Left parent : parents) {
                KeyGroupRange cut = parent.range().getIntersection(range);
                Form form = parent.forms().get(state);
                if (form != null && cut.getNumberOfKeyGroups() > 0) {
                    if (holds(state, cut)) {
                        forms.put(state, form);
                    } else {
                        forms.putIfAbsent(state, form);
                    }
                }
            }
        }
        return forms;
    }

    private static int keyGroup(String key) {
        return KeyGroupRangeAssignment.assignToKeyGroup(key, BackendFixture.KEY_GROUPS);
    }

    private void subtask(KeyGroupRange range, Map<String, Form> forms, boolean hasTimers, boolean others)
            throws Exception {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            if (range.contains(keyGroup("k" + i))) {
                keys.add("k" + i);
            }
        }
        if (hasTimers && !others) {
            queue = backend.create(
                    "timers", new TimerSerializer<>(StringSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE));
        }
        for (int part = 0; part < 4; part++) {
            for (String state : declared.keySet()) {
                if (!used.containsKey(state) && random.nextInt(3) > 0 && (part > 0 || random.nextInt(3) > 0)) {
                    // Flink's backends are not what is tested.
                    Form form = others ? forms.getOrDefault(state, declared.get(state)) : declared.get(state);
                    use(state, form);
                    forms.put(state, form);
                }
                if (random.nextInt(6) == 0) {
                    break;
                }
            }
            for (int i = random.nextInt(80); i > 0 && !keys.isEmpty(); i--) {
                tasks.run(random.nextInt(3));
                operate(keys.get(random.nextInt(keys.size())));
            }
            check(keys, part);
            isEmpty &= forms.isEmpty() && queue == null;
            if (isEmpty) {
                continue;
            }
            if (!others && random.nextInt(3) == 0) {
                fixture.completed(backend);
            } else if (random.nextInt(4) == 0) {
                fixture.canonicalSavepoint(backend, 1_000 + ++checkpoints);
            }
        }
        check(keys, 4);
    }

    private void use(String state, Form form) throws Exception {
        TypeSerializer<String> texts = new PaddedTexts(form.schema());
        StateDescriptor<?, ?> descriptor = switch (state) {
            case "value" -> new ValueStateDescriptor<>(state, texts);
            case "list" -> new ListStateDescriptor<>(state, texts);
            case "map" -> new MapStateDescriptor<>(state, StringSerializer.INSTANCE, texts);
            case "reducing" -> new ReducingStateDescriptor<>(state, (a, b) -> a + "+" + b, texts);
            default -> new AggregatingStateDescriptor<>(state, new Joined(), texts);
        };
        if (form.timed()) {
            descriptor.enableTimeToLive(
                    StateTtlConfig.newBuilder(Duration.ofDays(10)).build());
        }
        try {
            used.put(
                    state,
                    backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor));
        } catch (Exception e) {
            throw new AssertionError(job + ": " + state, e);
        }
    }

    private String text() {
        int length = random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(30);
        return (char) ('a' + random.nextInt(26)) + ",".repeat(length);
    }

    @SuppressWarnings("unchecked")
    private void operate(String key) throws Exception {
        if (queue != null && random.nextInt(4) == 0) {
            operateTimers(key);
        }
        String state = STATES.get(random.nextInt(STATES.size()));
        if (!used.containsKey(state)) {
            return;
        }
        backend.setCurrentKey(key);
        Map<String, Object> known = model.get(state);
        if (random.nextInt(6) == 0) {
            used.get(state).clear();
            known.remove(key);
            return;
        }
        String text = text();
        switch (state) {
            case "value" -> {
                ((ValueState<String>) used.get(state)).update(text);
                known.put(key, text);
            }
            case "list" -> {
                ((ListState<String>) used.get(state)).add(text);
                List<String> list = new ArrayList<>((List<String>) known.getOrDefault(key, List.of()));
                list.add(text);
                known.put(key, list);
            }
            case "map" -> operateMap(key, random.nextInt(8) == 0 ? null : text);
            case "reducing" -> {
                ((ReducingState<String>) used.get(state)).add(text);
                known.merge(key, text, (a, b) -> a + "+" + b);
            }
            default -> {
                ((AggregatingState<String, String>) used.get(state)).add(text);
                known.put(key, known.getOrDefault(key, "") + "." + text);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void operateMap(String key, String text) throws Exception {
        MapState<String, String> map = (MapState<String, String>) used.get("map");
        Map<String, String> known =
                new TreeMap<>((Map<String, String>) model.get("map").getOrDefault(key, Map.of()));
        String mapKey = "m" + random.nextInt(20);
        if (random.nextInt(4) == 0) {
            map.remove(mapKey);
            known.remove(mapKey);
        } else {
            map.put(mapKey, text);
            known.put(mapKey, text);
        }
        if (known.isEmpty()) {
            model.get("map").remove(key);
        } else {
            model.get("map").put(key, known);
        }
    }

    private void operateTimers(String key) {
        long time = random.nextInt(40);
        TimerHeapInternalTimer<String, VoidNamespace> timer =
                new TimerHeapInternalTimer<>(time, key, VoidNamespace.INSTANCE);
        String text = time + " " + key;
        if (random.nextInt(3) > 0) {
            queue.add(timer);
            timers.computeIfAbsent(key, any -> new TreeSet<>()).add(text);
        } else if (random.nextBoolean()) {
            queue.remove(timer);
            timers.getOrDefault(key, new TreeSet<>()).remove(text);
        } else {
            TimerHeapInternalTimer<String, VoidNamespace> first = queue.poll();
            if (first != null) {
                assertThat(timers.get(first.getKey()).remove(first.getTimestamp() + " " + first.getKey()))
                        .as("%s: %s", job, first)
                        .isTrue();
            }
        }
    }

    private void check(List<String> keys, int part) throws Exception {
        for (String state : STATES) {
            String where = job + ", part " + part + ", " + state;
            Set<String> expected = new TreeSet<>(model.get(state).keySet());
            expected.retainAll(keys);
            try (Stream<String> found = backend.getKeys(state, VoidNamespace.INSTANCE)) {
                assertThat(new TreeSet<>(found.toList())).as(where).isEqualTo(expected);
            }
            if (used.containsKey(state)) {
                for (String key : keys) {
                    backend.setCurrentKey(key);
                    assertThat(read(state))
                            .as("%s of %s", where, key)
                            .isEqualTo(model.get(state).get(key));
                }
            }
        }
        if (queue != null) {
            Set<String> expected = new TreeSet<>();
            keys.forEach(key -> expected.addAll(timers.getOrDefault(key, new TreeSet<>())));
            Set<String> found = new TreeSet<>();
            for (int keyGroup : backend.getKeyGroupRange()) {
                queue.getSubsetForKeyGroup(keyGroup)
                        .forEach(timer -> found.add(timer.getTimestamp() + " " + timer.getKey()));
            }
            assertThat(found).as("%s, part %d, timers", job, part).isEqualTo(expected);
        }
    }

    @SuppressWarnings("unchecked")
    private Object read(String state) throws Exception {
        State found = used.get(state);
        return switch (state) {
            case "value" -> ((ValueState<String>) found).value();
            case "list" -> {
                List<String> list = new ArrayList<>();
                Iterable<String> elements = ((ListState<String>) found).get();
                if (elements != null) {
                    elements.forEach(list::add);
                }
                yield list.isEmpty() ? null : list;
            }
            case "map" -> {
                Map<String, String> map = new TreeMap<>();
                for (Map.Entry<String, String> entry : ((MapState<String, String>) found).entries()) {
                    map.put(entry.getKey(), entry.getValue());
                }
                yield map.isEmpty() ? null : map;
            }
            case "reducing" -> ((ReducingState<String>) found).get();
            default -> ((AggregatingState<String, String>) found).get();
        };
    }

    private static final class Joined implements AggregateFunction<String, String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String createAccumulator() {
            return "";
        }

        @Override
        public String add(String value, String accumulator) {
            return accumulator + "." + value;
        }

        @Override
        public String getResult(String accumulator) {
            return accumulator;
        }

        @Override
        public String merge(String a, String b) {
            return a + b;
        }
    }
}
