package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.run.ReadThresholds;
import io.drey.store.schedule.StepBackground;
import io.drey.store.tuning.SeparationLimits;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** State of which memory holds a part only as it is stored, while runs come and go and memory shrinks. */
final class StoreCompressedBlockCacheTest {
    private static final int KEYS = 5_000;
    private static final int ROUNDS = 60;
    private static final int OPERATIONS = 2_000;
    private static final long READ_NANOS = 40_000;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();
    private final int[] written = new int[KEYS];
    private final Random random = new Random(1);

    @Test
    void readsWhatWasWrittenThroughCompactionsAndShrinkingMemory() throws Exception {
        checkReads(0);
    }

    @Test
    void theSameWhereReadsBringNoNeighbours() throws Exception {
        checkReads(Long.MAX_VALUE);
    }

    private void checkReads(long aroundNanos) throws Exception {
        ReadThresholds thresholds = ReadThresholds.of(0, aroundNanos, 0, new TickingClock(READ_NANOS));
        StoreSettings settings =
                new StoreSettings(0, 0, 256, 128, 16 << 10, 512, 3, thresholds, SeparationLimits.SHIPPED);
        try (SlotMemory memory = new SlotMemory(200 << 10, 1 << 10)) {
            StepBackground background = new StepBackground();
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", TableKind.VALUE);
                long hits = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    if (round % 10 == 9) {
                        changeBesideAnother(settings, memory, store, table);
                    } else {
                        change(store, table, background);
                    }
                    assertThat(store.stats().caches().compressed().hits()).isGreaterThanOrEqualTo(hits);
                    hits = store.stats().caches().compressed().hits();
                }

                assertThat(hits).isGreaterThan(ROUNDS * OPERATIONS / 10);
                assertThat(store.stats().jobs().compactions()).isGreaterThan(10);
            }
            assertThat(memory.arena().freePages()).isEqualTo(memory.arena().pages());
        }
    }

    /** While another store of the slot is open, each has half of the memory. */
    private void changeBesideAnother(StoreSettings settings, SlotMemory memory, Store store, int table)
            throws Exception {
        StepBackground background = new StepBackground();
        StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
        try (Store other = Store.open(settings, resources, List.of())) {
            other.table("t", TableKind.VALUE);
            change(store, table, background);
        }
    }

    private void change(Store store, int table, StepBackground background) {
        for (int i = 0; i < OPERATIONS; i++) {
            int number = random.nextInt(KEYS);
            if (random.nextInt(4) == 0) {
                written[number]++;
                byte[] value = value(number);
                store.put(keys.key(table, number), value, 0, value.length);
            } else {
                boolean isThere = store.get(keys.key(table, number), read);
                assertThat(isThere).isEqualTo(written[number] > 0);
                assertThat(read.toArray()).isEqualTo(isThere ? value(number) : new byte[0]);
            }
            if (i % 50 == 0) {
                background.step();
            }
        }
    }

    /** Compresses well. */
    private byte[] value(int number) {
        byte[] value = new byte[40];
        value[0] = (byte) written[number];
        value[39] = (byte) number;
        return value;
    }
}
