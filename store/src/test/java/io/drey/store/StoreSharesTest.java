package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Arena;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A slot's memory that is shared anew when another store opens. */
final class StoreSharesTest {
    private static final int PAGES = 1_000;
    private static final int STORES = 4;
    private static final int KEYS = 30_000;
    private static final int READS = 20_000;

    private final SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
    private final StepBackground background = new StepBackground();
    private final Random random = new Random(9);
    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();

    private Store open() {
        return Store.open(
                ModelStores.settings(0, 3), new StoreResources(new MemoryDirectory(), memory, background), List.of());
    }

    private void readSome(Store store, int table) {
        for (int i = 0; i < READS; i++) {
            assertThat(store.get(keys.key(table, random.nextInt(KEYS)), read)).isTrue();
        }
    }

    /** They are asked for all the time, and would take what is left to the log. */
    @Test
    void indexesAndFiltersKeepWithinTheirPartOfAShareThatBecameSmaller() {
        List<Store> stores = new ArrayList<>();
        try (memory) {
            Store first = open();
            stores.add(first);
            int table = first.table("values", TableKind.VALUE);
            byte[] value = new byte[40];
            for (int i = 0; i < KEYS; i++) {
                random.nextBytes(value);
                first.put(keys.key(table, i), value, 0, value.length);
                background.step();
            }
            readSome(first, table);
            long alone = memory.arena().usedBytes(Arena.Use.CACHE);
            while (stores.size() < STORES) {
                stores.add(open());
            }
            readSome(first, table);
            long share = (long) memory.pagesPerStore() * ModelStores.PAGE_BYTES;
            assertThat(alone).isGreaterThan(share);
            assertThat(memory.arena().usedBytes(Arena.Use.CACHE)).isLessThanOrEqualTo(share * 8 / 10);
            stores.forEach(Store::close);
        }
    }
}
