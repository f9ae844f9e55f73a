package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.options.DreyOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State and timers through canonical savepoints from one backend to the next, and back. */
class CanonicalCrossingTest {
    private static final int KEYS = 200;

    @TempDir
    Path directory;

    private static AbstractStateBackend rocksDb() {
        Configuration config = new Configuration();
        config.set(RocksDBOptions.TIMER_SERVICE_FACTORY, EmbeddedRocksDBStateBackend.PriorityQueueStateType.ROCKSDB);
        return new EmbeddedRocksDBStateBackend().configure(config, CanonicalCrossingTest.class.getClassLoader());
    }

    /** Drey with so few timers on the heap that most of them are far. */
    private static AbstractStateBackend dreyWithFarTimers() {
        Configuration config = new Configuration();
        config.set(DreyOptions.TIMER_CACHE_SIZE, 1);
        return new DreyStateBackend(config);
    }

    @Test
    void stateCrossesBackends() throws Exception {
        List<AbstractStateBackend> way = List.of(
                rocksDb(),
                new DreyStateBackend(),
                new HashMapStateBackend(),
                new DreyStateBackend(),
                rocksDb(),
                dreyWithFarTimers(),
                new HashMapStateBackend(),
                dreyWithFarTimers(),
                new DreyStateBackend());
        try (BackendFixture fixture = new BackendFixture(directory)) {
            Map<String, String> expected = null;
            List<KeyedStateHandle> handles = List.of();
            for (AbstractStateBackend next : way) {
                AbstractKeyedStateBackend<String> backend = fixture.open(next, StringSerializer.INSTANCE, handles);
                try {
                    AllStates states = new AllStates(backend, KEYS);
                    if (expected == null) {
                        states.fill();
                        expected = states.dump();
                        assertThat(expected.toString()).contains("null", ",16", "sum ");
                    }
                    assertThat(states.dump()).as("on %s", next).isEqualTo(expected);
                    handles = List.of(fixture.canonicalSavepoint(backend, 1));
                } finally {
                    backend.close();
                    backend.dispose();
                }
            }
        }
    }
}
