package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.StressModel.Place;
import io.drey.flink.state.StressModel.Stamped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.internal.InternalReducingState;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;

/** Every kind of state of one backend, with random operations on them that a model checks. */
final class StressStates {
    static final Duration TTL = Duration.ofMillis(400);

    private static final StringSerializer TEXT = StringSerializer.INSTANCE;
    private static final int KEYS = 600;
    private static final String[] NAMESPACES = {"", "n", "a namespace that is longer than its key"};
    private static final int LIST_MAX = 40;
    private static final int MAP_KEYS = 60;
    private static final long TIMES = 5_000;

    private final AbstractKeyedStateBackend<String> backend;
    private final StressModel model;
    private final SplittableRandom random;
    private final LongSupplier now;
    private final InternalValueState<String, String, String> value;
    private final InternalListState<String, String, String> list;
    private final InternalMapState<String, String, String, String> map;
    private final InternalReducingState<String, String, Long> sum;
    private final InternalAggregatingState<String, String, Long, Long, Long> maximum;
    private final ValueState<String> expiringValue;
    private final ListState<String> expiringList;
    private final MapState<String, String> expiringMap;
    private final KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<String, String>> timers;

    StressStates(
            AbstractKeyedStateBackend<String> backend, StressModel model, SplittableRandom random, LongSupplier now)
            throws Exception {
        this.backend = backend;
        this.model = model;
        this.random = random;
        this.now = now;
        value = backend.createOrUpdateInternalState(TEXT, new ValueStateDescriptor<>("value", TEXT));
        list = backend.createOrUpdateInternalState(TEXT, new ListStateDescriptor<>("list", TEXT));
        map = backend.createOrUpdateInternalState(TEXT, new MapStateDescriptor<>("map", TEXT, TEXT));
        sum = backend.createOrUpdateInternalState(
                TEXT, new ReducingStateDescriptor<>("sum", Long::sum, LongSerializer.INSTANCE));
        maximum = backend.createOrUpdateInternalState(
                TEXT, new AggregatingStateDescriptor<>("maximum", new Maximum(), LongSerializer.INSTANCE));
        expiringValue = expiring(new ValueStateDescriptor<>("expiring value", TEXT));
        expiringList = expiring(new ListStateDescriptor<>("expiring list", TEXT));
        expiringMap = expiring(new MapStateDescriptor<>("expiring map", TEXT, TEXT));
        timers = backend.create("timers", new TimerSerializer<>(TEXT, TEXT));
    }

    private <S extends State> S expiring(StateDescriptor<S, ?> descriptor) throws Exception {
        descriptor.enableTimeToLive(StateTtlConfig.newBuilder(TTL).build());
        return backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    /** One operation on one state. */
    void operate() throws Exception {
        Place place = new Place("k" + random.nextInt(KEYS), NAMESPACES[random.nextInt(NAMESPACES.length)]);
        backend.setCurrentKey(place.key());
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> onValue(place);
            case 3, 4, 5 -> onList(place);
            case 6, 7, 8, 9 -> onMap(place);
            case 10 -> onSum(place);
            case 11 -> onMaximum(place);
            case 12 -> onExpiringValue(place.key());
            case 13 -> onExpiringList(place.key());
            case 14 -> onExpiringMap(place.key());
            default -> onTimers(place);
        }
    }

    /** Mostly short; every 20,000th has up to 300 KB. */
    private String text() {
        int shape = random.nextInt(20_000);
        int length = shape == 0 ? random.nextInt(300_000) : shape < 100 ? random.nextInt(5_000) : random.nextInt(60);
        return length == 0 ? "" : Character.toString('a' + random.nextInt(26)).repeat(length) + random.nextInt(1000);
    }

    private void onValue(Place place) throws Exception {
        value.setCurrentNamespace(place.namespace());
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> check(place, value.value(), model.values.get(place));
            case 4 -> {
                value.clear();
                model.values.remove(place);
            }
            default -> {
                String text = text();
                value.update(text);
                model.values.put(place, text);
            }
        }
    }

    private static void check(Object where, Object found, Object expected) {
        if (expected == null ? found != null : !expected.equals(found)) {
            assertThat(found).as("%s", where).isEqualTo(expected);
        }
    }

    private void onList(Place place) throws Exception {
        list.setCurrentNamespace(place.namespace());
        List<String> expected = model.lists.get(place);
        int choice = random.nextInt(20);
        if (choice < 4) {
            check(place, list.get(), expected);
        } else if (choice == 4 || (expected != null && expected.size() > LIST_MAX)) {
            list.clear();
            model.lists.remove(place);
        } else if (choice == 5) {
            mergeLists(place);
        } else if (choice == 6) {
            List<String> texts = List.of(text(), text());
            list.update(texts);
            model.lists.put(place, new ArrayList<>(texts));
        } else {
            List<String> texts = choice == 7 ? List.of(text(), text(), text()) : List.of(text());
            if (texts.size() == 1) {
                list.add(texts.get(0));
            } else {
                list.addAll(texts);
            }
            model.lists.computeIfAbsent(place, absent -> new ArrayList<>()).addAll(texts);
        }
    }

    /** As session windows do. */
    private void mergeLists(Place place) throws Exception {
        String source = NAMESPACES[random.nextInt(NAMESPACES.length)];
        if (!source.equals(place.namespace())) {
            list.mergeNamespaces(place.namespace(), List.of(source));
            List<String> moved = model.lists.remove(new Place(place.key(), source));
            if (moved != null) {
                model.lists.computeIfAbsent(place, absent -> new ArrayList<>()).addAll(moved);
            }
        }
    }

    private void onMap(Place place) throws Exception {
        map.setCurrentNamespace(place.namespace());
        TreeMap<String, String> expected = model.maps.computeIfAbsent(place, absent -> new TreeMap<>());
        String key = "m" + random.nextInt(MAP_KEYS);
        int choice = random.nextInt(40);
        if (choice < 10) {
            check(place, map.get(key), expected.get(key));
        } else if (choice < 26) {
            String text = text();
            map.put(key, text);
            expected.put(key, text);
        } else if (choice < 34) {
            map.remove(key);
            expected.remove(key);
        } else if (choice < 36) {
            check(place, map.isEmpty(), expected.isEmpty());
        } else if (choice < 37) {
            check(place, map.contains(key), expected.containsKey(key));
        } else if (choice < 38) {
            map.clear();
            expected.clear();
        } else {
            iterate(place, expected);
        }
    }

    /** A user's loop that removes and updates what it walks over. */
    private void iterate(Place place, TreeMap<String, String> expected) throws Exception {
        TreeMap<String, String> found = new TreeMap<>();
        TreeMap<String, String> changed = new TreeMap<>(expected);
        for (Iterator<Map.Entry<String, String>> entries = map.iterator(); entries.hasNext(); ) {
            Map.Entry<String, String> entry = entries.next();
            found.put(entry.getKey(), entry.getValue());
            int choice = random.nextInt(12);
            if (choice == 0) {
                entries.remove();
                changed.remove(entry.getKey());
            } else if (choice == 1) {
                String text = text();
                String key = entry.getKey();
                entry.setValue(text);
                changed.put(key, text);
            }
        }
        check(place, found, expected);
        expected.clear();
        expected.putAll(changed);
    }

    private void onSum(Place place) throws Exception {
        sum.setCurrentNamespace(place.namespace());
        if (random.nextInt(4) == 0) {
            check(place, sum.get(), model.sums.get(place));
        } else if (random.nextInt(10) == 0) {
            sum.clear();
            model.sums.remove(place);
        } else {
            long added = random.nextInt(1000);
            sum.add(added);
            model.sums.merge(place, added, Long::sum);
        }
    }

    private void onMaximum(Place place) throws Exception {
        maximum.setCurrentNamespace(place.namespace());
        if (random.nextInt(4) == 0) {
            check(place, maximum.get(), model.maxima.get(place));
        } else if (random.nextInt(10) == 0) {
            maximum.clear();
            model.maxima.remove(place);
        } else {
            long added = random.nextInt(1000);
            maximum.add(added);
            model.maxima.merge(place, added, Math::max);
        }
    }

    private boolean isAlive(Stamped stamped) {
        return stamped != null && stamped.writtenAt() + TTL.toMillis() > now.getAsLong();
    }

    private String alive(Stamped stamped) {
        return isAlive(stamped) ? stamped.text() : null;
    }

    private Stamped stamped() {
        return new Stamped(text(), now.getAsLong());
    }

    private void onExpiringValue(String key) throws Exception {
        if (random.nextInt(3) == 0) {
            check(key, expiringValue.value(), alive(model.expiringValues.get(key)));
        } else {
            Stamped stamped = stamped();
            expiringValue.update(stamped.text());
            model.expiringValues.put(key, stamped);
        }
    }

    private void onExpiringList(String key) throws Exception {
        List<Stamped> expected = model.expiringLists.computeIfAbsent(key, absent -> new ArrayList<>());
        expected.removeIf(each -> !isAlive(each));
        if (random.nextInt(3) == 0) {
            checkExpiringList(key);
        } else if (expected.size() > LIST_MAX) {
            expiringList.clear();
            expected.clear();
        } else {
            Stamped stamped = stamped();
            expiringList.add(stamped.text());
            expected.add(stamped);
        }
    }

    private void checkExpiringList(String key) throws Exception {
        List<String> found = new ArrayList<>();
        Iterable<String> elements = expiringList.get();
        if (elements != null) {
            elements.forEach(found::add);
        }
        List<Stamped> expected = model.expiringLists.getOrDefault(key, List.of());
        check(
                key,
                found,
                expected.stream().filter(this::isAlive).map(Stamped::text).toList());
    }

    private void onExpiringMap(String key) throws Exception {
        TreeMap<String, Stamped> expected = model.expiringMaps.computeIfAbsent(key, absent -> new TreeMap<>());
        expected.values().removeIf(each -> !isAlive(each));
        String mapKey = "m" + random.nextInt(MAP_KEYS);
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> check(key, expiringMap.get(mapKey), alive(expected.get(mapKey)));
            case 3 -> {
                expiringMap.remove(mapKey);
                expected.remove(mapKey);
            }
            case 4 -> checkExpiringMap(key);
            default -> {
                Stamped stamped = stamped();
                expiringMap.put(mapKey, stamped.text());
                expected.put(mapKey, stamped);
            }
        }
    }

    private void checkExpiringMap(String key) throws Exception {
        TreeMap<String, String> found = new TreeMap<>();
        for (Map.Entry<String, String> entry : expiringMap.entries()) {
            found.put(entry.getKey(), entry.getValue());
        }
        TreeMap<String, String> alive = new TreeMap<>();
        model.expiringMaps.getOrDefault(key, new TreeMap<>()).forEach((mapKey, stamped) -> {
            if (isAlive(stamped)) {
                alive.put(mapKey, stamped.text());
            }
        });
        check(key, found, alive);
    }

    private static String name(String key, String namespace) {
        return key + "/" + namespace;
    }

    private void onTimers(Place place) {
        long time = random.nextLong(TIMES);
        TimerHeapInternalTimer<String, String> timer =
                new TimerHeapInternalTimer<>(time, place.key(), place.namespace());
        switch (random.nextInt(8)) {
            case 0, 1 -> poll();
            case 2 -> {
                timers.remove(timer);
                remove(time, name(place.key(), place.namespace()));
            }
            default -> {
                timers.add(timer);
                model.timers.computeIfAbsent(time, absent -> new TreeSet<>()).add(name(place.key(), place.namespace()));
            }
        }
    }

    private boolean remove(long time, String name) {
        TreeSet<String> atTime = model.timers.get(time);
        boolean removed = atTime != null && atTime.remove(name);
        if (removed && atTime.isEmpty()) {
            model.timers.remove(time);
        }
        return removed;
    }

    /** Of equal times any may come first. */
    private boolean poll() {
        TimerHeapInternalTimer<String, String> first = timers.poll();
        Long expected = model.timers.isEmpty() ? null : model.timers.firstKey();
        check("next timer", first == null ? null : first.getTimestamp(), expected);
        if (first != null) {
            assertThat(remove(first.getTimestamp(), name(first.getKey(), first.getNamespace())))
                    .as("whether there is a timer %s", first)
                    .isTrue();
        }
        return first != null;
    }

    /** Everything there must be, and of timers, which this takes out, nothing else. */
    void checkAll() throws Exception {
        for (int i = 0; i < KEYS; i++) {
            String key = "k" + i;
            backend.setCurrentKey(key);
            for (String namespace : NAMESPACES) {
                checkPlace(new Place(key, namespace));
            }
            check(key, expiringValue.value(), alive(model.expiringValues.get(key)));
            checkExpiringList(key);
            checkExpiringMap(key);
        }
    }

    /** Takes all timers. */
    void checkTimers() {
        while (poll()) {
            // Until none is left, which is checked too.
        }
    }

    private void checkPlace(Place place) throws Exception {
        value.setCurrentNamespace(place.namespace());
        list.setCurrentNamespace(place.namespace());
        map.setCurrentNamespace(place.namespace());
        sum.setCurrentNamespace(place.namespace());
        maximum.setCurrentNamespace(place.namespace());
        check(place, value.value(), model.values.get(place));
        check(place, list.get(), model.lists.get(place));
        TreeMap<String, String> entries = new TreeMap<>();
        for (Map.Entry<String, String> entry : map.entries()) {
            entries.put(entry.getKey(), entry.getValue());
        }
        check(place, entries, model.maps.getOrDefault(place, new TreeMap<>()));
        check(place, sum.get(), model.sums.get(place));
        check(place, maximum.get(), model.maxima.get(place));
    }

    private static final class Maximum implements AggregateFunction<Long, Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public Long createAccumulator() {
            return Long.MIN_VALUE;
        }

        @Override
        public Long add(Long added, Long accumulator) {
            return Math.max(added, accumulator);
        }

        @Override
        public Long getResult(Long accumulator) {
            return accumulator;
        }

        @Override
        public Long merge(Long a, Long b) {
            return Math.max(a, b);
        }
    }
}
