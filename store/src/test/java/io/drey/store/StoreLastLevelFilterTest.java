package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.tuning.RunShape;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Filters that do not fit in memory are written with the last level only as long as absent keys are sought. */
final class StoreLastLevelFilterTest {
    private static final int KEYS = 80_000;
    private static final int WRITES_MAX = 20 * KEYS;
    private static final int MEMORY_BYTES = 256 << 10;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();
    private final byte[] value = new byte[8];
    private final StepBackground background = new StepBackground();

    @Test
    void filtersThatDoNotFitAreWrittenWhileKeysAreOftenAbsentAndLeftOutOnceTheyAreNot() {
        try (SlotMemory memory = new SlotMemory(MEMORY_BYTES, 1 << 10);
                Store store = Store.open(
                        new StoreSettings(0, 0, 512, 512, 1 << 20, 4 << 10, 4),
                        new StoreResources(new MemoryDirectory(), memory, background),
                        List.of())) {
            int table = store.table("t", TableKind.VALUE);
            for (int number = 0; number < KEYS; number++) {
                change(store, table, number, false);
            }
            assertThat(store.stats().tuning().shape().filter()).isEqualTo(RunShape.Filter.WANTED);

            // Once more, so that it is not the runs of keys that were new which are compacted.
            Random random = new Random(1);
            for (int write = 0;
                    write < WRITES_MAX && store.stats().tuning().shape().filter() != RunShape.Filter.TOO_LARGE;
                    write++) {
                change(store, table, random.nextInt(KEYS), true);
            }
            assertThat(store.stats().tuning().shape().filter()).isEqualTo(RunShape.Filter.TOO_LARGE);

            for (int write = 0;
                    write < WRITES_MAX && store.stats().tuning().shape().filter() != RunShape.Filter.WANTED;
                    write++) {
                assertThat(store.get(keys.key(table, KEYS + random.nextInt(KEYS)), read))
                        .isFalse();
                change(store, table, random.nextInt(KEYS), true);
            }
            assertThat(store.stats().tuning().shape().filter())
                    .as("absent keys are sought again")
                    .isEqualTo(RunShape.Filter.WANTED);
        }
    }

    private void change(Store store, int table, int number, boolean isThere) {
        assertThat(store.get(keys.key(table, number), read)).isEqualTo(isThere);
        store.put(keys.key(table, number), value, 0, value.length);
        background.step();
    }
}
