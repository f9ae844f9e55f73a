package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.disks.DiskSet;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is read again and again is read from memory, although the state is much larger. */
final class StoreRecordCacheTest {
    private static final int KEYS = 40_000;
    private static final int HOT = 80;
    private static final int TOO_LARGE_BYTES = 600 << 10;
    private static final int VALUE_BYTES = 60;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();

    @Test
    void hotValuesStayInMemoryWhileColdOnesPass() throws Exception {
        readsHotAmongCold(TableKind.VALUE);
    }

    @Test
    void hotEntriesOfMapsStayInMemoryWhileColdOnesPass() throws Exception {
        readsHotAmongCold(TableKind.MAP);
    }

    @Test
    void aValueThatIsSetAfterItWasReadIsNotKeptBefore() throws Exception {
        for (TableKind kind : new TableKind[] {TableKind.VALUE, TableKind.MAP}) {
            withFlushed(kind, (store, table) -> {
                byte[] value = new byte[VALUE_BYTES];
                for (int i = 0; i < KEYS; i += 10) {
                    assertThat(store.get(key(kind, table, i), read)).isTrue();
                    value[0] = (byte) (i + 1);
                    store.put(key(kind, table, i), value, 0, value.length);
                }
                assertThat(store.stats().log().recordsKept()).isZero();
                for (int i = 0; i < KEYS; i += 10) {
                    checkIs(store, key(kind, table, i), (byte) (i + 1));
                }
            });
        }
    }

    @Test
    void aValueThatWasReadIsKeptByTheNextOperationWhateverItIs() throws Exception {
        for (TableKind kind : new TableKind[] {TableKind.VALUE, TableKind.MAP}) {
            withFlushed(kind, (store, table) -> {
                checkIs(store, key(kind, table, 10), (byte) 10);
                store.put(key(kind, table, 500), new byte[] {1}, 0, 1);
                assertThat(store.stats().log().recordsKept()).isEqualTo(1);
                checkIs(store, key(kind, table, 1000), (byte) 1000);
                store.delete(key(kind, table, 1000));
                assertThat(store.stats().log().recordsKept()).isEqualTo(2);
                assertThat(store.get(key(kind, table, 1000), read)).isFalse();
                checkIs(store, key(kind, table, 10), (byte) 10);
            });
        }
    }

    @Test
    void aValueThatWasReadDoesNotComeBackWhenItsMapIsClearedNext() throws Exception {
        withFlushed(TableKind.MAP, (store, table) -> {
            checkIs(store, key(TableKind.MAP, table, 10), (byte) 10);
            store.clearMap(key(TableKind.MAP, table, 10));
            assertThat(store.get(key(TableKind.MAP, table, 10), read)).isFalse();
            checkIs(store, key(TableKind.MAP, table, 1000), (byte) 1000);
            store.snapshot().close();
            assertThat(store.stats().log().recordsKept()).isEqualTo(2);
            checkIs(store, key(TableKind.MAP, table, 1000), (byte) 1000);
            assertThat(store.isMapEmpty(key(TableKind.MAP, table, 10))).isTrue();
        });
    }

    @Test
    void aValueThatWasReadDoesNotComeBackWhenOneTooLargeForMemoryTakesItsPlace() throws Exception {
        for (TableKind kind : new TableKind[] {TableKind.VALUE, TableKind.MAP}) {
            withFlushed(kind, (store, table) -> {
                checkIs(store, key(kind, table, 10), (byte) 10);
                store.put(key(kind, table, 10), new byte[TOO_LARGE_BYTES], 0, TOO_LARGE_BYTES);
                assertThat(store.stats().io().foreground().writes()).isPositive();
                assertThat(store.get(key(kind, table, 10), read)).isTrue();
                assertThat(read.length()).isEqualTo(TOO_LARGE_BYTES);
                checkIs(store, key(kind, table, 1000), (byte) 1000);
            });
        }
    }

    @Test
    void aListThatWasReadAndIsAppendedToNextIsWhole() throws Exception {
        withFlushed(TableKind.LIST, (store, table) -> {
            checkIs(store, key(TableKind.LIST, table, 10), (byte) 10);
            store.append(key(TableKind.LIST, table, 10), new byte[] {77}, 0, 1);
            checkIs(store, key(TableKind.LIST, table, 10), (byte) 10);
            assertThat(read.length()).isEqualTo(VALUE_BYTES + 1);
            assertThat(read.array()[VALUE_BYTES]).isEqualTo((byte) 77);
        });
    }

    private interface Use {
        void of(Store store, int table) throws Exception;
    }

    /** A store of {@link #KEYS} values in runs, and nothing in memory. */
    private void withFlushed(TableKind kind, Use use) throws Exception {
        StoreSettings settings = new StoreSettings(0, 0, 512, 512, 1 << 20, 4 << 10, 4);
        MemoryDirectory directory = new MemoryDirectory();
        StoreImage image;
        try (SlotMemory memory = new SlotMemory(1 << 20, 4 << 10)) {
            StoreResources resources = new StoreResources(directory, memory, new StepBackground());
            try (Store store = Store.open(settings, resources, List.of())) {
                fill(store, store.table("t", kind), kind);
                StoreSnapshot flushed = store.snapshot();
                flushed.await();
                image = flushed.image();
            }
        }
        try (SlotMemory memory = new SlotMemory(1 << 20, 4 << 10)) {
            StoreResources resources = new StoreResources(directory, memory, new StepBackground());
            try (Store store = Store.open(settings, resources, List.of(image))) {
                use.of(store, store.table("t", kind));
            }
        }
    }

    private void fill(Store store, int table, TableKind kind) {
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < KEYS; i++) {
            value[0] = (byte) i;
            store.put(key(kind, table, i), value, 0, value.length);
        }
    }

    private void checkIs(Store store, EntryKey key, byte first) {
        assertThat(store.get(key, read)).isTrue();
        assertThat(read.array()[0]).isEqualTo(first);
    }

    private void readsHotAmongCold(TableKind kind) throws Exception {
        DiskSet disks = new DiskSet(List.of(new MemoryDirectory()), 0, System::nanoTime);
        try (SlotMemory memory = new SlotMemory(1 << 20, 4 << 10)) {
            StoreResources resources = new StoreResources(disks, memory, new StepBackground());
            StoreSettings settings = new StoreSettings(0, 0, 512, 512, 1 << 20, 4 << 10, 4);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", kind);
                fill(store, table, kind);
                try (StoreSnapshot flushed = store.snapshot()) {
                    flushed.await();
                }
                Random random = new Random(1);
                long coldReads = 0;
                long hotReads = 0;
                for (int i = 0; i < 30_000; i++) {
                    boolean hot = i % 2 == 0;
                    // Hot ones are spread, so that each is in a block of its own.
                    int number = hot ? random.nextInt(HOT) * (KEYS / HOT) : random.nextInt(KEYS);
                    long before = reads(disks);
                    assertThat(store.get(key(kind, table, number), read)).isTrue();
                    assertThat(read.array()[0]).isEqualTo((byte) number);
                    if (i > 10_000) {
                        hotReads += hot ? reads(disks) - before : 0;
                        coldReads += hot ? 0 : reads(disks) - before;
                    }
                }
                assertThat(coldReads).isGreaterThan(5_000);
                assertThat(hotReads).isLessThan(coldReads / 20);
            }
        }
    }

    private EntryKey key(TableKind kind, int table, int number) {
        return kind == TableKind.MAP ? keys.mapEntry(table, number / 20, number) : keys.key(table, number);
    }

    private static long reads(DiskSet disks) {
        return disks.stats().get(0).reads();
    }
}
