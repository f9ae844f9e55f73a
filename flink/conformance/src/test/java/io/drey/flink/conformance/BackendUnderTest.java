package io.drey.flink.conformance;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.StateBackendFactory;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.util.DynamicCodeLoadingException;

/**
 * The one place that says which state backend the suites run on: Drey, unless the system property {@value #PROPERTY}
 * names another. Flink's own backends are there to check the set-up itself: a suite that fails on RocksDB too is wired
 * wrongly.
 */
public enum BackendUnderTest {
    DREY {
        @Override
        public AbstractStateBackend create(ReadableConfig config, ClassLoader classLoader) throws IOException {
            try {
                StateBackendFactory<?> factory = Class.forName(DREY_FACTORY, true, classLoader)
                        .asSubclass(StateBackendFactory.class)
                        .getConstructor()
                        .newInstance();
                return (AbstractStateBackend) factory.createFromConfig(config, classLoader);
            } catch (ReflectiveOperationException e) {
                throw new IOException("Cannot create the state backend through " + DREY_FACTORY, e);
            }
        }
    },
    ROCKSDB {
        @Override
        public AbstractStateBackend create(ReadableConfig config, ClassLoader classLoader) {
            return new EmbeddedRocksDBStateBackend(true).configure(config, classLoader);
        }
    },
    HASHMAP {
        @Override
        public AbstractStateBackend create(ReadableConfig config, ClassLoader classLoader) {
            return new HashMapStateBackend().configure(config, classLoader);
        }
    };

    static final String PROPERTY = "drey.conformance.backend";

    /** By name, as a user selects it: what the name says must be what the jar holds. */
    private static final String DREY_FACTORY = "io.drey.flink.state.DreyStateBackendFactory";

    /** A new instance, configured as a cluster would. */
    public abstract AbstractStateBackend create(ReadableConfig config, ClassLoader classLoader) throws IOException;

    /**
     * A new instance with default options, except that RocksDB keeps its timers where the suites of timers expect them.
     */
    AbstractStateBackend create() throws IOException {
        Configuration config = new Configuration();
        if (this == ROCKSDB) {
            config.set(
                    RocksDBOptions.TIMER_SERVICE_FACTORY, EmbeddedRocksDBStateBackend.PriorityQueueStateType.ROCKSDB);
        }
        return create(config, Thread.currentThread().getContextClassLoader());
    }

    /** A new instance, wrapped in Flink's changelog backend as a job with {@code state.changelog.enabled} wraps it. */
    ConfigurableStateBackend createUnderChangelog() throws IOException, DynamicCodeLoadingException {
        Configuration job = new Configuration();
        job.set(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG, true);
        return (ConfigurableStateBackend) StateBackendLoader.fromApplicationOrConfigOrDefault(
                create(), job, new Configuration(), Thread.currentThread().getContextClassLoader(), null);
    }

    /** Whether a checkpoint passes each entry through the state's snapshot transformer; incremental ones do not. */
    boolean checkpointsAreTransformed() {
        return this == HASHMAP;
    }

    /** Whether expired state is dropped a few entries at a time as other state is accessed. */
    boolean cleansUpIncrementally() {
        return this == HASHMAP;
    }

    /** Whether what a state returns may be modified without changing the state. */
    boolean returnsCopies() {
        return this != HASHMAP;
    }

    /** Whether the serializers are needed to read a snapshot, not only to use its state. */
    boolean needsSerializersOnRestore() {
        return this == HASHMAP;
    }

    /** The backend of this run. */
    public static BackendUnderTest selected() {
        String name = System.getProperty(PROPERTY, "drey");
        return Arrays.stream(values())
                .filter(backend -> backend.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "-D" + PROPERTY + "=" + name + ": expected drey, rocksdb or hashmap"));
    }
}
