package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Effort;
import io.drey.testkit.TestSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State of shapes that no job should have: all of it in one place, or in too many. In 16 MB of memory. */
@Tag(Effort.TAG)
class AdversarialStateTest {
    private static final StringSerializer TEXT = StringSerializer.INSTANCE;
    private static final int KEY_GROUP = 3;

    @TempDir
    Path directory;

    private final TestSummary summary = new TestSummary(AdversarialStateTest.class);
    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;

    @BeforeEach
    void prepare() throws IOException {
        fixture = new BackendFixture(directory);
        fixture.storage(directory.resolve("storage"));
        open(List.of());
    }

    private void open(List<KeyedStateHandle> handles) throws IOException {
        backend = fixture.open(new DreyStateBackend(), TEXT, handles);
    }

    @AfterEach
    void close() throws IOException {
        end();
        fixture.close();
        summary.print();
    }

    private void end() throws IOException {
        backend.close();
        backend.dispose();
    }

    private KeyedStateHandle checkpoint() throws Exception {
        return fixture.completed(backend);
    }

    private static <K> InternalMapState<K, VoidNamespace, Long, Long> map(AbstractKeyedStateBackend<K> of)
            throws Exception {
        InternalMapState<K, VoidNamespace, Long, Long> map = of.createOrUpdateInternalState(
                VoidNamespaceSerializer.INSTANCE,
                new MapStateDescriptor<>("map", LongSerializer.INSTANCE, LongSerializer.INSTANCE));
        map.setCurrentNamespace(VoidNamespace.INSTANCE);
        return map;
    }

    @Test
    void oneKeyHoldsAMapOfMillions() throws Exception {
        long entries = Effort.of(100_000, 1_000_000, 10_000_000);
        InternalMapState<String, VoidNamespace, Long, Long> map = map(backend);
        backend.setCurrentKey("only");
        for (long i = 0; i < entries; i++) {
            map.put(i * 7 % entries, i);
            if (i % (entries / 4) == 0) {
                checkpoint();
            }
        }
        for (long i = 0; i < entries; i += 3) {
            map.remove(i * 7 % entries);
        }
        check(map, entries);
        KeyedStateHandle handle = checkpoint();
        end();
        open(List.of(handle));
        map = map(backend);
        backend.setCurrentKey("only");
        check(map, entries);
        map.clear();
        map.put(-1L, -1L);
        handle = checkpoint();
        end();
        open(List.of(handle));
        map = map(backend);
        backend.setCurrentKey("only");
        assertThat(map.iterator()).toIterable().hasSize(1);
        summary.add("entries of one map", entries);
    }

    /** No third number is there, and each other one under its key. */
    private static void check(InternalMapState<String, VoidNamespace, Long, Long> map, long entries) throws Exception {
        long found = 0;
        for (Iterator<Map.Entry<Long, Long>> each = map.iterator(); each.hasNext(); found++) {
            Map.Entry<Long, Long> entry = each.next();
            if (entry.getValue() % 3 == 0 || entry.getValue() * 7 % entries != entry.getKey()) {
                throw new AssertionError("found " + entry);
            }
        }
        assertThat(found).isEqualTo(entries - (entries + 2) / 3);
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            long number = random.nextLong(entries);
            assertThat(map.get(number * 7 % entries)).isEqualTo(number % 3 == 0 ? null : (Long) number);
        }
    }

    @Test
    void allKeysAreInOneKeyGroup() throws Exception {
        int keys = (int) Effort.of(20_000, 200_000, 1_000_000);
        InternalMapState<String, VoidNamespace, Long, Long> map = map(backend);
        long number = 0;
        List<Long> inGroup = new ArrayList<>();
        for (; inGroup.size() < keys; number++) {
            if (KeyGroupRangeAssignment.assignToKeyGroup("k" + number, BackendFixture.KEY_GROUPS) == KEY_GROUP) {
                inGroup.add(number);
                backend.setCurrentKey("k" + number);
                map.put(1L, number);
                map.put(2L, -number);
            }
        }
        KeyedStateHandle handle = checkpoint();
        end();
        KeyedStateHandle ofGroup = null;
        for (int from = 0; from < BackendFixture.KEY_GROUPS; from += KEY_GROUP) {
            int to = Math.min(from + KEY_GROUP, BackendFixture.KEY_GROUPS) - 1;
            backend = fixture.open(new DreyStateBackend(), TEXT, new KeyGroupRange(from, to), List.of(handle));
            boolean isThere = from == KEY_GROUP;
            try (var found = backend.getKeys("map", VoidNamespace.INSTANCE)) {
                assertThat(found.count()).isEqualTo(isThere ? keys : 0);
            }
            ofGroup = isThere ? checkpoint() : ofGroup;
            end();
        }
        open(List.of(ofGroup));
        map = map(backend);
        for (long each : inGroup) {
            backend.setCurrentKey("k" + each);
            assertThat(map.get(1L)).isEqualTo(each);
            assertThat(map.get(2L)).isEqualTo(-each);
        }
        summary.add("keys of one key group", keys);
    }

    /** Each begins with all of the one before, as those of nested windows may; the longest do not fit into a page. */
    @Test
    void aWalkOverKeysReadsAFileOnceHoweverManyKeyGroupsThereAre() throws Exception {
        end();
        int keyGroups = 512;
        RecordedMetrics metrics = new RecordedMetrics();
        fixture.keyGroups(keyGroups);
        fixture.metrics(metrics);
        backend = fixture.open(RecordedMetrics.backendWithAll(), TEXT, List.of());
        InternalMapState<String, VoidNamespace, Long, Long> map = map(backend);
        Set<String> keys = new HashSet<>();
        for (long i = 0; i < 2L * keyGroups; i++) {
            keys.add("k" + i);
            backend.setCurrentKey("k" + i);
            map.put(1L, i);
            map.put(2L, -i);
        }
        checkpoint();
        long before = (Long) metrics.value("drey.directory.0.reads");
        try (var found = backend.getKeys("map", VoidNamespace.INSTANCE)) {
            assertThat(found).containsExactlyInAnyOrderElementsOf(keys);
        }
        try (var found = backend.getKeysAndNamespaces("map")) {
            assertThat(found.map(each -> each.f0)).containsExactlyInAnyOrderElementsOf(keys);
        }
        assertThat(backend.numKeyValueStateEntries()).isEqualTo(2 * keys.size());
        assertThat((Long) metrics.value("drey.directory.0.reads") - before).isBetween(1L, keyGroups / 8L);
    }

    @Test
    void namespacesAreDeep() throws Exception {
        int depth = (int) Effort.of(300, 1_000, 2_000);
        InternalValueState<String, String, String> value =
                backend.createOrUpdateInternalState(TEXT, new ValueStateDescriptor<>("value", TEXT));
        InternalListState<String, String, String> list =
                backend.createOrUpdateInternalState(TEXT, new ListStateDescriptor<>("list", TEXT));
        for (int i = 0; i < depth; i++) {
            backend.setCurrentKey("k" + i % 2);
            value.setCurrentNamespace(namespace(i));
            value.update("v" + i);
            list.setCurrentNamespace(namespace(i));
            list.add("e" + i);
            list.add("f" + i);
        }
        backend.setCurrentKey("k0");
        list.mergeNamespaces(namespace(0), List.of(namespace(depth / 2 * 2 - 2), namespace(2)));
        KeyedStateHandle handle = checkpoint();
        end();
        open(List.of(handle));
        value = backend.createOrUpdateInternalState(TEXT, new ValueStateDescriptor<>("value", TEXT));
        list = backend.createOrUpdateInternalState(TEXT, new ListStateDescriptor<>("list", TEXT));
        for (int i = 0; i < depth; i++) {
            backend.setCurrentKey("k" + i % 2);
            value.setCurrentNamespace(namespace(i));
            assertThat(value.value()).isEqualTo("v" + i);
        }
        backend.setCurrentKey("k0");
        list.setCurrentNamespace(namespace(0));
        int last = depth / 2 * 2 - 2;
        assertThat(list.get()).containsExactly("e0", "f0", "e" + last, "f" + last, "e2", "f2");
        try (var found = backend.getKeysAndNamespaces("list")) {
            assertThat(found.count()).isEqualTo(depth - 2);
        }
        summary.add("nested namespaces", depth);
    }

    private static String namespace(int depth) {
        return "window/".repeat(depth);
    }

    @Test
    void oneKeyHasManyNamespaces() throws Exception {
        int namespaces = (int) Effort.of(50_000, 500_000, 2_000_000);
        InternalListState<String, Long, Long> list = list();
        for (int round = 0; round < 2; round++) {
            backend.setCurrentKey("only");
            for (long i = 0; i < namespaces; i++) {
                list.setCurrentNamespace(i);
                list.add(i + round);
            }
            KeyedStateHandle handle = checkpoint();
            end();
            open(List.of(handle));
            list = list();
        }
        backend.setCurrentKey("only");
        for (long i = 0; i < namespaces; i++) {
            list.setCurrentNamespace(i);
            assertThat(list.get()).containsExactly(i, i + 1);
            if (i % 2 == 0) {
                list.clear();
            }
        }
        try (var found = backend.getKeysAndNamespaces("list")) {
            assertThat(found.count()).isEqualTo(namespaces / 2);
        }
        summary.add("namespaces of one key", namespaces);
    }

    private InternalListState<String, Long, Long> list() throws Exception {
        return backend.createOrUpdateInternalState(
                LongSerializer.INSTANCE, new ListStateDescriptor<>("list", LongSerializer.INSTANCE));
    }
}
