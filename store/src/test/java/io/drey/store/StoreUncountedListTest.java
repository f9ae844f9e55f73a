package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.store.entry.LargeLists;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.tuning.PlacementLimits;
import io.drey.store.tuning.ReadThresholds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Appends of nearly what is counted at once make no list larger than what can be read, in scale. */
final class StoreUncountedListTest {
    private static final int PAGE_BYTES = 4 << 10;
    private static final long LIST_BYTES_MAX = 256 << 10;

    /** Just less than the part of a list that is counted at once. */
    private static final int ELEMENT_BYTES = (int) (LIST_BYTES_MAX / 256) - 1;

    /** What 2 GB, which no value may have, are to the limit that ships. */
    private static final long UNREADABLE = LIST_BYTES_MAX * (Integer.MAX_VALUE / 1024) / (LargeLists.BYTES_MAX / 1024);

    private final StepBackground background = new StepBackground();
    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();

    /** Bytes that do not compress, as those of large blocks are not compressed. */
    private final Random random = new Random(3);

    private static StoreSettings settings() {
        return new StoreSettings(
                0, 0, 2048, 4096, 64 << 10, 2048, 3, ReadThresholds.SHIPPED, PlacementLimits.SHIPPED, LIST_BYTES_MAX);
    }

    @Test
    void afterARestore() throws Exception {
        try (SlotMemory memory = new SlotMemory(1000L * PAGE_BYTES, PAGE_BYTES)) {
            MemoryDirectory local = new MemoryDirectory();
            MemoryDirectory copies = new MemoryDirectory();
            StoreImage image;
            try (Store store = Store.open(settings(), new StoreResources(local, memory, background), List.of())) {
                assertThat(fill(store)).isLessThanOrEqualTo(LIST_BYTES_MAX);
                try (StoreSnapshot snapshot = store.snapshot()) {
                    snapshot.await();
                    image = snapshot.image();
                    for (StoreImage.FileInfo file : image.files()) {
                        ModelStores.copy(local, copies, file.name());
                    }
                }
            }
            try (Store store = Store.open(settings(), new StoreResources(copies, memory, background), List.of(image))) {
                fill(store);
                assertThat(store.get(keys.key(store.table("lists", TableKind.LIST), 7), read))
                        .isTrue();
                assertThat((long) read.length()).isLessThan(UNREADABLE);
            }
        }
    }

    @Test
    void afterAnUpdate() {
        try (SlotMemory memory = new SlotMemory(1000L * PAGE_BYTES, PAGE_BYTES)) {
            try (Store store =
                    Store.open(settings(), new StoreResources(new MemoryDirectory(), memory, background), List.of())) {
                byte[] list = new byte[(int) LIST_BYTES_MAX - 1];
                store.put(keys.key(store.table("lists", TableKind.LIST), 7), list, 0, list.length);
                fill(store);
                assertThat(store.get(keys.key(store.table("lists", TableKind.LIST), 7), read))
                        .isTrue();
                assertThat((long) read.length()).isLessThan(UNREADABLE);
            }
        }
    }

    private long fill(Store store) {
        int table = store.table("lists", TableKind.LIST);
        long bytes = 0;
        byte[] element = new byte[ELEMENT_BYTES];
        while (true) {
            random.nextBytes(element);
            try {
                store.append(keys.key(table, 7), element, 0, element.length);
            } catch (DreyException e) {
                return bytes;
            }
            bytes += element.length;
        }
    }
}
