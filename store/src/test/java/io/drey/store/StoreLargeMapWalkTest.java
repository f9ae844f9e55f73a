package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A map of very many entries in memory, which are not in order: each batch of a walk looks at all of them. */
final class StoreLargeMapWalkTest {
    private static final int PAGE_BYTES = 64 << 10;
    private static final int ENTRIES = 200_000;
    private static final int MAP = 7;

    /** It had 54 with batches of 4,096 entries, and one for each 256 KB of long values. */
    private static final int BATCHES_MAX = 20;

    private final NumberedKeys keys = new NumberedKeys();

    @Test
    void aLongWalkHasFewBatches() {
        assertThat(batches(ENTRIES, 8)).isLessThan(BATCHES_MAX);
    }

    @Test
    void aLongWalkOverLongValuesHasFewBatches() {
        assertThat(batches(ENTRIES / 10, 1_000)).isLessThan(BATCHES_MAX);
    }

    private int batches(int entries, int valueBytes) {
        SlotMemory memory = new SlotMemory(64L << 20, PAGE_BYTES);
        StoreSettings settings = new StoreSettings(0, 0, 4 << 10, 4 << 10, 1 << 20, 16 << 10, 8);
        int batches = 0;
        try (Store store = Store.open(
                settings, new StoreResources(new MemoryDirectory(), memory, new StepBackground()), List.of())) {
            int table = store.table("t", TableKind.MAP);
            for (int entry = 0; entry < entries; entry++) {
                store.put(keys.mapEntry(table, MAP, entry), new byte[valueBytes], 0, valueBytes);
            }
            MapScan scan = store.scanMap(keys.key(table, MAP), null);
            int found = 0;
            for (boolean more = true; more; found++) {
                batches += scan.isNextAtHand() ? 0 : 1;
                more = scan.next();
            }
            assertThat(found - 1).isEqualTo(entries);
        }
        memory.close();
        return batches;
    }
}
