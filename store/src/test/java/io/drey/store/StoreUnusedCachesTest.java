package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.run.ReadThresholds;
import io.drey.store.schedule.StepBackground;
import io.drey.store.stats.StoreStats;
import io.drey.store.tuning.SeparationLimits;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What caches hold gives way to what is written, where nobody asks for it. */
final class StoreUnusedCachesTest {
    private static final int MEMORY_BYTES = 1 << 20;
    private static final int VALUE_BYTES = 200;

    /** Records of these take about two fifths of the memory. */
    private static final int WRITTEN = 1_600;

    /** Several times as much as the memory holds. */
    private static final int READ = 20_000;

    private static final int ROUNDS = 10;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();
    private final byte[] value = new byte[VALUE_BYTES];
    private final StepBackground background = new StepBackground();

    @Test
    void stateThatFitsIsFlushedForCheckpointsOnlyThoughCachesWereFullOfOther() throws Exception {
        StoreSettings settings = new StoreSettings(0, 0, 1 << 10, 512, 64 << 10, 4 << 10, 8);
        try (SlotMemory memory = new SlotMemory(MEMORY_BYTES, 4 << 10)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("read", TableKind.VALUE);
                int written = store.table("written", TableKind.VALUE);
                put(store, table, READ);
                readAtRandom(store, table);
                writeAndFlush(store, written);
                long flushes = store.stats().jobs().flushes();
                for (int round = 0; round < ROUNDS; round++) {
                    writeAndFlush(store, written);
                }

                assertThat(store.stats().jobs().flushes() - flushes).isEqualTo(ROUNDS);
            }
        }
    }

    @Test
    void cachesThatAreAskedKeepWhatTheyHold() throws Exception {
        StoreSettings settings = new StoreSettings(
                0, 0, 1 << 10, 512, 64 << 10, 4 << 10, 8, ReadThresholds.ANY, SeparationLimits.SHIPPED);
        try (SlotMemory memory = new SlotMemory(MEMORY_BYTES, 4 << 10)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("read", TableKind.VALUE);
                put(store, table, READ);
                readAtRandom(store, table);
                Random random = new Random(2);
                StoreStats.Cache before = store.stats().caches().compressed();
                for (int i = 0; i < READ; i++) {
                    assertThat(store.get(keys.key(table, random.nextInt(READ)), read))
                            .isTrue();
                    store.put(keys.key(table, random.nextInt(READ)), value, 0, VALUE_BYTES);
                    background.step();
                }

                assertThat(store.stats().jobs().flushes()).isGreaterThan(ROUNDS);
                StoreStats.Cache after = store.stats().caches().compressed();
                long hits = after.hits() - before.hits();
                assertThat(hits).isGreaterThan(after.misses() - before.misses());
            }
        }
    }

    private void put(Store store, int table, int count) {
        for (int i = 0; i < count; i++) {
            store.put(keys.key(table, i), value, 0, VALUE_BYTES);
            background.step();
        }
    }

    private void readAtRandom(Store store, int table) {
        Random random = new Random(1);
        for (int i = 0; i < READ; i++) {
            assertThat(store.get(keys.key(table, random.nextInt(READ)), read)).isTrue();
        }
    }

    /** Sets all values twice, while nothing is read, and then takes a checkpoint. */
    private void writeAndFlush(Store store, int table) throws Exception {
        put(store, table, WRITTEN);
        put(store, table, WRITTEN);
        try (StoreSnapshot flushed = store.snapshot()) {
            flushed.await();
        }
        while (background.pending() > 0) {
            background.step();
        }
    }
}
