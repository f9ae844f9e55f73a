package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.file.FileIds;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Values of medium size go to value logs for what they cost, not for what a compaction has not finished yet. */
final class StoreValuePlacementTest {
    private static final int PAGE_BYTES = 4 << 10;
    private static final int PAGES = 512;
    private static final int KEYS = 20_000;
    private static final int VALUE_BYTES = 700;
    private static final long PART_NANOS = 20_000_000;
    private static final int PARTS = 50;

    private final Random random = new Random(1);
    private final NumberedKeys keys = new NumberedKeys();
    private final StepBackground background = new StepBackground();
    private final TickingClock clock = new TickingClock(1);
    private final byte[] value = new byte[VALUE_BYTES];
    private final Bytes read = new Bytes();
    private Store store;
    private int table;

    @Test
    void aLongCompactionUnderWayDoesNotMakeBytesSeemDear() {
        StoreSettings settings = new StoreSettings(0, 0, 4 << 10, PAGE_BYTES, 64 << 20, 16 << 10, 8);
        try (SlotMemory memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES)) {
            StoreResources resources =
                    new StoreResources(new MemoryDirectory(), memory, background, FileIds.RANDOM, clock);
            try (Store opened = Store.open(settings, resources, List.of())) {
                store = opened;
                table = store.table("t", TableKind.VALUE);
                while (background.pending() == 0) {
                    putMany();
                }
                clock.tick(PART_NANOS);
                for (int part = 0; part < PARTS; part++) {
                    background.step();
                }
                clock.tick(1);
                assertThat(store.stats().jobs().compactions()).isZero();
                assertThat(background.pending()).isPositive();

                putMany();
                assertThat(store.stats().values().separated()).isZero();
            }
        }
    }

    private void putMany() {
        for (int i = 0; i < 1_000; i++) {
            random.nextBytes(value);
            store.put(keys.key(table, random.nextInt(KEYS)), value, 0, value.length);
        }
        store.snapshot().close();
        while (store.stats().log().isFlushing()) {
            background.step();
            store.get(keys.key(table, 0), read);
        }
    }
}
