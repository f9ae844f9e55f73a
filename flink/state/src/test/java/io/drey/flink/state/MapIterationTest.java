package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.typeutils.runtime.ValueSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.types.StringValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changing a map through its iterators, at every place of the batches in which it is read. */
class MapIterationTest {
    private static final int ENTRIES = 300;

    @TempDir
    Path directory;

    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;

    @BeforeEach
    void open() throws Exception {
        fixture = new BackendFixture(directory);
        backend = fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
    }

    @AfterEach
    void close() throws Exception {
        backend.close();
        backend.dispose();
        fixture.close();
    }

    @Test
    void keysAndValuesAreOfTheKeyThatWasCurrentWhenTheyWereAskedFor() throws Exception {
        MapState<Long, String> map = filled();
        Iterable<Long> keys = map.keys();
        Iterable<String> values = map.values();
        backend.setCurrentKey("other");
        map.put(-1L, "other");
        assertThat(keys).hasSize(ENTRIES).doesNotContain(-1L);
        assertThat(values).hasSize(ENTRIES).doesNotContain("other");
        assertThat(map.keys()).containsExactly(-1L);
    }

    private MapState<Long, String> filled() throws Exception {
        MapState<Long, String> map = backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new MapStateDescriptor<>("map", LongSerializer.INSTANCE, StringSerializer.INSTANCE));
        backend.setCurrentKey("walked");
        for (long i = 0; i < ENTRIES; i++) {
            map.put(i, "value " + i);
        }
        return map;
    }

    private static Map<Long, String> contents(MapState<Long, String> map) throws Exception {
        Map<Long, String> found = new TreeMap<>();
        for (Map.Entry<Long, String> entry : map.entries()) {
            found.put(entry.getKey(), entry.getValue());
        }
        return found;
    }

    @Test
    void removeTakesWhatWasHandedOutLastEvenAfterHasNext() throws Exception {
        MapState<Long, String> map = filled();
        Map<Long, String> expected = contents(map);
        Iterator<Long> keys = map.keys().iterator();
        while (keys.hasNext()) {
            long key = keys.next();
            boolean asked = key % 2 == 0 && keys.hasNext();
            if (key % 3 == 0) {
                keys.remove();
                expected.remove(key);
                assertThat(asked || key % 2 != 0 || key == ENTRIES - 1).isTrue();
                assertThatThrownBy(keys::remove).isInstanceOf(IllegalStateException.class);
            }
        }
        assertThat(contents(map)).isEqualTo(expected).hasSize(ENTRIES - ENTRIES / 3);
    }

    @Test
    void entriesChangeTheMapUnderTheKeyWhereTheWalkBegan() throws Exception {
        MapState<Long, String> map = filled();
        List<Map.Entry<Long, String>> entries = new ArrayList<>();
        map.entries().forEach(entries::add);
        Iterator<Long> keys = map.keys().iterator();
        long first = keys.next();
        backend.setCurrentKey("another");
        keys.remove();
        for (Map.Entry<Long, String> entry : entries) {
            if (entry.getKey() != first) {
                entry.setValue("changed " + entry.getKey());
            }
        }
        assertThat(map.isEmpty()).isTrue();
        assertThat(map.iterator().hasNext()).isFalse();
        backend.setCurrentKey("walked");
        Map<Long, String> expected = new TreeMap<>();
        for (long i = 0; i < ENTRIES; i++) {
            if (i != first) {
                expected.put(i, "changed " + i);
            }
        }
        assertThat(contents(map)).isEqualTo(expected);
    }

    @Test
    void anEntryStaysThatOfItsKeyWhenTheKeyObjectIsChanged() throws Exception {
        MapState<StringValue, String> map = backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new MapStateDescriptor<>(
                        "mutable", new ValueSerializer<>(StringValue.class), StringSerializer.INSTANCE));
        backend.setCurrentKey("walked");
        map.put(new StringValue("a"), "1");
        map.put(new StringValue("b"), "2");
        Map.Entry<StringValue, String> entry = map.entries().iterator().next();
        entry.getKey().setValue("b");
        entry.setValue("3");
        assertThat(map.get(new StringValue("a"))).isEqualTo("3");
        assertThat(map.get(new StringValue("b"))).isEqualTo("2");
    }

    @Test
    void walksOfSeveralMapsDoNotDisturbEachOther() throws Exception {
        MapState<Long, String> map = filled();
        for (int i = 0; i < 10; i++) {
            backend.setCurrentKey("key " + i);
            for (long j = 0; j < 50; j++) {
                map.put(j, i + " " + j);
            }
        }
        List<Iterator<Map.Entry<Long, String>>> walks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            backend.setCurrentKey("key " + i);
            walks.add(map.iterator());
        }
        for (long j = 0; j < 50; j++) {
            for (int i = 0; i < 10; i++) {
                Map.Entry<Long, String> entry = walks.get(i).next();
                assertThat(entry.getValue()).isEqualTo(i + " " + entry.getKey());
            }
        }
        walks.forEach(walk -> assertThat(walk.hasNext()).isFalse());
    }
}
