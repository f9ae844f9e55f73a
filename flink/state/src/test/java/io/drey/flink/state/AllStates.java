package io.drey.flink.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.internal.InternalReducingState;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;

/**
 * Every kind of state and a timer queue, under keys and namespaces of variable length, with what is known to be
 * delicate: empty texts, null values in maps (of a type that can write them: HashMap's savepoints need that),
 * delimiters in lists.
 */
final class AllStates {
    private static final TypeSerializer<String> TEXT = StringSerializer.INSTANCE;

    private final AbstractKeyedStateBackend<String> backend;
    private final int keys;
    private final InternalValueState<String, String, String> value;
    private final InternalListState<String, String, String> list;
    private final InternalMapState<String, String, String, String> map;
    private final InternalReducingState<String, String, Long> reducing;
    private final InternalAggregatingState<String, String, Long, Long, String> aggregating;
    private final KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<String, String>> timers;

    AllStates(AbstractKeyedStateBackend<String> backend, int keys) throws Exception {
        this.backend = backend;
        this.keys = keys;
        value = backend.createOrUpdateInternalState(TEXT, new ValueStateDescriptor<>("value", TEXT));
        list = backend.createOrUpdateInternalState(TEXT, new ListStateDescriptor<>("list", TEXT));
        map = backend.createOrUpdateInternalState(TEXT, new MapStateDescriptor<>("map", TEXT, TEXT));
        reducing = backend.createOrUpdateInternalState(
                TEXT, new ReducingStateDescriptor<>("reducing", Long::sum, LongSerializer.INSTANCE));
        aggregating = backend.createOrUpdateInternalState(
                TEXT, new AggregatingStateDescriptor<>("aggregating", new Sum(), LongSerializer.INSTANCE));
        timers = backend.create("timers", new TimerSerializer<>(TEXT, TEXT));
    }

    private String key(int i) {
        return "key".substring(0, i % 4) + i;
    }

    private static String namespace(int i) {
        return "n".repeat(i);
    }

    void fill() throws Exception {
        for (int i = 0; i < keys; i++) {
            backend.setCurrentKey(key(i));
            for (int n = 0; n < 3; n++) {
                enter(namespace(n));
                value.update(n == 0 ? "" : "value-" + i);
                for (int e = 0; e <= i % 17; e++) {
                    list.add("," + e);
                    map.put("m" + e, e % 3 == 0 ? null : "v" + i * e);
                    reducing.add((long) e);
                    aggregating.add((long) e);
                }
                timers.add(new TimerHeapInternalTimer<>(1000L - i, key(i), namespace(n)));
            }
        }
    }

    private void enter(String namespace) {
        value.setCurrentNamespace(namespace);
        list.setCurrentNamespace(namespace);
        map.setCurrentNamespace(namespace);
        reducing.setCurrentNamespace(namespace);
        aggregating.setCurrentNamespace(namespace);
    }

    /** All that there is under the keys of the backend's range, as text. */
    Map<String, String> dump() throws Exception {
        Map<String, String> dump = new TreeMap<>();
        for (int i = 0; i < keys; i++) {
            if (!backend.getKeyGroupRange()
                    .contains(org.apache.flink.runtime.state.KeyGroupRangeAssignment.assignToKeyGroup(
                            key(i), backend.getNumberOfKeyGroups()))) {
                continue;
            }
            backend.setCurrentKey(key(i));
            for (int n = 0; n < 4; n++) {
                enter(namespace(n));
                Map<String, String> entries = new TreeMap<>();
                for (Map.Entry<String, String> entry : map.entries()) {
                    entries.put(entry.getKey(), entry.getValue());
                }
                dump.put(
                        key(i) + "/" + n,
                        value.value() + "|" + list.get() + "|" + entries + "|" + reducing.get() + "|"
                                + aggregating.get());
            }
        }
        for (int keyGroup : backend.getKeyGroupRange()) {
            TreeSet<String> sorted = new TreeSet<>();
            timers.getSubsetForKeyGroup(keyGroup).forEach(timer -> sorted.add(timer.toString()));
            dump.put("timers of " + keyGroup, sorted.toString());
        }
        return dump;
    }

    /** The keys with state, each once, in order of nothing. */
    List<String> keysOfMap(String namespace) {
        List<String> found = new ArrayList<>();
        try (var stream = backend.getKeys("map", namespace)) {
            stream.forEach(found::add);
        }
        return found;
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
