package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A list whose first record was read gets its second chance without taking pages that nobody made sure of. */
final class StoreListEvictionTest {
    private static final int PAGE_BYTES = 4 << 10;
    private static final int PAGES = 400;
    private static final int LISTS = 60;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();

    @Test
    void aStoreWithListsThatWereReadShrinksWhenAnotherOpens() throws Exception {
        MemoryDirectory directory = new MemoryDirectory();
        try (SlotMemory memory = new SlotMemory((long) PAGES * PAGE_BYTES, PAGE_BYTES)) {
            StepBackground background = new StepBackground();
            StoreImage image;
            MemoryDirectory before = new MemoryDirectory();
            try (Store store =
                    Store.open(ModelStores.settings(0, 3), new StoreResources(before, memory, background), List.of())) {
                put(store, 1);
                try (StoreSnapshot snapshot = store.snapshot()) {
                    snapshot.await();
                    image = snapshot.image();
                    for (StoreImage.FileInfo file : image.files()) {
                        ModelStores.copy(before, directory, file.name());
                    }
                }
            }
            try (Store store = Store.open(
                    ModelStores.settings(0, 3), new StoreResources(directory, memory, background), List.of(image))) {
                int lists = store.table("lists", TableKind.LIST);
                for (int list = 0; list < LISTS; list++) {
                    appendToWhatWasRead(store, lists, list);
                }
                snapshot(store);
                // A value that is kept from a run: copies have a page.
                assertThat(store.get(keys.key(store.table("values", TableKind.VALUE), 1), read))
                        .isTrue();
                store.get(keys.key(lists, 0), read);
                int held = (int) (store.stats().log().memoryBytes() / PAGE_BYTES);
                assertThat(held).isGreaterThan(LISTS);

                MemoryDirectory[] others = new MemoryDirectory[7];
                Store[] opened = new Store[others.length];
                for (int i = 0; i < others.length; i++) {
                    opened[i] = Store.open(
                            ModelStores.settings(0, 3),
                            new StoreResources(new MemoryDirectory(), memory, background),
                            List.of());
                }
                for (int list = 0; list < LISTS; list++) {
                    assertThat(store.get(keys.key(lists, list), read)).isTrue();
                    assertThat(read.length()).isEqualTo(3600);
                }
                Arrays.stream(opened).forEach(Store::close);
            }
        }
    }

    /** Room for a large value is made by evicting many pages in a row. */
    @Test
    void aLargeValueFindsRoomAmongListsThatWereRead() throws Exception {
        try (SlotMemory memory = new SlotMemory((long) 100 * PAGE_BYTES, PAGE_BYTES)) {
            StepBackground background = new StepBackground();
            try (Store store = Store.open(
                    ModelStores.settings(0, 3),
                    new StoreResources(new MemoryDirectory(), memory, background),
                    List.of())) {
                int lists = store.table("lists", TableKind.LIST);
                int values = store.table("values", TableKind.VALUE);
                put(store, 2);
                for (int list = 0; list < 2 * LISTS; list++) {
                    appendToWhatWasRead(store, lists, list);
                }
                snapshot(store);
                // An evicted value is read and kept: copies have a page.
                assertThat(store.get(keys.key(values, 2), read)).isTrue();
                assertThat(store.get(keys.key(values, 2), read)).isTrue();
                assertThat(store.stats().log().recordsKept()).isPositive();
                byte[] large = new byte[15 * PAGE_BYTES];
                store.put(keys.key(values, 1), large, 0, large.length);
                for (int list = 0; list < 2 * LISTS; list++) {
                    assertThat(store.get(keys.key(lists, list), read)).isTrue();
                    assertThat(read.length()).isEqualTo(3600);
                }
            }
        }
    }

    private void appendToWhatWasRead(Store store, int table, int number) throws InterruptedException {
        append(store, table, number, 300);
        snapshot(store);
        assertThat(store.get(keys.key(table, number), read)).isTrue();
        append(store, table, number, 2600);
        append(store, table, number, 700);
    }

    private void put(Store store, int number) {
        byte[] value = new byte[50];
        store.put(keys.key(store.table("values", TableKind.VALUE), number), value, 0, value.length);
    }

    private void append(Store store, int table, int number, int length) {
        store.append(keys.key(table, number), new byte[length], 0, length);
    }

    private void snapshot(Store store) throws InterruptedException {
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
        }
    }
}
