package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.drey.files.fault.FaultyDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.util.ExceptionUtils;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a task is told whose local disk fails. */
class FailingDiskTest {
    private static final String VALUE = "v".repeat(2_000);
    private static final int LARGE = 50_000;

    /** So few that the cache of objects holds them all, and more than there is room for where memory is full. */
    private static final int CACHED = 500;

    private final List<FaultyDirectory> disks = new ArrayList<>();

    @TempDir
    Path directory;

    private AbstractKeyedStateBackend<String> open(
            BackendFixture fixture, Consumer<FaultyDirectory> fault, List<KeyedStateHandle> handles)
            throws IOException {
        return new SurroundedBackend()
                .disks(disk -> {
                    FaultyDirectory faulty = new FaultyDirectory(disk);
                    fault.accept(faulty);
                    disks.add(faulty);
                    return faulty;
                })
                .open(
                        new Configuration(),
                        fixture.parameters(
                                StringSerializer.INSTANCE,
                                new KeyGroupRange(0, BackendFixture.KEY_GROUPS - 1),
                                handles));
    }

    @Test
    void aStoreThatHasStoppedIsNoFaultOfASerializer() throws Exception {
        try (BackendFixture fixture = new BackendFixture(directory)) {
            AbstractKeyedStateBackend<String> backend = open(fixture, disk -> {}, List.of());
            ValueState<String> cached = state(backend, new ValueStateDescriptor<>("cached", StringSerializer.INSTANCE));
            for (String value : List.of("short", VALUE)) {
                for (int key = 0; key < CACHED; key++) {
                    backend.setCurrentKey("key" + key);
                    cached.value();
                    cached.update(value);
                }
            }
            disks.forEach(disk -> disk.failWrites(true));
            ListState<String> large = state(backend, new ListStateDescriptor<>("large", StringSerializer.INSTANCE));
            // The first failure is heard between two operations, and there may be room in memory still.
            for (int heard = 0; heard < 2; heard++) {
                assertThatThrownBy(() -> {
                            for (int key = 0; key < LARGE; key++) {
                                backend.setCurrentKey("key" + key);
                                large.add(VALUE);
                            }
                        })
                        .hasStackTraceContaining("injected fault");
            }
            // A checkpoint writes back what the cache of objects holds.
            Throwable failure = catchThrowable(() -> fixture.checkpoint(backend, 1));
            assertThat(failure)
                    .isNotNull()
                    .extracting(ExceptionUtils::stringifyException, InstanceOfAssertFactories.STRING)
                    .contains("the state store has stopped because a background job failed")
                    .contains("StateValues.writeBack")
                    .doesNotContain("serialized by");
            disks.forEach(disk -> disk.failWrites(false));
            backend.close();
            backend.dispose();
        }
    }

    /** The storage of the checkpoint is not to blame, and another checkpoint would meet the same disk. */
    @Test
    void aRestoreThatALocalDirectoryRefusesSaysSoAndSendsNobodyToAnotherCheckpoint() throws Exception {
        try (BackendFixture fixture = new BackendFixture(directory)) {
            fixture.storage(directory.resolve("storage"));
            AbstractKeyedStateBackend<String> backend =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
            new AllStates(backend, CACHED).fill();
            KeyedStateHandle handle = fixture.completed(backend);
            backend.close();
            backend.dispose();
            assertThatThrownBy(() -> open(fixture, disk -> disk.failWrites(true), List.of(handle)))
                    .hasMessageContaining("could not be opened: expected a local directory to take file")
                    .hasMessageContaining("look at the disk")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("another checkpoint"));
        }
    }

    /** If the end of a task threw, Flink would end the process, and with it the tasks of other jobs. */
    @Test
    void aBackendWhoseDiskDeletesNothingEndsWithoutAnException() throws Exception {
        try (BackendFixture fixture = new BackendFixture(directory)) {
            AbstractKeyedStateBackend<String> backend = open(fixture, disk -> {}, List.of());
            new AllStates(backend, CACHED).fill();
            fixture.checkpoint(backend, 1);
            disks.forEach(disk -> disk.failDeletes(true));
            assertThatCode(() -> {
                        backend.close();
                        backend.dispose();
                    })
                    .doesNotThrowAnyException();
        }
    }

    /** It was the last to need what compactions have replaced meanwhile. */
    @Test
    void aBackendWithAnOpenStreamOfKeysEndsWithoutAnExceptionToo() throws Exception {
        try (BackendFixture fixture = new BackendFixture(directory)) {
            AbstractKeyedStateBackend<String> backend = open(fixture, disk -> {}, List.of());
            ValueState<String> value = state(backend, new ValueStateDescriptor<>("value", StringSerializer.INSTANCE));
            Iterator<String> keys = null;
            for (int checkpoint = 1; checkpoint < 50; checkpoint++) {
                for (int key = 0; key < CACHED; key++) {
                    backend.setCurrentKey("key" + key);
                    value.update(VALUE + checkpoint);
                }
                fixture.checkpoint(backend, checkpoint);
                keys = keys == null ? backend.getKeys("value", "").iterator() : keys;
            }
            assertThat(keys.next()).startsWith("key");
            disks.forEach(disk -> disk.failDeletes(true));
            assertThatCode(() -> {
                        backend.close();
                        backend.dispose();
                    })
                    .doesNotThrowAnyException();
        }
    }

    private static <S extends State> S state(
            AbstractKeyedStateBackend<String> backend, StateDescriptor<S, ?> descriptor) throws Exception {
        return backend.getPartitionedState("", StringSerializer.INSTANCE, descriptor);
    }
}
