package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Memory;
import io.drey.testkit.Effort;
import io.drey.testkit.TestSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries from nothing to 256 MB, around every size at which something else is done with them. */
@Tag(Effort.TAG)
class LargeEntriesTest {
    private static final BytePrimitiveArraySerializer BYTES = BytePrimitiveArraySerializer.INSTANCE;
    private static final int[] SMALL = {
        0, 1, 255, 256, 511, 512, 4_095, 4_096, 16_383, 16_384, 65_535, 65_536, 262_144, 1 << 20, 16 << 20
    };
    private static final int[] LARGE = {64 << 20, 256 << 20};

    /** A list element beyond this would make lists of several of them too large for the heap of the test. */
    private static final int SEVERAL_BYTES_MAX = 16 << 20;

    @TempDir
    Path directory;

    private final TestSummary summary = new TestSummary(LargeEntriesTest.class);
    private BackendFixture fixture;
    private AbstractKeyedStateBackend<Integer> backend;
    private ValueState<byte[]> value;
    private ListState<byte[]> list;
    private MapState<Integer, byte[]> map;

    private void open(KeyedStateHandle... handles) throws Exception {
        backend = fixture.open(new DreyStateBackend(), IntSerializer.INSTANCE, List.of(handles));
        value = state(new ValueStateDescriptor<>("value", BYTES));
        list = state(new ListStateDescriptor<>("list", BYTES));
        map = state(new MapStateDescriptor<>("map", IntSerializer.INSTANCE, BYTES));
    }

    private <S extends State> S state(StateDescriptor<S, ?> descriptor) throws Exception {
        return backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    private void end() throws IOException {
        backend.close();
        backend.dispose();
    }

    private void reopen() throws Exception {
        KeyedStateHandle handle = fixture.completed(backend);
        end();
        open(handle);
    }

    private static byte[] content(int bytes, int seed) {
        byte[] content = new byte[bytes];
        new SplittableRandom(bytes + (long) seed).nextBytes(content);
        return content;
    }

    private void put(int bytes, int seed) throws Exception {
        backend.setCurrentKey(bytes);
        value.update(content(bytes, seed));
        list.add(content(bytes, seed));
        if (bytes <= SEVERAL_BYTES_MAX) {
            list.add(content(bytes, seed + 1));
        }
        map.put(0, content(bytes, seed));
        map.put(1, content(3, seed));
        summary.add("entries", 4);
    }

    private void check(int bytes, int seed) throws Exception {
        backend.setCurrentKey(bytes);
        same(value.value(), content(bytes, seed), bytes);
        int element = 0;
        for (byte[] found : list.get()) {
            same(found, content(bytes, seed + element), bytes);
            element++;
        }
        assertThat(element).isEqualTo(bytes <= SEVERAL_BYTES_MAX ? 2 : 1);
        same(map.get(0), content(bytes, seed), bytes);
        same(map.get(1), content(3, seed), bytes);
        assertThat(map.keys()).containsExactlyInAnyOrder(0, 1);
    }

    private static void same(byte[] found, byte[] expected, int bytes) {
        assertThat(Arrays.equals(found, expected))
                .as("content of %s bytes", bytes)
                .isTrue();
    }

    @Test
    void entriesOfEverySizeAreKept() throws Exception {
        boolean verify = Effort.current() == Effort.VERIFY;
        int[] sizes = verify
                ? SMALL
                : Stream.of(SMALL, LARGE).flatMapToInt(Arrays::stream).toArray();
        int largest = sizes[sizes.length - 1];
        long before = Memory.allocatedBytes();
        // An eighth is what single values may borrow: the largest one to be written, and once more to be read.
        MemoryManager slot = MemoryManager.create(8 * 2L * largest + (64 << 20), MemoryManager.DEFAULT_PAGE_SIZE);
        Path local = Files.createDirectory(directory.resolve("local"));
        fixture = new BackendFixture(local, slot);
        fixture.storage(directory.resolve("storage"));
        open();
        for (int bytes : sizes) {
            put(bytes, 10);
            check(bytes, 10);
        }
        reopen();
        for (int bytes : sizes) {
            check(bytes, 10);
            list.clear();
            put(bytes, 20);
        }
        reopen();
        for (int bytes : sizes) {
            check(bytes, 20);
            value.clear();
            list.clear();
            map.clear();
        }
        reopen();
        for (int bytes : sizes) {
            backend.setCurrentKey(bytes);
            assertThat(value.value()).isNull();
            assertThat(list.get()).isNullOrEmpty();
            assertThat(map.isEmpty()).isTrue();
        }
        end();
        fixture.close();
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
        try (Stream<Path> files = Files.walk(local)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
        summary.add("bytes of the largest", largest);
        summary.print();
    }
}
