package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics of a backend as Flink gets them: that the reference lists exactly these, and what they count. */
class MetricsReferenceTest {
    /** The prefix of the names in the tables below it, or the first cell of a row. */
    private static final Pattern DOCUMENTED =
            Pattern.compile("(?m)^Names begin with `([^`]+)`$|^\\| ((?:`\\w+`(?:, )?)+) \\|");

    private static final String STATE = "s";

    @TempDir
    Path directory;

    private final RecordedMetrics metrics = new RecordedMetrics();
    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;

    @BeforeEach
    void open() throws IOException {
        fixture = new BackendFixture(directory);
        fixture.metrics(metrics);
        backend = fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
    }

    @AfterEach
    void close() throws IOException {
        backend.close();
        backend.dispose();
        fixture.close();
    }

    private InternalValueState<String, VoidNamespace, String> values() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = backend.createOrUpdateInternalState(
                VoidNamespaceSerializer.INSTANCE, new ValueStateDescriptor<>(STATE, StringSerializer.INSTANCE));
        state.setCurrentNamespace(VoidNamespace.INSTANCE);
        return state;
    }

    private static Path reference() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/reference/metrics.md"))) {
            at = at.getParent();
        }
        return at.resolve("docs/reference/metrics.md");
    }

    @Test
    void theReferenceListsExactlyWhatIsRegistered() throws Exception {
        values();
        Set<String> documented = new TreeSet<>();
        Matcher row = DOCUMENTED.matcher(Files.readString(reference()));
        String prefix = "";
        while (row.find()) {
            if (row.group(1) != null) {
                prefix = row.group(1).replace("<state>", STATE).replace("<directory>", "0");
            } else {
                for (String name : row.group(2).split(", ")) {
                    assertThat(documented.add(prefix + name.replace("`", ""))).isTrue();
                }
            }
        }
        assertThat(documented).hasSizeGreaterThan(40).isEqualTo(metrics.all().keySet());
    }

    @Test
    void aStateCountsItsOperations() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        int keys = 20_000;
        for (int i = 0; i < keys; i++) {
            backend.setCurrentKey("k" + i);
            assertThat(state.value()).isNull();
            state.update("value");
            assertThat(state.value()).isEqualTo("value");
        }
        state.clear();
        assertThat(metrics.gauge("drey.state.s.getHits")).isEqualTo((long) keys);
        assertThat(metrics.gauge("drey.state.s.getAbsents")).isEqualTo((long) keys);
        assertThat(metrics.gauge("drey.state.s.puts")).isEqualTo((long) keys);
        assertThat(metrics.gauge("drey.state.s.deletes")).isEqualTo(1L);
        assertThat(metrics.histogram("drey.state.s.getLatencyNanos").getCount()
                        + metrics.histogram("drey.state.s.putLatencyNanos").getCount())
                .isBetween(10L, 120L);
        assertThat(metrics.histogram("drey.state.s.valueBytes").getStatistics().getMax())
                .isBetween(6L, 8L);
    }

    @Test
    void aMapCountsItsIterations() throws Exception {
        InternalMapState<String, VoidNamespace, String, String> map = backend.createOrUpdateInternalState(
                VoidNamespaceSerializer.INSTANCE,
                new MapStateDescriptor<>("m", StringSerializer.INSTANCE, StringSerializer.INSTANCE));
        map.setCurrentNamespace(VoidNamespace.INSTANCE);
        backend.setCurrentKey("key");
        assertThat(map.isEmpty()).isTrue();
        map.put("a", "1");
        map.put("b", "2");
        for (String key : map.keys()) {
            assertThat(key).isNotNull();
        }
        assertThat(metrics.gauge("drey.state.m.seeks")).isEqualTo(2L);
        assertThat(metrics.gauge("drey.state.m.nexts")).isEqualTo(2L);
    }

    @Test
    void filesAndTheirCausesAreCounted() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        backend.setCurrentKey("key");
        state.update("value");
        fixture.checkpoint(backend, 1);
        state.update("other");
        fixture.checkpoint(backend, 2);
        assertThat(metrics.gauge("drey.flushes")).isEqualTo(2L);
        assertThat(metrics.gauge("drey.flushWrites")).isEqualTo(2L);
        assertThat((long) metrics.gauge("drey.flushBytesWritten"))
                .isEqualTo((long) metrics.gauge("drey.checkpointBytesRead") / 3 * 2);
        assertThat(metrics.gauge("drey.checkpointWrites")).isEqualTo(5L);
        assertThat((double) metrics.gauge("drey.writeAmplification")).isEqualTo(1.0);
        assertThat((long) metrics.gauge("drey.memoryLogBytes")).isPositive();
    }

    @Test
    void localDirectoriesTellWhatTheyDoAndHowFullTheyAre() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        backend.setCurrentKey("key");
        state.update("value");
        fixture.checkpoint(backend, 1);
        assertThat((long) metrics.gauge("drey.directory.0.writes")).isPositive();
        assertThat((long) metrics.gauge("drey.directory.0.bytesWritten"))
                .isEqualTo((long) metrics.gauge("drey.flushBytesWritten"));
        assertThat((long) metrics.gauge("drey.directory.0.latencyNanos")).isPositive();
        assertThat((long) metrics.gauge("drey.directory.0.queueDepth")).isZero();
        assertThat((long) metrics.gauge("drey.directory.0.failures")).isZero();
        assertThat((double) metrics.gauge("drey.directory.0.fullness")).isBetween(0.0, 1.0);
        assertThat((long) metrics.gauge("drey.directory.0.usableBytes")).isPositive();
    }

    @Test
    void theObjectCacheTellsWhatItHoldsAndHowOftenThatHelps() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        backend.setCurrentKey("key");
        state.update("value");
        state.update("other");
        assertThat(state.value()).isEqualTo("other");
        assertThat(metrics.gauge("drey.objectCacheEntries")).isEqualTo(1L);
        assertThat(metrics.gauge("drey.objectCacheEntriesDirty")).isEqualTo(1L);
        assertThat(metrics.gauge("drey.objectCacheHits")).isEqualTo(2L);
        assertThat(metrics.gauge("drey.objectCacheMisses")).isEqualTo(1L);
        assertThat((double) metrics.gauge("drey.objectCacheHitRatio")).isEqualTo(2.0 / 3);
        fixture.checkpoint(backend, 1);
        assertThat(metrics.gauge("drey.objectCacheWriteBacks")).isEqualTo(1L);
        assertThat(metrics.gauge("drey.objectCacheEntriesDirty")).isEqualTo(0L);
        assertThat(metrics.gauge("drey.objectCacheStatesBypassed")).isEqualTo(0L);
    }

    @Test
    void gaugesKeepTheirLastValueWhenTheBackendIsGone() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        backend.setCurrentKey("key");
        state.update("value");
        fixture.checkpoint(backend, 1);
        backend.close();
        backend.dispose();
        assertThat(metrics.gauge("drey.flushes")).isEqualTo(1L);
        assertThat(metrics.all().values())
                .allSatisfy(metric -> assertThat(metric instanceof Gauge<?> gauge ? gauge.getValue() : metric)
                        .isNotNull());
    }
}
