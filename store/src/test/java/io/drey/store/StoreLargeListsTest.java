package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.tuning.PlacementLimits;
import io.drey.store.tuning.ReadThresholds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list that would be too large is refused at the append that makes it so, and stays readable and compactable. */
final class StoreLargeListsTest {
    private static final int PAGES = 400;
    private static final int ELEMENT_BYTES = 100;
    private static final int OTHER_LISTS = 2_000;

    /** Young runs, of which a compaction is due. */
    private static final int MANY_RUNS = 10;

    private static final long LIST_BYTES_MAX = 64 << 10;

    /** What small parts that nobody counted may add, see {@link io.drey.store.entry.LargeLists}. */
    private static final long UNCOUNTED_BYTES_MAX = LIST_BYTES_MAX / 4;

    private final MemoryDirectory local = new MemoryDirectory();
    private final StepBackground background = new StepBackground();
    private final SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
    private final Random random = new Random(3);
    private final NumberedKeys keys = new NumberedKeys();
    private final byte[] element = new byte[ELEMENT_BYTES];
    private final Bytes read = new Bytes();

    @AfterEach
    void allMemoryIsBack() {
        assertThat(memory.arena().freePages()).isEqualTo(PAGES);
        assertThat(memory.overdraft().bytes()).isZero();
        memory.close();
    }

    private static StoreSettings settings() {
        return new StoreSettings(
                0, 0, 128, 64, 2 << 10, 256, 3, ReadThresholds.SHIPPED, PlacementLimits.SHIPPED, LIST_BYTES_MAX);
    }

    private Store open(MemoryDirectory directory, List<StoreImage> parents) {
        return Store.open(settings(), new StoreResources(directory, memory, background), parents);
    }

    /**
     * @param appends after how many appends there is a snapshot, so that the list is in so many parts: in memory whole,
     *     in a few large ones, in many small ones
     */
    @ParameterizedTest
    @ValueSource(ints = {100_000, 97, 1})
    void theAppendThatWouldBeTooMuchFailsWithStateKeyAndSize(int appends) throws Exception {
        MemoryDirectory copies = new MemoryDirectory();
        StoreImage image;
        long before;
        try (Store store = open(local, List.of())) {
            int table = store.table("lists", TableKind.LIST);
            appendToOthers(store, table);
            before = fill(store, table, appends);
            assertThat(before).isBetween(LIST_BYTES_MAX - ELEMENT_BYTES, LIST_BYTES_MAX);
            assertThatThrownBy(() -> append(store, table))
                    .isInstanceOf(DreyException.class)
                    .hasMessageContaining("lists of at most " + LIST_BYTES_MAX + " bytes, found one of")
                    .hasMessageContaining("in table " + table)
                    .hasMessageContaining("under 0400000007");
            image = image(store);
            for (StoreImage.FileInfo file : image.files()) {
                ModelStores.copy(local, copies, file.name());
            }
            store.delete(keys.key(table, 7));
            append(store, table);
            assertThat(bytes(store, table)).isEqualTo(ELEMENT_BYTES);
        }
        restoredIsReadableAndCompactable(copies, image, before);
    }

    private void restoredIsReadableAndCompactable(MemoryDirectory directory, StoreImage image, long before)
            throws Exception {
        try (Store restored = open(directory, List.of(image))) {
            int table = restored.table("lists", TableKind.LIST);
            assertThat(bytes(restored, table)).isEqualTo(before);
            long after = before + fill(restored, table, 1);
            assertThat(after).isLessThanOrEqualTo(LIST_BYTES_MAX + UNCOUNTED_BYTES_MAX);
            for (int run = 0; run < MANY_RUNS; run++) {
                appendToOthers(restored, table);
                image(restored);
            }
            while (background.step()) {
                assertThat(bytes(restored, table)).isEqualTo(after);
            }
            assertThat(restored.stats().jobs().compactions()).isPositive();
        }
    }

    @Test
    void aListThatIsClearedOrSetNowAndThenGoesOnForEver() {
        try (Store store = open(local, List.of())) {
            int table = store.table("lists", TableKind.LIST);
            for (int round = 0; round < 10; round++) {
                for (long bytes = 0; bytes < LIST_BYTES_MAX / 2; bytes += ELEMENT_BYTES) {
                    append(store, table);
                }
                if (round % 2 == 0) {
                    store.delete(keys.key(table, 7));
                } else {
                    store.put(keys.key(table, 7), element, 0, ELEMENT_BYTES);
                }
            }
            assertThat(bytes(store, table)).isEqualTo(ELEMENT_BYTES);
        }
    }

    /** It is not in memory any more, so that its size is taken from the runs. */
    @Test
    void aListWhoseOlderVersionsAreStillInRunsIsAsLargeAsTheNewest() throws Exception {
        byte[] list = new byte[(int) LIST_BYTES_MAX * 3 / 5];
        try (Store store = open(local, List.of())) {
            int table = store.table("lists", TableKind.LIST);
            for (int version = 0; version < 4; version++) {
                random.nextBytes(list);
                store.put(keys.key(table, 7), list, 0, list.length);
                image(store);
            }
            leaveMemory(store, table);
            append(store, table);
            assertThat(bytes(store, table)).isEqualTo(list.length + ELEMENT_BYTES);
            store.delete(keys.key(table, 7));
            leaveMemory(store, table);
            append(store, table);
            assertThat(bytes(store, table)).isEqualTo(ELEMENT_BYTES);
        }
    }

    private void leaveMemory(Store store, int table) throws InterruptedException {
        for (int number = OTHER_LISTS; number < 6 * OTHER_LISTS; number++) {
            store.append(keys.key(table, number), element, 0, ELEMENT_BYTES);
        }
        image(store);
    }

    /** Appends, with a snapshot after every few, until an append fails; the bytes appended. */
    private long fill(Store store, int table, int appends) throws InterruptedException {
        long bytes = 0;
        for (int i = 1; bytes <= 2 * LIST_BYTES_MAX; i++) {
            try {
                append(store, table);
            } catch (DreyException e) {
                assertThat(e).hasMessageContaining("expected lists of at most");
                return bytes;
            }
            bytes += ELEMENT_BYTES;
            if (i % appends == 0) {
                image(store);
            }
            background.step();
        }
        return bytes;
    }

    /** Appends to so many small lists that the large one is one block of many. */
    private void appendToOthers(Store store, int table) {
        for (int number = OTHER_LISTS; number < 2 * OTHER_LISTS; number++) {
            store.append(keys.key(table, number), element, 0, ELEMENT_BYTES / 2);
        }
    }

    /** Bytes that do not compress: small blocks do not tell how large they are before compression. */
    private void append(Store store, int table) {
        random.nextBytes(element);
        store.append(keys.key(table, 7), element, 0, ELEMENT_BYTES);
    }

    private static StoreImage image(Store store) throws InterruptedException {
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
            return snapshot.image();
        }
    }

    private long bytes(Store store, int table) {
        return store.get(keys.key(table, 7), read) ? read.length() : 0;
    }
}
