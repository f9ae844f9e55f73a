package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.testutils.statemigration.TestType;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Timers of a job that comes back with other serializers. Operators make those of timers of the job's own, not of the
 * backend's, which Flink has made read what is there.
 */
class ReconfiguredTimersTest {
    @TempDir
    Path directory;

    private BackendFixture fixture;

    /** A key of one of two classes. */
    abstract static class Party {
        String name = "";
    }

    static final class Customer extends Party {}

    static final class Supplier extends Party {}

    @BeforeEach
    void open() {
        fixture = new BackendFixture(directory);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    private static KryoSerializer<Party> kryo(Class<?>... registered) {
        SerializerConfigImpl config = new SerializerConfigImpl();
        for (Class<?> each : registered) {
            config.registerKryoType(each);
        }
        return new KryoSerializer<>(Party.class, config);
    }

    private static <K, N> KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<K, N>> timers(
            AbstractKeyedStateBackend<K> backend, TypeSerializer<K> keys, TypeSerializer<N> namespaces) {
        return backend.create("timers", new TimerSerializer<>(keys, namespaces));
    }

    private static void end(AbstractKeyedStateBackend<?> backend) throws Exception {
        backend.close();
        backend.dispose();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void timersKeepTheirKeysWhenKryosClassesAreRegisteredInAnotherOrder(boolean isCanonical) throws Exception {
        KryoSerializer<Party> before = kryo(Customer.class, Supplier.class);
        AbstractKeyedStateBackend<Party> backend = fixture.open(new DreyStateBackend(), before, List.of());
        Party key = new Customer();
        key.name = "a";
        timers(backend, before, StringSerializer.INSTANCE).add(new TimerHeapInternalTimer<>(1, key, "n"));
        KeyedStateHandle handle = isCanonical ? fixture.canonicalSavepoint(backend, 1) : fixture.checkpoint(backend, 1);
        end(backend);
        KryoSerializer<Party> now = kryo(Supplier.class, Customer.class);
        backend = fixture.open(new DreyStateBackend(), now, List.of(handle));
        Party fired = timers(backend, now, StringSerializer.INSTANCE).poll().getKey();
        assertThat(fired).isInstanceOf(Customer.class);
        assertThat(fired.name).isEqualTo("a");
        end(backend);
    }

    @Test
    void timersThatWouldHaveToBeWrittenAnewAreRefused() throws Exception {
        AbstractKeyedStateBackend<String> backend =
                fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
        timers(backend, StringSerializer.INSTANCE, new TestType.V1TestTypeSerializer())
                .add(new TimerHeapInternalTimer<>(1, "a", new TestType("n", 1)));
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        end(backend);
        AbstractKeyedStateBackend<String> later =
                fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(handle));
        assertThatThrownBy(() -> timers(later, StringSerializer.INSTANCE, new TestType.V2TestTypeSerializer()))
                .rootCause()
                .hasMessageContaining("expected a serializer that reads the timers 'timers' as they are");
        end(later);
    }
}
