package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.LeastMemory;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.ThreadBackground;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A store of a slot gets to work, however late it begins, and whatever the others' owners wait for. */
final class StoreLateOperatorTest {
    private static final int STORES = 8;
    private static final int PAGES_PER_STORE = 32;
    private static final int PAGE_BYTES = 4 << 10;
    private static final int KEYS = 20_000;
    private static final int ROUNDS = 10;
    private static final int READS = 1_500;
    private static final int CHANGED_OF = 4;

    private final NumberedKeys keys = new NumberedKeys();
    private final Random random = new Random(1);
    private final byte[] value = new byte[100];
    private final Bytes read = new Bytes();

    private static Store open(SlotMemory memory, ThreadBackground background) {
        return Store.open(
                StoreSettings.of(0, 0), new StoreResources(new MemoryDirectory(), memory, background), List.of());
    }

    private void put(Store store, int key) {
        random.nextBytes(value);
        store.put(keys.key(store.table("values", TableKind.VALUE), key), value, 0, value.length);
    }

    private void get(Store store, int key) {
        assertThat(store.get(keys.key(store.table("values", TableKind.VALUE), key), read))
                .isTrue();
    }

    private void fill(Store store, int count) {
        for (int key = 0; key < count; key++) {
            put(store, key);
            get(store, random.nextInt(key + 1));
        }
    }

    @Test
    void theLastOneIsUsedWhenTheOthersAreWarm() {
        assertThat(PAGES_PER_STORE).isGreaterThanOrEqualTo(LeastMemory.pages(PAGE_BYTES, StoreSettings.BLOCK_BYTES));
        List<Store> stores = new ArrayList<>();
        try (SlotMemory memory = new SlotMemory((long) STORES * PAGES_PER_STORE * PAGE_BYTES, PAGE_BYTES);
                ThreadBackground background = new ThreadBackground(1)) {
            try {
                for (int i = 0; i < STORES; i++) {
                    stores.add(open(memory, background));
                }
                List<Store> others = stores.subList(1, STORES);
                others.forEach(store -> fill(store, KEYS));
                for (int round = 0; round < ROUNDS; round++) {
                    others.forEach(this::readAndChange);
                }
                fill(stores.get(0), KEYS);
            } finally {
                stores.forEach(Store::close);
            }
        }
    }

    private void readAndChange(Store store) {
        for (int i = 0; i < READS; i++) {
            get(store, random.nextInt(KEYS));
            if (i % CHANGED_OF == 0) {
                put(store, random.nextInt(KEYS));
            }
        }
    }

    /** As when the first one's output is stuck behind the third one, which is still being restored. */
    @Test
    void othersOpenWhileTheOwnerOfTheFirstOneWaits() {
        try (SlotMemory memory = new SlotMemory(4 << 20, 8 << 10);
                ThreadBackground background = new ThreadBackground(1);
                Store first = open(memory, background)) {
            fill(first, 2 * KEYS);
            try (Store second = open(memory, background)) {
                fill(second, 2 * KEYS);
                try (Store third = open(memory, background)) {
                    fill(third, KEYS);
                }
            }
        }
    }
}
