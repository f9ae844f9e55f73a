package io.drey.flink.state;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.testutils.logging.LoggerAuditingExtension;
import org.apache.flink.util.TemporaryClassLoaderContext;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** Lists whose elements only the job's own class loader can read. */
class ListExpiryOfJobClassesTest {
    private static final int KEYS = 100;
    private static final long TTL = 1000;

    @TempDir
    Path directory;

    @TempDir
    Path classes;

    private final AtomicLong now = new AtomicLong(50_000);

    @RegisterExtension
    final LoggerAuditingExtension log = new LoggerAuditingExtension("io.drey.flink.state.list", Level.WARN);

    private final RecordedMetrics metrics = new RecordedMetrics();

    /** Lists of a job expire; its own thread has the loader of its classes, others know only another one. */
    @SuppressWarnings("try") // The class loader of the thread is used by name of the thread only.
    private void flushExpiredLists(URLClassLoader loader, ClassLoader known) throws Exception {
        try (BackendFixture fixture = new BackendFixture(directory, known);
                TemporaryClassLoaderContext ignored = TemporaryClassLoaderContext.of(loader)) {
            fixture.time(now::get);
            fixture.metrics(metrics);
            AbstractKeyedStateBackend<String> backend =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
            ListStateDescriptor<Object> descriptor =
                    new ListStateDescriptor<>("lists", new KryoSerializer<>(Object.class, new SerializerConfigImpl()));
            descriptor.enableTimeToLive(
                    StateTtlConfig.newBuilder(Duration.ofMillis(TTL)).build());
            ListState<Object> lists =
                    backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
            for (int i = 0; i < KEYS; i++) {
                backend.setCurrentKey("k" + i);
                lists.update(List.of(JobClasses.element(loader)));
            }
            now.addAndGet(TTL);
            fixture.checkpoint(backend, 1);
            backend.close();
            backend.dispose();
        }
    }

    @Test
    void theyExpireWhenTheyAreFlushed() throws Exception {
        try (URLClassLoader loader = JobClasses.compile(classes)) {
            flushExpiredLists(loader, loader);
        }
        assertThat(metrics.gauge("drey.entriesExpired")).isEqualTo((long) KEYS);
        assertThat(metrics.gauge("drey.state.lists.listsUnreadable")).isEqualTo(0L);
        assertThat(log.getMessages()).isEmpty();
    }

    @Test
    void theyAreCountedAndReportedOnceIfTheyCannotBeRead() throws Exception {
        try (URLClassLoader loader = JobClasses.compile(classes)) {
            flushExpiredLists(loader, JobClasses.class.getClassLoader());
        }
        assertThat(metrics.gauge("drey.entriesExpired")).isEqualTo(0L);
        assertThat(metrics.gauge("drey.state.lists.listsUnreadable")).isEqualTo((long) KEYS);
        assertThat(log.getMessages())
                .singleElement(as(InstanceOfAssertFactories.STRING))
                .contains("state lists could not be read", "listsUnreadable");
    }
}
