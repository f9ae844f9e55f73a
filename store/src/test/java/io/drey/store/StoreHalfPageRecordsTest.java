package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records of about half a page, of which two may not share one: making room by moving them comes to an end. */
final class StoreHalfPageRecordsTest {
    private static final int PAGE_BYTES = 1 << 10;
    private static final int PAGES = 400;
    private static final int KEYS = 1_000;
    private static final int WRITES = 2_000;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void recordsOfEverySizeAroundHalfAPageAreWrittenAndFound() {
        for (int bytes = PAGE_BYTES / 2 - 96; bytes <= PAGE_BYTES / 2; bytes += 4) {
            write(bytes);
        }
    }

    private void write(int bytes) {
        Random random = new Random(bytes);
        NumberedKeys keys = new NumberedKeys();
        StepBackground background = new StepBackground();
        StoreSettings settings = new StoreSettings(0, 0, 256, 128, 64 << 10, 512, 8);
        try (SlotMemory memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", TableKind.VALUE);
                boolean[] written = new boolean[KEYS];
                byte[] value = new byte[bytes];
                Bytes read = new Bytes();
                for (int i = 0; i < WRITES; i++) {
                    int number = random.nextInt(KEYS);
                    written[number] = true;
                    store.put(keys.key(table, number), value, 0, bytes);
                    if (i % 64 == 0) {
                        store.snapshot().close();
                        while (background.step()) {
                            store.get(keys.key(table, 0), read);
                        }
                    }
                }
                for (int number = 0; number < KEYS; number++) {
                    read.clear();
                    store.get(keys.key(table, number), read);
                    assertThat(read.length()).as("value of " + bytes).isEqualTo(written[number] ? bytes : 0);
                }
            }
        }
    }
}
