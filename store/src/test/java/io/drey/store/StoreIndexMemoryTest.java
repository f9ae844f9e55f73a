package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.local.LocalDirectory;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Arena;
import io.drey.foundation.Bytes;
import io.drey.foundation.Hash;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.schedule.ThreadBackground;
import io.drey.store.tuning.PlacementLimits;
import io.drey.store.tuning.ReadThresholds;
import io.drey.store.tuning.RunShape;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State whose indexes alone are many times the memory: it is right, and what is resident stays small. */
final class StoreIndexMemoryTest {
    private static final int MEMORY_BYTES = 1 << 20;
    private static final int PAGE_BYTES = 4 << 10;
    private static final int BLOCK_BYTES = 128;
    private static final int INDEX_PAGE_BYTES = 1 << 10;
    private static final int KEYS = 400_000;
    private static final int VALUE_BYTES = 100;
    private static final int INDEX_BYTES_OF_A_BLOCK = 12;

    private final NumberedKeys keys = new NumberedKeys();
    private final byte[] value = new byte[VALUE_BYTES];
    private final Bytes read = new Bytes();

    @Test
    void indexesOfManyTimesTheMemoryStopNothing(@TempDir Path folder) throws Exception {
        StoreSettings settings =
                new StoreSettings(0, 0, BLOCK_BYTES, INDEX_PAGE_BYTES, 4 << 20, 16 << 10, StoreSettings.YOUNG_RUNS_MAX);
        try (SlotMemory memory = new SlotMemory(MEMORY_BYTES, PAGE_BYTES);
                ThreadBackground background = new ThreadBackground(2)) {
            StoreResources resources = new StoreResources(LocalDirectory.at(folder), memory, background);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", TableKind.VALUE);
                for (int i = 0; i < KEYS; i++) {
                    put(store, table, i);
                }
                check(store, table, memory, KEYS);
                long blocks = store.stats().localBytes() / (BLOCK_BYTES + VALUE_BYTES);
                assertThat(blocks * INDEX_BYTES_OF_A_BLOCK).isGreaterThan(2 * MEMORY_BYTES);
                assertThat(store.stats().tuning().shape().filter()).isEqualTo(RunShape.Filter.WANTED);
            }
            assertThat(memory.arena().freePages()).isEqualTo(memory.arena().pages());
        }
    }

    /** With a page for each, they would take all of the memory and as much beside it. */
    @Test
    void moreRunsThanPagesOfMemoryTakeLittleOfIt() throws Exception {
        long bytes = 2 << 20;
        int someKeys = KEYS / 6;
        StoreSettings settings = new StoreSettings(0, 0, 4 << 10, 4 << 10, 96 << 10, 16 << 10, 8);
        StepBackground background = new StepBackground();
        try (SlotMemory memory = new SlotMemory(bytes, 64 << 10)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", TableKind.VALUE);
                for (int i = 0; i < someKeys; i++) {
                    put(store, table, i);
                    background.step();
                }
                assertThat(store.stats().runs().count())
                        .isGreaterThan(2 * memory.arena().pages());
                check(store, table, memory, someKeys);
                long resident = memory.arena().usedBytes(Arena.Use.METADATA);
                assertThat(resident + memory.overdraft().bytes()).isLessThan(bytes / 2);
            }
            assertThat(memory.arena().freePages()).isEqualTo(memory.arena().pages());
        }
    }

    /** With 12 bytes for each block the index would fit; blocks of one map need separators as well. */
    @Test
    void blocksGrowWhereSeparatorsMakeTheIndexLarge() throws Exception {
        ReadThresholds slow = ReadThresholds.of(0, Long.MAX_VALUE, 0, new TickingClock(1_000_000));
        StoreSettings settings =
                new StoreSettings(0, 0, 512, INDEX_PAGE_BYTES, 4 << 20, 16 << 10, 8, slow, PlacementLimits.SHIPPED);
        StepBackground background = new StepBackground();
        try (SlotMemory memory = new SlotMemory(MEMORY_BYTES, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", TableKind.MAP);
                for (int i = 0; i < 500_000; i++) {
                    store.put(keys.mapEntry(table, 1, i), value, 0, Integer.BYTES);
                    if (i % 100 == 0) {
                        background.step();
                        assertThat(store.get(keys.mapEntry(table, 1, i / 2), read))
                                .isTrue();
                    }
                }
                assertThat(store.stats().tuning().shape().blocks()).isEqualTo(RunShape.Blocks.INDEX_IS_LARGE);
            }
        }
    }

    private void put(Store store, int table, int i) {
        fill(i);
        store.put(keys.key(table, i), value, 0, VALUE_BYTES);
    }

    private void fill(int i) {
        ByteBuffer into = ByteBuffer.wrap(value);
        for (long word = 0; into.remaining() >= 8; word++) {
            into.putLong(Hash.mix(i + 1, word * 0x9E3779B97F4A7C15L + 12345));
        }
    }

    private void check(Store store, int table, SlotMemory memory, int keyCount) {
        Random random = new Random(1);
        for (int round = 0; round < 30_000; round++) {
            int i = random.nextInt(keyCount);
            fill(i);
            assertThat(store.get(keys.key(table, i), read)).isTrue();
            assertThat(read.toArray()).isEqualTo(value);
            assertThat(store.get(keys.key(table, keyCount + i), read)).isFalse();
        }
        assertThat(memory.arena().usedBytes(Arena.Use.METADATA))
                .isLessThan(memory.arena().bytes() / 4);
    }
}
