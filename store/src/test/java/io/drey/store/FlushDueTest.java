package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A flush begins while there is room for what changes until it ends. */
final class FlushDueTest {
    private static final int PAGE_BYTES = 4 << 10;
    private static final int PAGES = 1024;

    /** More than an entry of a compressed map may have in such pages. */
    private static final int VALUE_BYTES = 200;

    private static final int KEY_BYTES = 400;

    @Test
    void whatTheRowsOfChangedMapsTakeCountsToo() {
        StoreSettings settings = new StoreSettings(0, 0, 512, 512, 1 << 20, 4 << 10, 8);
        try (SlotMemory memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new StepBackground());
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", TableKind.MAP);
                int maps = 0;
                while (!store.stats().log().isFlushing()) {
                    store.put(entryOfMap(table, maps), new byte[VALUE_BYTES], 0, VALUE_BYTES);
                    maps++;
                }
                assertThat(maps).isGreaterThan(PAGES);
                // Half of it is rows: three quarters of the other half is about a quarter of the log.
                assertThat(store.stats().log().memoryBytes()).isLessThan(PAGES * 3L / 4 * PAGE_BYTES);
                assertThat(store.stats().jobs().stalls()).isZero();
            }
        }
    }

    /** The only entry of a map with a large key. */
    private static EntryKey entryOfMap(int table, int number) {
        Bytes key = new Bytes();
        key.appendVarint(number);
        key.length(KEY_BYTES);
        return new EntryKey().row(table, 0, key, new Bytes()).mapKey(new byte[] {1}, 0, 1);
    }
}
