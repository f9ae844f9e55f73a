package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.log.record.LogIndex;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An index whose pages are as deep as they get, and full, makes room as a log without pages does. */
final class StoreFullIndexTest {
    private static final int PAGES = 400;

    /** More than a page of the index has slots. */
    private static final int KEYS = 3 * ModelStores.PAGE_BYTES / Long.BYTES;

    /** Pages of the index are no deeper here. */
    private static final int EQUAL_BITS = 12;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();
    private final byte[] value = new byte[4];

    @Test
    void keysOfOnePageOfTheIndexAreFlushedAndEvictedWhenItIsFull() {
        try (SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new StepBackground());
            try (Store store = Store.open(ModelStores.settings(0, 3), resources, List.of())) {
                int table = store.table("values", TableKind.VALUE);
                List<Integer> chosen = numbersOfOnePage(table);
                for (int number : chosen) {
                    value[0] = (byte) number;
                    store.put(keys.key(table, number), value, 0, value.length);
                }
                assertThat(store.stats().jobs().flushes()).isPositive();
                for (int number : chosen) {
                    assertThat(store.get(keys.key(table, number), read)).isTrue();
                    assertThat(read.array()[0]).isEqualTo((byte) number);
                }
            }
            assertThat(memory.arena().freePages()).isEqualTo(PAGES);
        }
    }

    private List<Integer> numbersOfOnePage(int table) {
        List<Integer> chosen = new ArrayList<>();
        for (int number = 0; chosen.size() < KEYS; number++) {
            EntryKey key = keys.key(table, number);
            int tag = LogIndex.tag(key.entryMemoryHash(), table, key.keyGroup());
            if (tag >>> (Integer.SIZE - EQUAL_BITS) == 0) {
                chosen.add(number);
            }
        }
        return chosen;
    }
}
