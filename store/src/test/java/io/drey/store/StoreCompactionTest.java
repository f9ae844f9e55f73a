package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Values that outgrow their records, in state that fits: dead records are taken out of memory, nothing is flushed for
 * want of it.
 */
final class StoreCompactionTest {
    private static final int PAGE_BYTES = 16 << 10;
    private static final int PAGES = 1024;
    private static final int LENGTH_MIN = 200;
    private static final int LENGTH_MAX = 700;
    private static final int GROWTH = 40;

    /** With their headers, at their longest and with room to grow, two fifths of the memory. */
    private static final int KEYS = 7_000;

    /** Too many of such values for a compressed map. */
    private static final int MAP_ENTRIES = 20;

    private static final int UPDATES = 20 * KEYS;

    /** Lists grow by few appends each, so that the older records of a list are in pages all over the log. */
    private static final int LISTS = 2_000;

    private static final int ELEMENT_BYTES = 60;
    private static final int UPDATES_PER_APPEND = 5;

    private final Random random = new Random(7);
    private final NumberedKeys keys = new NumberedKeys();
    private final int[] lengths = new int[KEYS];
    private final byte[] value = new byte[LENGTH_MAX];
    private final Bytes read = new Bytes();
    private final StepBackground background = new StepBackground();
    private SlotMemory memory;
    private Store store;

    @BeforeEach
    void open() {
        memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES);
        StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
        store = Store.open(StoreSettings.of(0, 127), resources, List.of());
    }

    @AfterEach
    void close() {
        store.close();
        memory.close();
    }

    @Test
    void growingValuesAreNotFlushedForWantOfMemory() {
        growAll(TableKind.VALUE);
    }

    @Test
    void growingEntriesOfMapsAreNotFlushedForWantOfMemory() {
        growAll(TableKind.MAP);
    }

    private void growAll(TableKind kind) {
        int table = store.table("t", kind);
        for (int i = 0; i < UPDATES; i++) {
            grow(kind, table);
        }
        assertThat(store.stats().log().isFlushing()).isFalse();
        assertThat(store.stats().jobs().flushes()).isZero();
        assertThat(store.stats().jobs().stalls()).isZero();
        assertThat(store.stats().log().recordsCompacted()).isPositive();
        checkAll(kind, table);
    }

    @Test
    void theOwnerDoesNotWaitForACheckpointOfAllThatItHas() throws Exception {
        int table = store.table("t", TableKind.VALUE);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < UPDATES / 4; i++) {
                grow(TableKind.VALUE, table);
            }
            try (StoreSnapshot snapshot = store.snapshot()) {
                for (int i = 0; i < KEYS / 2; i++) {
                    grow(TableKind.VALUE, table);
                }
                assertThat(store.stats().log().isFlushing()).isTrue();
                assertThat(store.stats().jobs().stalls()).isZero();
                checkAll(TableKind.VALUE, table);
                while (background.step()) {
                    assertThat(store.get(key(TableKind.VALUE, table, 0), read)).isEqualTo(lengths[0] > 0);
                }
                snapshot.await();
                assertThat(snapshot.files()).isNotEmpty();
            }
            checkAll(TableKind.VALUE, table);
        }
    }

    @Test
    void pagesWhoseListsStayInPlaceDoNotUseUpTheRoomForMoves() {
        int values = store.table("values", TableKind.VALUE);
        int lists = store.table("lists", TableKind.LIST);
        byte[] element = new byte[ELEMENT_BYTES];
        int[] elements = new int[LISTS];
        for (int i = 0; i < 3 * UPDATES; i++) {
            grow(TableKind.VALUE, values);
            if (i % UPDATES_PER_APPEND == 0) {
                int list = random.nextInt(LISTS);
                store.append(keys.key(lists, list), element, 0, element.length);
                elements[list]++;
            }
        }
        assertThat(store.stats().log().recordsCompacted()).isPositive();
        checkAll(TableKind.VALUE, values);
        for (int list = 0; list < LISTS; list++) {
            assertThat(store.get(keys.key(lists, list), read)).isTrue();
            assertThat(read.length()).isEqualTo(elements[list] * ELEMENT_BYTES);
        }
    }

    private EntryKey key(TableKind kind, int table, int number) {
        return kind == TableKind.MAP
                ? keys.mapEntry(table, number / MAP_ENTRIES, number % MAP_ENTRIES)
                : keys.key(table, number);
    }

    /** Makes some value longer, or, once it is longest, short again. */
    private void grow(TableKind kind, int table) {
        int number = random.nextInt(KEYS);
        int length = lengths[number] + GROWTH;
        lengths[number] = length < LENGTH_MIN || length > LENGTH_MAX ? LENGTH_MIN : length;
        value[0] = (byte) lengths[number];
        value[1] = (byte) number;
        store.put(key(kind, table, number), value, 0, lengths[number]);
    }

    private void checkAll(TableKind kind, int table) {
        for (int i = 0; i < KEYS; i++) {
            assertThat(store.get(key(kind, table, i), read)).isEqualTo(lengths[i] > 0);
            if (lengths[i] > 0) {
                assertThat(read.length()).isEqualTo(lengths[i]);
                assertThat(read.array()[0]).isEqualTo((byte) lengths[i]);
                assertThat(read.array()[1]).isEqualTo((byte) i);
            }
        }
    }
}
