package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Serializers that say wrong lengths, change their format from write to write, or do not read what they wrote. */
class OddSerializersTest {
    private static final int KEYS = 300;
    private static final long TTL = 1000;

    @TempDir
    Path directory;

    private final AtomicLong now = new AtomicLong(1L << 56);
    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;
    private ValueState<String> value;
    private ListState<String> list;
    private ListState<String> expiring;
    private MapState<String, String> map;

    @BeforeEach
    void prepare() throws Exception {
        fixture = new BackendFixture(directory);
        fixture.time(now::get);
        open();
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

    private void open(KeyedStateHandle... handles) throws Exception {
        backend = fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(handles));
        OddTexts texts = new OddTexts();
        value = state(new ValueStateDescriptor<>("value", texts));
        list = state(new ListStateDescriptor<>("list", texts));
        map = state(new MapStateDescriptor<>("map", StringSerializer.INSTANCE, texts));
        ListStateDescriptor<String> descriptor = new ListStateDescriptor<>("expiring", texts);
        descriptor.enableTimeToLive(
                StateTtlConfig.newBuilder(Duration.ofMillis(TTL)).build());
        expiring = state(descriptor);
    }

    private <S extends State> S state(StateDescriptor<S, ?> descriptor) throws Exception {
        return backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    private void reopen() throws Exception {
        KeyedStateHandle handle = fixture.completed(backend);
        end();
        open(handle);
    }

    private static List<String> elements(ListState<String> list) throws Exception {
        List<String> elements = new ArrayList<>();
        Iterable<String> found = list.get();
        if (found != null) {
            found.forEach(elements::add);
        }
        return elements;
    }

    @Test
    void whatChangesItsFormatAndLengthIsReadAsItWasWritten() throws Exception {
        for (int round = 1; round <= 4; round++) {
            for (int i = 0; i < KEYS; i++) {
                backend.setCurrentKey("k" + i);
                value.update("value " + i + "-".repeat(round));
                list.add("element " + round + "+".repeat(i % 30));
                map.put("a" + round, "entry " + i);
            }
            reopen();
        }
        for (int i = 0; i < KEYS; i++) {
            backend.setCurrentKey("k" + i);
            assertThat(value.value()).isEqualTo("value " + i + "----");
            String end = "+".repeat(i % 30);
            assertThat(elements(list))
                    .containsExactly("element 1" + end, "element 2" + end, "element 3" + end, "element 4" + end);
            Map<String, String> entries = new TreeMap<>();
            for (Map.Entry<String, String> entry : map.entries()) {
                entries.put(entry.getKey(), entry.getValue());
            }
            String entry = "entry " + i;
            assertThat(entries).isEqualTo(Map.of("a1", entry, "a2", entry, "a3", entry, "a4", entry));
        }
    }

    @Test
    void anElementThatIsNotReadToItsEndIsAnErrorAndHarmsNothingElse() throws Exception {
        backend.setCurrentKey("bad");
        value.update(OddTexts.SHORT_READ);
        map.put("a", OddTexts.SHORT_READ);
        list.add("good");
        list.add(OddTexts.SHORT_READ);
        list.add("later");
        backend.setCurrentKey("good");
        list.add("good");
        reopen();
        backend.setCurrentKey("good");
        assertThat(elements(list)).containsExactly("good");
        backend.setCurrentKey("bad");
        assertThat(value.value()).isEqualTo(OddTexts.SHORT_READ);
        assertThat(map.get("a")).isEqualTo(OddTexts.SHORT_READ);
        assertThatThrownBy(() -> list.get())
                .hasStackTraceContaining("expected a delimiter after a list element, found byte 0")
                .hasStackTraceContaining(OddTexts.class.getSimpleName());
        list.clear();
        list.add("again");
        reopen();
        backend.setCurrentKey("bad");
        assertThat(elements(list)).containsExactly("again");
    }

    /**
     * The bytes of both elements are four times the length that the serializer says, and at each multiple of it but the
     * first stands what looks like a time long ago.
     */
    @Test
    void aListOfElementsOfAWrongLengthExpiresNoSoonerThanItsElements() throws Exception {
        backend.setCurrentKey("k");
        expiring.add("\0".repeat(9));
        now.addAndGet(1L << 16);
        expiring.add("\0".repeat(10));
        reopen();
        backend.setCurrentKey("other");
        expiring.add("makes a second file");
        reopen();
        backend.setCurrentKey("k");
        assertThat(elements(expiring)).containsExactly("\0".repeat(10));
    }
}
