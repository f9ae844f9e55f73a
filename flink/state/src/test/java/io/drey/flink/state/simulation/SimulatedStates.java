package io.drey.flink.state.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.internal.InternalReducingState;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;

/** All kinds of state and a timer queue of a backend, each operation done to a {@link StateModel} too. */
final class SimulatedStates {
    static final int NAMESPACES = 2;

    private static final TypeSerializer<String> TEXT = StringSerializer.INSTANCE;
    private static final int MAP_KEYS = 12;
    private static final int LIST_MAX = 24;
    private static final int TIMESTAMP_MAX = 1000;
    private static final int EXPIRING = 12;
    private static final String TIMER = "timer/";

    private final AbstractKeyedStateBackend<String> backend;
    private final long ttlMs;
    private final boolean allExpires;
    private final InternalValueState<String, String, String> value;
    private final InternalListState<String, String, String> list;
    private final InternalMapState<String, String, String, String> map;
    private final InternalReducingState<String, String, Long> reducing;
    private final InternalAggregatingState<String, String, Long, Long, String> aggregating;
    private final ValueState<String> expiring;
    private final KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<String, String>> timers;

    SimulatedStates(AbstractKeyedStateBackend<String> backend, long ttlMs, boolean allExpires) throws Exception {
        this.backend = backend;
        this.ttlMs = ttlMs;
        this.allExpires = allExpires;
        value = backend.createOrUpdateInternalState(TEXT, new ValueStateDescriptor<>("value", TEXT));
        list = backend.createOrUpdateInternalState(TEXT, new ListStateDescriptor<>("list", TEXT));
        map = backend.createOrUpdateInternalState(TEXT, new MapStateDescriptor<>("map", TEXT, TEXT));
        reducing = backend.createOrUpdateInternalState(
                TEXT, new ReducingStateDescriptor<>("reducing", Long::sum, LongSerializer.INSTANCE));
        aggregating = backend.createOrUpdateInternalState(
                TEXT, new AggregatingStateDescriptor<>("aggregating", new Sum(), LongSerializer.INSTANCE));
        ValueStateDescriptor<String> descriptor = new ValueStateDescriptor<>("expiring", TEXT);
        descriptor.enableTimeToLive(
                StateTtlConfig.newBuilder(Duration.ofMillis(ttlMs)).build());
        expiring = backend.getOrCreateKeyedState(TEXT, descriptor);
        timers = backend.create("timers", new TimerSerializer<>(TEXT, TEXT));
    }

    private void enter(String key, String namespace) {
        backend.setCurrentKey(key);
        value.setCurrentNamespace(namespace);
        list.setCurrentNamespace(namespace);
        map.setCurrentNamespace(namespace);
        reducing.setCurrentNamespace(namespace);
        aggregating.setCurrentNamespace(namespace);
        namespaced(expiring, namespace);
    }

    @SuppressWarnings("unchecked")
    private static void namespaced(ValueState<String> state, String namespace) {
        ((InternalKvState<String, String, String>) state).setCurrentNamespace(namespace);
    }

    private static String text(SplittableRandom random) {
        int shape = random.nextInt(100);
        int length = shape < 3 ? random.nextInt(3000) : shape < 20 ? random.nextInt(300) : random.nextInt(24);
        StringBuilder text = new StringBuilder();
        boolean varied = random.nextBoolean();
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + (varied ? random.nextInt(26) : i / 16 % 26)));
        }
        return text.toString();
    }

    /** A random operation, checked against the model if it reads, and done to it if it writes. */
    void operate(SplittableRandom random, StateModel model, String key, long now) throws Exception {
        String namespace = "n".repeat(random.nextInt(NAMESPACES));
        enter(key, namespace);
        int choice = random.nextInt(20);
        switch (allExpires && choice < EXPIRING ? EXPIRING : choice) {
            case 0, 1, 2 -> {
                String text = text(random);
                value.update(text);
                model.set(key, "value/" + namespace, text);
            }
            case 3 -> {
                value.clear();
                model.set(key, "value/" + namespace, null);
            }
            case 4, 5, 6 -> appendToList(random, model, key, namespace);
            case 7, 8, 9, 10 -> changeMap(random, model, key, namespace);
            case 11 -> add(random.nextInt(1000), model, key, namespace);
            case EXPIRING, 13 -> {
                String text = text(random);
                expiring.update(text);
                model.set(key, "expiring/" + namespace, new StateModel.Expiring(text, now + ttlMs));
            }
            case 14, 15 -> addTimer(random, model, key, namespace);
            case 16 -> removeTimer(model, key, namespace);
            case 17 -> pollTimer(model);
            default -> check(model, key, namespace, now);
        }
    }

    @SuppressWarnings("unchecked")
    private void appendToList(SplittableRandom random, StateModel model, String key, String namespace)
            throws Exception {
        String place = "list/" + namespace;
        List<String> before = (List<String>) model.get(key, place);
        if (before != null && before.size() >= LIST_MAX) {
            list.clear();
            model.set(key, place, null);
            return;
        }
        String text = text(random);
        list.add(text);
        List<String> after = new ArrayList<>(before == null ? List.of() : before);
        after.add(text);
        model.set(key, place, after);
    }

    @SuppressWarnings("unchecked")
    private void changeMap(SplittableRandom random, StateModel model, String key, String namespace) throws Exception {
        String place = "map/" + namespace;
        Object before = model.get(key, place);
        TreeMap<String, String> after =
                new TreeMap<>(before == null ? Map.<String, String>of() : (Map<String, String>) before);
        String mapKey = "m" + random.nextInt(MAP_KEYS);
        int what = random.nextInt(12);
        if (what == 0) {
            map.clear();
            after.clear();
        } else if (what < 4) {
            map.remove(mapKey);
            after.remove(mapKey);
        } else {
            String text = random.nextInt(8) == 0 ? null : text(random);
            map.put(mapKey, text);
            after.put(mapKey, text);
        }
        model.set(key, place, after.isEmpty() ? null : after);
    }

    private void add(long number, StateModel model, String key, String namespace) throws Exception {
        reducing.add(number);
        aggregating.add(number);
        Object before = model.get(key, "sum/" + namespace);
        model.set(key, "sum/" + namespace, before == null ? number : (Long) before + number);
    }

    private static String timerPlace(long timestamp, String namespace) {
        // In the order of time: all numbers of one length.
        return TIMER + (TIMESTAMP_MAX + timestamp) + "/" + namespace;
    }

    private void addTimer(SplittableRandom random, StateModel model, String key, String namespace) {
        long timestamp = random.nextInt(TIMESTAMP_MAX);
        timers.add(new TimerHeapInternalTimer<>(timestamp, key, namespace));
        model.set(key, timerPlace(timestamp, namespace), timestamp);
    }

    private void removeTimer(StateModel model, String key, String namespace) {
        for (Map.Entry<String, Object> place : model.places(key).entrySet()) {
            if (place.getKey().startsWith(TIMER) && place.getKey().endsWith("/" + namespace)) {
                timers.remove(new TimerHeapInternalTimer<>((Long) place.getValue(), key, namespace));
                model.set(key, place.getKey(), null);
                return;
            }
        }
    }

    private void pollTimer(StateModel model) {
        long least = Long.MAX_VALUE;
        for (String key : model.keys()) {
            for (Map.Entry<String, Object> place : model.places(key).entrySet()) {
                if (isHere(key) && place.getKey().startsWith(TIMER)) {
                    least = Math.min(least, (Long) place.getValue());
                }
            }
        }
        TimerHeapInternalTimer<String, String> found = timers.poll();
        if ((found == null ? Long.MAX_VALUE : found.getTimestamp()) != least) {
            throw new AssertionError("expected the first timer at " + least + ", found " + found);
        }
        if (found != null) {
            String place = timerPlace(least, found.getNamespace());
            if (model.get(found.getKey(), place) == null) {
                throw new AssertionError("expected no timer " + found);
            }
            model.set(found.getKey(), place, null);
        }
    }

    private boolean isHere(String key) {
        return backend.getKeyGroupRange()
                .contains(KeyGroupRangeAssignment.assignToKeyGroup(key, backend.getNumberOfKeyGroups()));
    }

    private void check(StateModel model, String key, String namespace, long now) throws Exception {
        Object sum = model.get(key, "sum/" + namespace);
        same(model, key, "value/" + namespace, value.value());
        Iterable<String> elements = list.get();
        same(model, key, "list/" + namespace, elements);
        same(model, key, "map/" + namespace, entries());
        equal(key, "reducing/" + namespace, sum, reducing.get());
        equal(key, "aggregating/" + namespace, sum == null ? null : "sum " + sum, aggregating.get());
        StateModel.Expiring alive = (StateModel.Expiring) model.get(key, "expiring/" + namespace);
        equal(key, "expiring/" + namespace, alive == null || alive.at() <= now ? null : alive.text(), expiring.value());
    }

    private Map<String, String> entries() throws Exception {
        Map<String, String> entries = new TreeMap<>();
        for (Map.Entry<String, String> entry : map.entries()) {
            if (entries.put(entry.getKey(), entry.getValue()) != null) {
                throw new AssertionError("expected each map key once, found " + entry.getKey() + " twice");
            }
        }
        return entries.isEmpty() ? null : entries;
    }

    private static void same(StateModel model, String key, String place, Object found) {
        equal(key, place, model.get(key, place), found);
    }

    private static void equal(String key, String place, Object expected, Object found) {
        if (expected == null ? found != null : !expected.equals(found)) {
            throw new AssertionError("expected " + place + " of " + key + " to be " + expected + ", found " + found);
        }
    }

    /** Compares the state under a key. */
    void check(StateModel model, String key, long now) throws Exception {
        enter(key, "");
        check(model, key, "", now);
    }

    /** Compares all state under the backend's keys of the given ones. */
    void checkAll(StateModel model, Iterable<String> keys, long now) throws Exception {
        TreeSet<String> expected = new TreeSet<>();
        for (String key : keys) {
            if (!isHere(key)) {
                continue;
            }
            for (int i = 0; i < NAMESPACES; i++) {
                String namespace = "n".repeat(i);
                enter(key, namespace);
                check(model, key, namespace, now);
            }
            for (String place : model.places(key).keySet()) {
                if (place.startsWith(TIMER)) {
                    expected.add(key + "/" + place);
                }
            }
        }
        TreeSet<String> found = new TreeSet<>();
        for (int keyGroup : backend.getKeyGroupRange()) {
            for (TimerHeapInternalTimer<String, String> timer : timers.getSubsetForKeyGroup(keyGroup)) {
                found.add(timer.getKey() + "/" + timerPlace(timer.getTimestamp(), timer.getNamespace()));
            }
        }
        equal("all", "timers", expected, found);
    }

    private static final class Sum implements AggregateFunction<Long, Long, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public Long createAccumulator() {
            return 0L;
        }

        @Override
        public Long add(Long added, Long accumulator) {
            return added + accumulator;
        }

        @Override
        public String getResult(Long accumulator) {
            return "sum " + accumulator;
        }

        @Override
        public Long merge(Long a, Long b) {
            return a + b;
        }
    }
}
