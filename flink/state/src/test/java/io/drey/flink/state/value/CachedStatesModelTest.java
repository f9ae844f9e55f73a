package io.drey.flink.state.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.flink.state.table.CurrentKey;
import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StateTables;
import io.drey.flink.state.table.StoredState;
import io.drey.flink.state.task.TaskThread;
import io.drey.foundation.HeapShare;
import io.drey.keyed.cache.ObjectCache;
import io.drey.store.Store;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongValueSerializer;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.types.LongValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Value, reducing and aggregating state of a mutable type through caches of a few entries, against maps of numbers.
 * Every object that goes in or comes out is changed afterwards. A second set of states, without cache, reads the store.
 */
@Tag(Effort.TAG)
class CachedStatesModelTest {
    private static final long OPERATIONS = 150_000;
    private static final int OPERATIONS_PER_CASE = 6_000;
    private static final int KEY_GROUPS = 4;
    private static final int NAMESPACES = 3;

    private long hits;
    private long bypasses;
    private long evictions;
    private long writeBacks;
    private long vanished;

    @Test
    void behavesLikeMaps() {
        Seeds.operations(OPERATIONS, this::runCase);
        assertThat(hits).isGreaterThan(OPERATIONS / 20);
        assertThat(bypasses).isGreaterThan(OPERATIONS / 20);
        assertThat(evictions).isGreaterThan(OPERATIONS / 50);
        assertThat(writeBacks).isGreaterThan(OPERATIONS / 50);
        assertThat(vanished).isGreaterThan(OPERATIONS / 500);
    }

    private long runCase(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        StepBackground background = new StepBackground();
        HeapShare heap = new HeapShare(1 << 20);
        ObjectCache objects = new ObjectCache(8 << random.nextInt(3), new ExpensiveDeserializing()::next, heap);
        try (SlotMemory memory = new SlotMemory(4 << 20, 4 << 10);
                Store store = Store.open(
                        StoreSettings.of(0, KEY_GROUPS),
                        new StoreResources(new MemoryDirectory(), memory, background),
                        List.of())) {
            StateTables tables = new StateTables(store);
            States cached = new States(store, tables, objects);
            States bare = new States(store, tables, new ObjectCache(0, () -> 0, heap));
            Model model = new Model();
            int range = 2;
            for (int i = 0; i < OPERATIONS_PER_CASE; i++) {
                if (i % 1000 == 0) {
                    range = 1 << random.nextInt(1, 10);
                    cached.reregister(tables, random);
                }
                step(random, cached, model, random.nextInt(range), random.nextInt(NAMESPACES));
                if (random.nextInt(200) == 0) {
                    background.step();
                }
                if (random.nextInt(1500) == 0) {
                    cached.store.writeBack();
                    assertThat(objects.dirty()).isZero();
                    bare.check(model);
                    store.snapshot().close();
                }
            }
            cached.check(model);
            cached.store.writeBack();
            bare.check(model);
        }
        hits += objects.hits();
        bypasses += objects.bypasses();
        evictions += objects.evictions();
        writeBacks += objects.writeBacks();
        vanished += objects.vanished();
        return OPERATIONS_PER_CASE;
    }

    private static void step(SplittableRandom random, States states, Model model, int key, int namespace)
            throws Exception {
        states.enter(key, namespace);
        String at = key + "/" + namespace;
        long number = random.nextInt(1000);
        switch (random.nextInt(11)) {
            case 0, 1 -> {
                assertThat(states.value()).isEqualTo(model.values.get(at));
            }
            case 2, 3 -> {
                Long before = states.value();
                assertThat(before).isEqualTo(model.values.get(at));
                states.update(number);
                model.values.put(at, number);
            }
            case 4 -> {
                states.update(number);
                model.values.put(at, number);
            }
            case 5 -> {
                states.value.clear();
                model.values.remove(at);
            }
            case 6 -> {
                states.reduce(number);
                model.sums.merge(at, number, Long::sum);
                assertThat(states.sum()).isEqualTo(model.sums.get(at));
            }
            case 7 -> {
                states.sum.clear();
                model.sums.remove(at);
            }
            case 8 -> {
                states.aggregate.add(number);
                model.aggregates.merge(at, number, Long::sum);
            }
            case 9 -> {
                assertThat(states.aggregate.get()).isEqualTo(model.aggregates.get(at));
                if (random.nextBoolean()) {
                    states.aggregate.clear();
                    model.aggregates.remove(at);
                }
            }
            default -> {
                states.sum.mergeNamespaces(namespace, List.of((namespace + 1) % NAMESPACES));
                states.aggregate.mergeNamespaces(namespace, List.of((namespace + 2) % NAMESPACES));
                Model.merge(model.sums, at, key + "/" + (namespace + 1) % NAMESPACES);
                Model.merge(model.aggregates, at, key + "/" + (namespace + 2) % NAMESPACES);
            }
        }
    }

    /** A clock by which deserializing takes long and copying no time: hits decide alone. */
    private static final class ExpensiveDeserializing {
        private long now;
        private int calls;

        long next() {
            now += calls++ % 4 == 2 ? 1_000_000 : 0;
            return now;
        }
    }

    private static final class Model {
        final Map<String, Long> values = new HashMap<>();
        final Map<String, Long> sums = new HashMap<>();
        final Map<String, Long> aggregates = new HashMap<>();

        static void merge(Map<String, Long> map, String target, String source) {
            Long moved = map.remove(source);
            if (moved != null) {
                map.merge(target, moved, Long::sum);
            }
        }
    }

    /** The three states over a store; all objects are changed once they have been handed over. */
    private static final class States {
        final KeyedStore<Integer> store;
        final CurrentKey<Integer> key = new CurrentKey<>(IntSerializer.INSTANCE);
        final DreyValueState<Integer, Integer, LongValue> value;
        final DreyReducingState<Integer, Integer, LongValue> sum;
        final DreyAggregatingState<Integer, Integer, Long, LongValue, Long> aggregate;

        States(Store bytes, StateTables tables, ObjectCache objects) throws Exception {
            store = new KeyedStore<>(
                    bytes, key, TaskThread.current(new MockEnvironmentBuilder().build()), KEY_GROUPS, objects);
            value = new DreyValueState<>(store, table(tables, StateDescriptor.Type.VALUE, "value"));
            sum = new DreyReducingState<>(store, table(tables, StateDescriptor.Type.REDUCING, "sum"));
            aggregate = new DreyAggregatingState<>(store, table(tables, StateDescriptor.Type.AGGREGATING, "aggregate"));
            configure(tables);
        }

        private static StateTable table(StateTables tables, StateDescriptor.Type type, String name) throws Exception {
            StateTable known = tables.keyValue(name);
            return known != null
                    ? known
                    : tables.register(new RegisteredKeyValueStateBackendMetaInfo<>(
                            type, name, IntSerializer.INSTANCE, LongValueSerializer.INSTANCE));
        }

        private void configure(StateTables tables) {
            TypeSerializer<LongValue> serializer = LongValueSerializer.INSTANCE;
            value.configure(new ValueStateDescriptor<>("value", serializer), info(tables, "value"));
            sum.configure(new ReducingStateDescriptor<>("sum", States::addInPlace, serializer), info(tables, "sum"));
            aggregate.configure(
                    new AggregatingStateDescriptor<>("aggregate", new InPlaceSum(), serializer),
                    info(tables, "aggregate"));
        }

        void reregister(StateTables tables, SplittableRandom random) throws Exception {
            if (random.nextBoolean()) {
                for (StoredState<?, ?, ?> state : List.of(value, sum, aggregate)) {
                    state.settle();
                }
                configure(tables);
            }
        }

        @SuppressWarnings("unchecked")
        private static RegisteredKeyValueStateBackendMetaInfo<Integer, LongValue> info(
                StateTables tables, String name) {
            return (RegisteredKeyValueStateBackendMetaInfo<Integer, LongValue>)
                    tables.keyValue(name).info();
        }

        private static LongValue addInPlace(LongValue left, LongValue right) {
            left.setValue(left.getValue() + right.getValue());
            return left;
        }

        void enter(int newKey, int namespace) {
            key.set(newKey, newKey % KEY_GROUPS);
            value.setCurrentNamespace(namespace);
            sum.setCurrentNamespace(namespace);
            aggregate.setCurrentNamespace(namespace);
        }

        private static Long taken(LongValue object) {
            if (object == null) {
                return null;
            }
            long number = object.getValue();
            object.setValue(-1);
            return number;
        }

        Long value() throws Exception {
            return taken(value.value());
        }

        Long sum() throws Exception {
            return taken(sum.get());
        }

        void update(long number) throws Exception {
            LongValue object = new LongValue(number);
            value.update(object);
            object.setValue(-2);
        }

        void reduce(long number) throws Exception {
            LongValue object = new LongValue(number);
            sum.add(object);
            object.setValue(-3);
        }

        void check(Model model) throws Exception {
            for (int k = 0; k < 1 << 9; k++) {
                for (int n = 0; n < NAMESPACES; n++) {
                    enter(k, n);
                    String at = k + "/" + n;
                    assertThat(value()).as("value %s", at).isEqualTo(model.values.get(at));
                    assertThat(sum()).as("sum %s", at).isEqualTo(model.sums.get(at));
                    assertThat(aggregate.get()).as("aggregate %s", at).isEqualTo(model.aggregates.get(at));
                }
            }
        }
    }

    private static final class InPlaceSum implements AggregateFunction<Long, LongValue, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public LongValue createAccumulator() {
            return new LongValue(0);
        }

        @Override
        public LongValue add(Long added, LongValue accumulator) {
            accumulator.setValue(accumulator.getValue() + added);
            return accumulator;
        }

        @Override
        public Long getResult(LongValue accumulator) {
            long result = accumulator.getValue();
            accumulator.setValue(-4);
            return result;
        }

        @Override
        public LongValue merge(LongValue a, LongValue b) {
            a.setValue(a.getValue() + b.getValue());
            return a;
        }
    }
}
