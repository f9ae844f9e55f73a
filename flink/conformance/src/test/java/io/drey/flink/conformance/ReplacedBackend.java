package io.drey.flink.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Puts the backend under test where Flink's integration suites name one of Flink's, and proves that it was used.
 *
 * <p>Flink loads RocksDB and ForSt by the class names of their factories; the twins of these factories in this module
 * come first on the class path and call {@link #create}. A suite that names no backend is served by changing the
 * default of {@code state.backend.type} while it runs. HashMap cannot be replaced by a factory, because Flink links to
 * its class.
 *
 * <p>A suite fails if it never created a backend under test, unless it is known to bring its own.
 */
public final class ReplacedBackend implements BeforeAllCallback, AfterAllCallback {

    /** Where Flink's integration suites are, and what this module derives from them. */
    private static final Set<String> INTEGRATION_SUITES =
            Set.of("org.apache.flink.test.", "org.apache.flink.table.planner.");

    /** They name no backend. */
    private static final Set<String> USE_THE_DEFAULT = Set.of(
            "IncrementalStateReuseAfterFailureITCase",
            "IntervalJoinITCase",
            "ProcessingTimeWindowCheckpointingITCase",
            "SavepointITCase",
            "SessionWindowITCase",
            "UnalignedCheckpointITCase",
            "UnalignedCheckpointRescaleITCase",
            "UnalignedCheckpointStressITCase");

    /** They bring a mock or a failing backend, or have operator state only. They run because they belong to the set. */
    private static final Set<String> BRING_THEIR_OWN = Set.of(
            "NotifyCheckpointAbortedITCase",
            "StateBackendITCase",
            "StateHandleReuseITCase",
            "org.apache.flink.test.recovery.LocalRecoveryITCase");

    private static final String REPLACED = "rocksdb";

    private static final AtomicLong CREATED = new AtomicLong();

    private long createdBefore;

    private String defaultBefore;

    /** Called by the twins, in the job manager and in each task. */
    public static AbstractStateBackend create(ReadableConfig config, ClassLoader classLoader) throws IOException {
        AbstractStateBackend backend = BackendUnderTest.selected().create(config, classLoader);
        CREATED.incrementAndGet();
        return backend;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws ReflectiveOperationException {
        createdBefore = CREATED.get();
        defaultBefore = StateBackendOptions.STATE_BACKEND.defaultValue();
        if (isIn(USE_THE_DEFAULT, context.getRequiredTestClass())) {
            setDefault(REPLACED);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws ReflectiveOperationException {
        setDefault(defaultBefore);
        Class<?> suite = context.getRequiredTestClass();
        if (INTEGRATION_SUITES.stream().anyMatch(suite.getName()::startsWith) && !isIn(BRING_THEIR_OWN, suite)) {
            assertThat(CREATED.get() - createdBefore)
                    .as(
                            "backends of kind %s that %s created; none means it tested something else",
                            BackendUnderTest.selected(), suite.getName())
                    .isPositive();
        }
    }

    private static boolean isIn(Set<String> suites, Class<?> suite) {
        return suites.contains(suite.getSimpleName()) || suites.contains(suite.getName());
    }

    private static void setDefault(String backend) throws ReflectiveOperationException {
        Field defaultValue = ConfigOption.class.getDeclaredField("defaultValue");
        defaultValue.setAccessible(true);
        defaultValue.set(StateBackendOptions.STATE_BACKEND, backend);
        assertThat(new Configuration().get(StateBackendOptions.STATE_BACKEND)).isEqualTo(backend);
    }
}
