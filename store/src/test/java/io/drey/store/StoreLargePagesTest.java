package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large pages name what is in them by coarser places, so that a slot may have more than 32 GB. */
final class StoreLargePagesTest {
    private static final int PAGES = 120;
    private static final int OPERATIONS = 60_000;
    private static final int KEYS = 9_000;

    private final Random random = new Random(5);
    private final NumberedKeys keys = new NumberedKeys();
    private final TreeMap<Integer, byte[]> values = new TreeMap<>();
    private final TreeMap<Integer, byte[]> entries = new TreeMap<>();
    private final Bytes read = new Bytes();

    @ParameterizedTest
    @ValueSource(ints = {64 << 10, 128 << 10, 512 << 10})
    void aStoreHoldsWhatWasPutWhateverTheSizeOfPages(int pageBytes) {
        try (SlotMemory memory = new SlotMemory((long) PAGES * pageBytes, pageBytes)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new StepBackground());
            try (Store store = Store.open(StoreSettings.of(0, 0), resources, List.of())) {
                useStore(store);
                assertThat(store.stats().jobs().flushes()).isPositive();
            }
            assertThat(memory.arena().freePages()).isEqualTo(PAGES);
        }
    }

    private void useStore(Store store) {
        int valueTable = store.table("values", TableKind.VALUE);
        int mapTable = store.table("maps", TableKind.MAP);
        for (int i = 0; i < OPERATIONS; i++) {
            byte[] value = new byte[random.nextInt(random.nextInt(50) == 0 ? 100_000 : 300)];
            random.nextBytes(value);
            int number = random.nextInt(KEYS);
            if (random.nextBoolean()) {
                store.put(keys.key(valueTable, number), value, 0, value.length);
                values.put(number, value);
            } else {
                store.put(keys.mapEntry(mapTable, number / 60, number % 60), value, 0, value.length);
                entries.put(number, value);
            }
        }
        values.forEach((number, value) -> {
            assertThat(store.get(keys.key(valueTable, number), read)).isTrue();
            assertThat(read.toArray()).isEqualTo(value);
        });
        entries.forEach((number, value) -> {
            assertThat(store.get(keys.mapEntry(mapTable, number / 60, number % 60), read))
                    .isTrue();
            assertThat(read.toArray()).isEqualTo(value);
        });
    }
}
