package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.fault.FaultyDirectory;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.stats.StoreStats;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is not there is known from memory as long as all of its table is in memory, and from runs once it is not. */
final class StoreResidentTablesTest {
    private static final int PAGE_BYTES = 16 << 10;
    private static final int PAGES = 128;
    private static final int VALUE_BYTES = 500;

    /** A third of the memory. */
    private static final int KEYS = 1_000;

    private final NumberedKeys keys = new NumberedKeys();
    private final byte[] value = new byte[VALUE_BYTES];
    private final Bytes read = new Bytes();
    private final FaultyDirectory files = new FaultyDirectory(new MemoryDirectory());
    private SlotMemory memory;
    private Store store;

    @BeforeEach
    void openEmpty() {
        open(List.of());
    }

    private void open(List<StoreImage> parents) {
        memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES);
        store = Store.open(StoreSettings.of(0, 127), new StoreResources(files, memory, new StepBackground()), parents);
    }

    @AfterEach
    void close() {
        store.close();
        memory.close();
    }

    @Test
    void noRunIsAskedForWhatIsNotThereWhileAllOfTheTableIsInMemory() throws Exception {
        int values = fill("values", TableKind.VALUE);
        int maps = fill("maps", TableKind.MAP);
        flush();
        assertThat(absentValues(values)).isZero();
        assertThat(absentMaps(maps)).isZero();
    }

    @Test
    void whatWasDeletedStaysAwayWhileAllOfTheTableIsInMemory() throws Exception {
        int values = fill("values", TableKind.VALUE);
        flush();
        store.delete(keys.key(values, 1));
        flush();
        assertThat(store.get(keys.key(values, 1), read)).isFalse();
        put(values, TableKind.VALUE, 1);
        store.delete(keys.key(values, 1));
        assertThat(store.get(keys.key(values, 1), read)).isFalse();
    }

    @Test
    void runsAreAskedOncePartOfTheTableWasEvicted() throws Exception {
        int evicted = fill("evicted", TableKind.VALUE);
        for (int round = 0; round < 10; round++) {
            fill("other " + round, TableKind.VALUE);
        }
        for (int i = 0; i < KEYS; i++) {
            assertThat(store.get(keys.key(evicted, i), read)).isTrue();
        }
        assertThat(absentValues(evicted)).isPositive();
    }

    @Test
    void runsAreAskedForAValueThatIsTooLargeForMemory() throws Exception {
        int values = fill("values", TableKind.VALUE);
        byte[] large = new byte[PAGES * PAGE_BYTES];
        store.put(keys.key(values, KEYS), large, 0, large.length);
        assertThat(store.get(keys.key(values, KEYS), read)).isTrue();
        assertThat(read.length()).isEqualTo(large.length);
    }

    @Test
    void ofARestoredStoreOnlyNewTablesAreInMemoryWhole() throws Exception {
        int restored = fill("restored", TableKind.VALUE);
        restore();
        int added = fill("added", TableKind.VALUE);
        flush();
        for (int i = 0; i < KEYS; i++) {
            assertThat(store.get(keys.key(restored, i), read)).isTrue();
        }
        assertThat(absentValues(restored)).isPositive();
        assertThat(absentValues(added)).isZero();
    }

    @Test
    void aRestoredTableWithoutEntriesIsInMemoryWhole() throws Exception {
        int emptied = fill("emptied", TableKind.VALUE);
        deleteAll(emptied);
        fill("restored", TableKind.VALUE);
        restore();
        assertThat(fill("emptied", TableKind.VALUE)).isEqualTo(emptied);
        flush();
        assertThat(absentValues(emptied)).isZero();
    }

    @Test
    void aRestoredTableIsReadWholeOnceItWasAskedInVainAsOftenAsItHasEntries() throws Exception {
        int restored = fill("restored", TableKind.VALUE);
        int lists = fill("lists", TableKind.LIST);
        restore();
        store.delete(keys.key(restored, 3));
        store.append(keys.key(lists, 5), value, 0, VALUE_BYTES);
        absentValues(restored);
        absentValues(restored);
        absentValues(lists);
        absentValues(lists);
        assertThat(absentValues(restored)).isZero();
        assertThat(absentValues(lists)).isZero();
        assertThat(store.stats().log().tablesLoaded()).isEqualTo(2);
        for (int i = 0; i < KEYS; i++) {
            assertThat(store.get(keys.key(restored, i), read)).isEqualTo(i != 3);
            assertThat(store.get(keys.key(lists, i), read)).isTrue();
            assertThat(read.length()).isEqualTo(i == 5 ? 2 * VALUE_BYTES : VALUE_BYTES);
        }
    }

    @Test
    void aTableThatCouldNotBeReadWholeIsAskedForInItsRuns() throws Exception {
        int restored = fill("restored", TableKind.VALUE);
        restore();
        absentValues(restored);
        files.failFrom(0);
        assertThatThrownBy(() -> absentValues(restored)).isInstanceOf(DreyException.class);
        files.heal();
        for (int i = 0; i < KEYS; i++) {
            assertThat(store.get(keys.key(restored, i), read)).isTrue();
        }
    }

    @Test
    void aMapThatIsNowhereIsAskedForOnceWhereAnEntryIsReadAndThenSet() throws Exception {
        int maps = fill("maps", TableKind.MAP);
        restore();
        assertThat(absentMaps(maps)).isPositive();
        long before = filterPagesAsked();
        assertThat(store.get(keys.mapEntry(maps, KEYS, 0), read)).isFalse();
        long asked = filterPagesAsked();
        assertThat(asked).isGreaterThan(before);
        put(maps, TableKind.MAP, KEYS);
        assertThat(filterPagesAsked()).isEqualTo(asked);
        assertThat(store.get(keys.mapEntry(maps, KEYS, 0), read)).isTrue();
    }

    private void restore() throws Exception {
        StoreImage image;
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
            image = snapshot.image();
            close();
            open(List.of(image));
        }
    }

    private void deleteAll(int table) {
        for (int i = 0; i < KEYS; i++) {
            store.delete(keys.key(table, i));
        }
    }

    private int fill(String name, TableKind kind) {
        int table = store.table(name, kind);
        for (int i = 0; i < KEYS; i++) {
            put(table, kind, i);
        }
        return table;
    }

    private void put(int table, TableKind kind, int number) {
        EntryKey key = kind == TableKind.MAP ? keys.mapEntry(table, number, 0) : keys.key(table, number);
        store.put(key, value, 0, VALUE_BYTES);
    }

    private void flush() throws Exception {
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
        }
    }

    /** How often pages of filters were asked in a thousand searches for what is not there. */
    private long absentValues(int table) {
        long before = filterPagesAsked();
        for (int i = KEYS; i < 2 * KEYS; i++) {
            assertThat(store.get(keys.key(table, i), read)).isFalse();
        }
        return filterPagesAsked() - before;
    }

    private long absentMaps(int table) {
        long before = filterPagesAsked();
        for (int i = KEYS; i < 2 * KEYS; i++) {
            assertThat(store.get(keys.mapEntry(table, i, 0), read)).isFalse();
            assertThat(store.isMapEmpty(keys.key(table, i))).isTrue();
            assertThat(store.scanMap(keys.key(table, i), null).next()).isFalse();
        }
        return filterPagesAsked() - before;
    }

    private long filterPagesAsked() {
        StoreStats.Cache filters = store.stats().caches().filters();
        return filters.hits() + filters.misses();
    }
}
