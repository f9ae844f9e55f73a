package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A serializer that throws half way leaves every state as it was, and the next operation as if nothing had been. */
class HalfWrittenStateTest {
    private static final String BAD = HalfWrittenTexts.BAD;

    @TempDir
    Path directory;

    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;
    private InternalValueState<String, String, String> value;
    private InternalListState<String, String, String> list;
    private InternalMapState<String, String, String, String> map;

    @BeforeEach
    void prepare() throws Exception {
        fixture = new BackendFixture(directory);
        open();
    }

    private void open(KeyedStateHandle... handles) throws Exception {
        HalfWrittenTexts texts = new HalfWrittenTexts();
        backend = fixture.open(new DreyStateBackend(), texts, List.of(handles));
        value = backend.createOrUpdateInternalState(texts, new ValueStateDescriptor<>("value", texts));
        list = backend.createOrUpdateInternalState(texts, new ListStateDescriptor<>("list", texts));
        map = backend.createOrUpdateInternalState(texts, new MapStateDescriptor<>("map", texts, texts));
        enter("key", "namespace");
    }

    @AfterEach
    void close() throws IOException {
        end();
        fixture.close();
    }

    private void end() throws IOException {
        backend.close();
        backend.dispose();
    }

    private void enter(String key, String namespace) {
        backend.setCurrentKey(key);
        value.setCurrentNamespace(namespace);
        list.setCurrentNamespace(namespace);
        map.setCurrentNamespace(namespace);
    }

    private static void fails(ThrowingCallable operation) {
        assertThatThrownBy(operation).hasStackTraceContaining("half written: " + BAD);
    }

    private Map<String, String> entries() throws Exception {
        Map<String, String> entries = new TreeMap<>();
        for (Map.Entry<String, String> entry : map.entries()) {
            entries.put(entry.getKey(), entry.getValue());
        }
        return entries;
    }

    private void check() throws Exception {
        assertThat(list.get()).containsExactly("one", "two", "three");
        assertThat(entries()).isEqualTo(Map.of("a", "1", "b", "2"));
    }

    @Test
    void listsAndMapsStayAsTheyWere() throws Exception {
        list.add("one");
        fails(() -> list.add(BAD));
        list.add("two");
        fails(() -> list.addAll(List.of("good", BAD, "good")));
        fails(() -> list.update(new ArrayList<>(List.of("good", BAD))));
        list.add("three");
        map.put("a", "1");
        fails(() -> map.put("a", BAD));
        fails(() -> map.put(BAD, "2"));
        fails(() -> map.get(BAD));
        fails(() -> map.contains(BAD));
        map.put("b", "2");
        fails(() -> map.remove(BAD));
        check();
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        end();
        open(handle);
        check();
    }

    @Test
    void aValueThatCannotBeWrittenFailsTheCheckpointThatNeedsIt() throws Exception {
        value.update("before");
        KeyedStateHandle good = fixture.checkpoint(backend, 1);
        assertThatThrownBy(() -> {
                    value.update(BAD);
                    fixture.checkpoint(backend, 2);
                })
                .hasStackTraceContaining("half written: " + BAD);
        value.update("after");
        KeyedStateHandle later = fixture.checkpoint(backend, 3);
        assertThat(value.value()).isEqualTo("after");
        end();
        open(later);
        assertThat(value.value()).isEqualTo("after");
        end();
        open(good);
        assertThat(value.value()).isEqualTo("before");
    }

    @Test
    void aKeyOrNamespaceThatCannotBeWrittenIsNobodys() throws Exception {
        list.add("one");
        fails(() -> enter(BAD, "namespace"));
        assertThatThrownBy(() -> list.add("lost")).hasMessageContaining("No key set");
        enter("key", "namespace");
        assertThat(list.get()).containsExactly("one");
        enter("key", BAD);
        fails(() -> list.add("lost"));
        fails(() -> list.get());
        enter("key", "namespace");
        list.add("two");
        assertThat(list.get()).containsExactly("one", "two");
    }
}
