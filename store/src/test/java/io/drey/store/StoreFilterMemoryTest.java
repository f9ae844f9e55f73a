package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who only asks for what is not there has the filters in memory, although the log had all of it before. */
final class StoreFilterMemoryTest {
    private static final int KEYS = 60_000;
    private static final int VALUE_BYTES = 60;
    private static final int LOOKUPS = 50_000;
    private static final int PAGE_BYTES = 4 << 10;
    private static final int MEMORY_BYTES = 1 << 20;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();
    private final Random random = new Random(3);

    @Test
    void absentValuesAreNotReadForOnceTheFiltersAreInMemory() throws Exception {
        withFilled(TableKind.VALUE, (store, table) -> {
            assertThat(store.get(keys.key(table, absent()), read)).isFalse();
            return true;
        });
    }

    @Test
    void emptyMapsAreNotReadForOnceTheFiltersAreInMemory() throws Exception {
        withFilled(TableKind.MAP, (store, table) -> store.isMapSurelyEmpty(keys.key(table, absent())));
    }

    private interface Lookup {
        /** Whether it is known that there is nothing. */
        boolean of(Store store, int table);
    }

    private int absent() {
        return KEYS + random.nextInt(KEYS);
    }

    private void withFilled(TableKind kind, Lookup lookup) throws Exception {
        StepBackground background = new StepBackground();
        try (SlotMemory memory = new SlotMemory(MEMORY_BYTES, PAGE_BYTES);
                Store store = Store.open(
                        new StoreSettings(0, 0, 512, 512, 1 << 20, 4 << 10, 4),
                        new StoreResources(new MemoryDirectory(), memory, background),
                        List.of())) {
            int table = store.table("t", kind);
            for (int i = 0; i < KEYS; i++) {
                store.put(
                        kind == TableKind.MAP ? keys.mapEntry(table, i, i) : keys.key(table, i),
                        value(),
                        0,
                        VALUE_BYTES);
            }
            try (StoreSnapshot flushed = store.snapshot()) {
                flushed.await();
            }
            while (background.step()) {
                lookup.of(store, table);
            }
            run(lookup, store, table);
            long before = store.stats().io().foreground().reads();
            assertThat(run(lookup, store, table)).isGreaterThan(LOOKUPS - LOOKUPS / 40);
            // One of a hundred lookups reads a block, as filters err so often.
            assertThat(store.stats().io().foreground().reads() - before).isLessThan(LOOKUPS / 40);
        }
    }

    private int run(Lookup lookup, Store store, int table) {
        int known = 0;
        for (int i = 0; i < LOOKUPS; i++) {
            known += lookup.of(store, table) ? 1 : 0;
        }
        return known;
    }

    private byte[] value() {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        return value;
    }
}
