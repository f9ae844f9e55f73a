package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.metric.ChangelogMetrics;
import io.drey.flink.state.metric.MetricSink;
import io.drey.flink.state.options.MetricLevel;
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
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
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

    /** The paragraph that names the basic ones. */
    private static final Pattern BASIC = Pattern.compile("(?s)\n\\*\\*Basic\\*\\*: (.*?)\n\n");

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
        backend = open("state.backend.drey.metrics", "full");
    }

    private AbstractKeyedStateBackend<String> open(String option, String value) throws IOException {
        Configuration options = new Configuration();
        options.setString(option, value);
        return fixture.openInSlowTime(options, StringSerializer.INSTANCE, List.of());
    }

    /** What another backend registers that has an option of its own, and states. */
    private Set<String> registeredWith(String option, String value) throws Exception {
        RecordedMetrics others = new RecordedMetrics();
        fixture.metrics(others);
        AbstractKeyedStateBackend<String> other = open(option, value);
        for (String name : List.of("s1", "s2", "s3")) {
            other.createOrUpdateInternalState(
                    VoidNamespaceSerializer.INSTANCE, new ValueStateDescriptor<>(name, StringSerializer.INSTANCE));
        }
        other.close();
        other.dispose();
        return others.all().keySet();
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
        new ChangelogMetrics(() -> 0, () -> 0, () -> 0, () -> 0, () -> 0)
                .register(new MetricSink(metrics.addGroup("drey"), MetricLevel.FULL));
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
    void basicMetricsAreFewHoweverManyStatesThereAre() throws Exception {
        Set<String> documented = new TreeSet<>();
        Matcher basic = BASIC.matcher(Files.readString(reference()));
        assertThat(basic.find()).isTrue();
        Matcher name = Pattern.compile("`(\\w+)`").matcher(basic.group(1));
        while (name.find()) {
            documented.add("drey." + name.group(1));
        }
        Set<String> registered = registeredWith("state.backend.drey.metrics", "basic");
        assertThat(registered).isEqualTo(documented).hasSizeLessThanOrEqualTo(25);
        assertThat(metrics.all().keySet()).containsAll(registered);
    }

    @Test
    void metricsCanBeOffAndHistogramsOfStatesBeAddedToTheBasicOnes() throws Exception {
        assertThat(registeredWith("state.backend.drey.metrics", "off")).isEmpty();
        assertThat(registeredWith("state.backend.drey.state-histograms", "true"))
                .contains("drey.stalls", "drey.state.s2.getLatencyNanos", "drey.state.s3.valueBytes")
                .doesNotContain("drey.state.s2.getHits", "drey.runsExpired");
    }

    @Test
    void whatOnlyGrowsIsACounter() throws Exception {
        values();
        assertThat(metrics.all().get("drey.stallMillis")).isInstanceOf(Counter.class);
        assertThat(metrics.all().get("drey.state.s.puts")).isInstanceOf(Counter.class);
        assertThat(metrics.all().get("drey.directory.0.writes")).isInstanceOf(Counter.class);
        assertThat(metrics.all().get("drey.runs")).isInstanceOf(Gauge.class);
    }

    @Test
    void aDirectoryThatCannotBeMadeIsCountedAndTheOthersKeepTheirPlaces() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        RecordedMetrics others = new RecordedMetrics();
        fixture.metrics(others);
        Configuration options = new Configuration();
        options.setString("state.backend.drey.metrics", "full");
        options.setString("state.backend.drey.local-dir", file + "/a," + directory.resolve("b"));
        AbstractKeyedStateBackend<String> other =
                fixture.open(new DreyStateBackend(options), StringSerializer.INSTANCE, List.of());
        assertThat(others.value("drey.directoriesUnusable")).isEqualTo(1L);
        assertThat(others.all()).containsKey("drey.directory.1.writes").doesNotContainKey("drey.directory.0.writes");
        assertThat(metrics.value("drey.directoriesUnusable")).isEqualTo(0L);
        other.close();
        other.dispose();
    }

    @Test
    void theSumsOverStatesAreThoseOfAllTheirOperations() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        backend.setCurrentKey("key");
        state.update("value");
        assertThat(state.value()).isEqualTo("value");
        state.clear();
        assertThat(metrics.value("drey.stateReads")).isEqualTo(1L);
        assertThat(metrics.value("drey.stateWrites")).isEqualTo(2L);
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
        assertThat(metrics.value("drey.state.s.getHits")).isEqualTo((long) keys);
        assertThat(metrics.value("drey.state.s.getAbsents")).isEqualTo((long) keys);
        assertThat(metrics.value("drey.state.s.puts")).isEqualTo((long) keys);
        assertThat(metrics.value("drey.state.s.deletes")).isEqualTo(1L);
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
        assertThat(metrics.value("drey.state.m.seeks")).isEqualTo(2L);
        assertThat(metrics.value("drey.state.m.nexts")).isEqualTo(2L);
    }

    @Test
    void filesAndTheirCausesAreCounted() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        backend.setCurrentKey("key");
        state.update("value");
        fixture.checkpoint(backend, 1);
        state.update("other");
        fixture.checkpoint(backend, 2);
        assertThat(metrics.value("drey.flushes")).isEqualTo(2L);
        assertThat(metrics.value("drey.flushWrites")).isEqualTo(2L);
        assertThat((long) metrics.value("drey.flushBytesWritten"))
                .isEqualTo((long) metrics.value("drey.checkpointBytesRead"));
        assertThat(metrics.value("drey.checkpointWrites")).isEqualTo(4L);
        assertThat((double) metrics.value("drey.writeAmplification")).isEqualTo(1.0);
        assertThat((long) metrics.value("drey.memoryLogBytes")).isPositive();
    }

    @Test
    void localDirectoriesTellWhatTheyDoAndHowFullTheyAre() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        backend.setCurrentKey("key");
        state.update("value");
        fixture.checkpoint(backend, 1);
        assertThat((long) metrics.value("drey.directory.0.writes")).isPositive();
        assertThat((long) metrics.value("drey.directory.0.bytesWritten"))
                .isEqualTo((long) metrics.value("drey.flushBytesWritten"));
        assertThat((long) metrics.value("drey.directory.0.latencyNanos")).isPositive();
        assertThat((long) metrics.value("drey.directory.0.queueDepth")).isZero();
        assertThat((long) metrics.value("drey.directory.0.failures")).isZero();
        assertThat((double) metrics.value("drey.directory.0.fullness")).isBetween(0.0, 1.0);
        assertThat((long) metrics.value("drey.directory.0.usableBytes")).isPositive();
    }

    @Test
    void theObjectCacheTellsWhatItHoldsAndHowOftenThatHelps() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        backend.setCurrentKey("key");
        state.update("value");
        state.update("other");
        assertThat(state.value()).isEqualTo("other");
        assertThat(metrics.value("drey.objectCacheEntries")).isEqualTo(1L);
        assertThat(metrics.value("drey.objectCacheEntriesDirty")).isEqualTo(1L);
        assertThat(metrics.value("drey.objectCacheHits")).isEqualTo(2L);
        assertThat(metrics.value("drey.objectCacheMisses")).isEqualTo(1L);
        assertThat((double) metrics.value("drey.objectCacheHitRatio")).isEqualTo(2.0 / 3);
        fixture.checkpoint(backend, 1);
        assertThat(metrics.value("drey.objectCacheWriteBacks")).isEqualTo(1L);
        assertThat(metrics.value("drey.objectCacheEntriesDirty")).isEqualTo(0L);
        assertThat(metrics.value("drey.objectCacheStatesBypassed")).isEqualTo(0L);
    }

    @Test
    void gaugesKeepTheirLastValueWhenTheBackendIsGone() throws Exception {
        InternalValueState<String, VoidNamespace, String> state = values();
        backend.setCurrentKey("key");
        state.update("value");
        fixture.checkpoint(backend, 1);
        backend.close();
        backend.dispose();
        assertThat(metrics.value("drey.flushes")).isEqualTo(1L);
        assertThat(metrics.all().values())
                .allSatisfy(metric -> assertThat(metric instanceof Gauge<?> gauge ? gauge.getValue() : metric)
                        .isNotNull());
    }
}
