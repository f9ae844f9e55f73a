package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.StepBackground;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small maps, each in one record of the log, as a caller of the store sees them. */
final class StoreInlineMapsTest {
    private static final int PAGE_BYTES = 16 << 10;
    private static final int PAGES = 256;

    /** More than an inline map has in such pages. */
    private static final int ENTRIES_OF_LINKED = 300;

    private static final int MAP = 7;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();
    private final TreeMap<Integer, byte[]> expected = new TreeMap<>();
    private final List<StoreSnapshot> snapshots = new ArrayList<>();
    private SlotMemory memory;
    private MemoryDirectory directory;
    private Store store;
    private int table;

    @BeforeEach
    void open() {
        open(new MemoryDirectory(), List.of());
    }

    private void open(MemoryDirectory files, List<StoreImage> parents) {
        memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES);
        directory = files;
        StoreSettings settings = new StoreSettings(0, 0, 512, 512, 1 << 20, 4 << 10, 8);
        store = Store.open(settings, new StoreResources(files, memory, new StepBackground()), parents);
        table = store.table("t", TableKind.MAP);
    }

    @AfterEach
    void close() {
        snapshots.forEach(StoreSnapshot::close);
        snapshots.clear();
        store.close();
        assertThat(memory.arena().freePages()).isEqualTo(memory.arena().pages());
        memory.close();
    }

    @Test
    void aSmallRestoredMapIsReadWholeOnceTwoEntriesWereAskedFor() throws Exception {
        for (int map = 0; map < 200; map++) {
            for (int entry = 0; entry < 20; entry++) {
                byte[] value = {(byte) map, (byte) entry};
                store.put(keys.mapEntry(table, map, entry), value, 0, value.length);
            }
        }
        restore();
        checkIs(MAP, 3, new byte[] {MAP, 3});
        assertThat(store.stats().log().mapsPrefetched()).isZero();
        checkIs(MAP, 8, new byte[] {MAP, 8});
        assertThat(store.stats().log().mapsPrefetched()).isEqualTo(1);
        long reads = store.stats().io().foreground().reads();
        long hits = store.stats().caches().blocks().hits();
        for (int entry = 0; entry < 20; entry++) {
            checkIs(MAP, entry, new byte[] {MAP, (byte) entry});
            assertThat(store.get(keys.mapEntry(table, MAP, 20 + entry), read)).isFalse();
        }
        assertThat(store.stats().io().foreground().reads()).isEqualTo(reads);
        assertThat(store.stats().caches().blocks().hits()).isEqualTo(hits);
        assertThat(store.stats().log().mapsPrefetched()).isEqualTo(1);
    }

    @Test
    void aLargeRestoredMapIsNotReadWholeAgainAndAgain() throws Exception {
        fill(ENTRIES_OF_LINKED, new Random(1));
        restore();
        for (int entry = 0; entry < ENTRIES_OF_LINKED; entry++) {
            checkIs(MAP, entry, expected.get(entry));
        }
        assertThat(store.stats().log().mapsPrefetched()).isZero();
        checkMap();
    }

    @Test
    void aMapThatOutgrowsItsRecordHoldsAllEntriesInOrder() throws Exception {
        Random random = new Random(2);
        fill(60, random);
        assertThat(store.stats().log().mapsLinked()).isZero();
        flush();
        fill(ENTRIES_OF_LINKED, random);
        assertThat(store.stats().log().mapsLinked()).isEqualTo(1);
        checkMap();
        flush();
        checkMap();
        restore();
        checkMap();
    }

    @Test
    void aMapOutgrowsItsRecordWhileThatIsBeingFlushed() throws Exception {
        Random random = new Random(3);
        fill(60, random);
        StoreSnapshot old = snapshot();
        TreeMap<Integer, byte[]> atOld = new TreeMap<>(expected);
        delete(0);
        fill(ENTRIES_OF_LINKED, random);
        delete(1);
        assertThat(store.stats().log().mapsLinked()).isEqualTo(1);
        checkMap();
        old.await();
        checkMap();
        restore();
        checkMap();
        assertThat(atOld).isNotEqualTo(expected);
    }

    @Test
    void changesDuringAFlushAreSeenAtOnceAndNotByTheSnapshot() throws Exception {
        for (int entries : new int[] {4, 80}) {
            fill(entries, new Random(entries));
            TreeMap<Integer, byte[]> flushed = new TreeMap<>(expected);
            StoreSnapshot snapshot = snapshot();
            put(0, new byte[] {1});
            put(1, Arrays.copyOf(new byte[] {2}, 30));
            delete(2);
            put(1000, new byte[] {3});
            checkMap();
            snapshot.await();
            checkMap();
            TreeMap<Integer, byte[]> now = new TreeMap<>(expected);
            restore(snapshot);
            expected.clear();
            expected.putAll(flushed);
            checkMap();
            assertThat(now.keySet()).isNotEqualTo(flushed.keySet());
        }
    }

    @Test
    void anEntryDeletedAfterItsFlushStaysHiddenWhenTheMapHasLeftMemory() throws Exception {
        fill(30, new Random(4));
        flush();
        delete(3);
        put(4, new byte[] {4});
        flush();
        evictAll();
        checkMap();
        restore();
        checkMap();
    }

    @Test
    void aDeletedEntryStaysHiddenWhileItsTombstoneIsStillBeingFlushed() throws Exception {
        List<StoreSnapshot> flushes = beginToFlushValueAndTombstone();
        checkMap();
        awaitAndCheck(flushes);
    }

    @Test
    void aMapClearedWhileItsTombstonesAreBeingFlushedStaysEmpty() throws Exception {
        List<StoreSnapshot> flushes = new ArrayList<>(beginToFlushValueAndTombstone());
        flushes.add(snapshot());
        clear();
        checkMap();
        awaitAndCheck(flushes);
    }

    /** A map without entries, of which a value and then its tombstone are on their way into runs. */
    private List<StoreSnapshot> beginToFlushValueAndTombstone() {
        put(1, new byte[] {1});
        StoreSnapshot value = snapshot();
        delete(1);
        StoreSnapshot tombstone = snapshot();
        put(2, new byte[] {2});
        delete(2);
        return List.of(value, tombstone);
    }

    private void awaitAndCheck(List<StoreSnapshot> flushes) throws Exception {
        for (StoreSnapshot flush : flushes) {
            flush.await();
            checkMap();
        }
    }

    @Test
    void aMapThatWasLinkedWhileItsTombstonesAreBeingFlushedStaysEmpty() throws Exception {
        put(1, new byte[] {1});
        StoreSnapshot first = snapshot();
        delete(1);
        StoreSnapshot second = snapshot();
        put(2, new byte[] {2});
        put(3, new byte[2_000]);
        assertThat(store.stats().log().mapsLinked()).isEqualTo(1);
        delete(2);
        delete(3);
        first.await();
        checkMap();
        second.await();
        checkMap();
    }

    @Test
    void anEpochInWhichAllWasTakenBackIsFlushed() throws Exception {
        fill(10, new Random(5));
        restore();
        put(100, new byte[] {1});
        delete(100);
        flush();
        checkMap();
        restore();
        checkMap();
    }

    @Test
    void aMapIsClearedAndFilledWithinAnEpochAndAcrossAFreeze() throws Exception {
        for (boolean freezes : new boolean[] {false, true}) {
            fill(20, new Random(6));
            if (freezes) {
                snapshot();
            }
            clear();
            checkMap();
            put(5, new byte[] {5});
            checkMap();
            clear();
            put(6, new byte[] {6});
            StoreSnapshot snapshot = snapshot();
            put(7, new byte[] {7});
            delete(6);
            checkMap();
            snapshot.await();
            checkMap();
            restore();
            checkMap();
        }
    }

    @Test
    void valuesChangeTheirLengthAgainAndAgain() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 3_000; i++) {
            put(random.nextInt(40), bytes(random, random.nextInt(60)));
            if (i % 500 == 0) {
                checkMap();
                snapshot();
            }
        }
        checkMap();
        restore();
        checkMap();
    }

    @Test
    void anEntryTooLargeForAInlineMapIsHeldBesideSmallOnes() throws Exception {
        fill(10, new Random(8));
        put(4, new byte[3_000]);
        checkMap();
        flush();
        delete(4);
        put(3, new byte[5_000]);
        checkMap();
        restore();
        checkMap();
    }

    @Test
    void aMapKeyTooLongForAInlineMapIsHeldBesideShortOnes() throws Exception {
        put(1, new byte[] {1});
        EntryKey key = keys.mapEntry(table, MAP, 0);
        byte[] longKey = new byte[256];
        store.put(key.mapKey(longKey, 0, 256), longKey, 0, 3);
        store.put(key.mapKey(longKey, 0, 255), longKey, 0, 2);
        assertThat(store.get(key.mapKey(longKey, 0, 256), read)).isTrue();
        assertThat(read.length()).isEqualTo(3);
        assertThat(store.get(key.mapKey(longKey, 0, 255), read)).isTrue();
        assertThat(read.length()).isEqualTo(2);
        checkIs(MAP, 1, new byte[] {1});
    }

    @Test
    void mapsOfTheSameKeyInOtherTablesDoNotMix() {
        int other = store.table("u", TableKind.MAP);
        put(1, new byte[] {1});
        store.put(keys.mapEntry(other, MAP, 1), new byte[] {2}, 0, 1);
        store.delete(keys.mapEntry(other, MAP, 1));
        checkMap();
        assertThat(store.get(keys.mapEntry(other, MAP, 1), read)).isFalse();
    }

    @Test
    void aSmallMapTakesFewBytesAnEntry() {
        int maps = 500;
        int entries = 100;
        List<Integer> order = new ArrayList<>();
        for (int entry = 0; entry < entries; entry++) {
            order.add(entry);
        }
        Collections.shuffle(order, new Random(9));
        for (int map = 0; map < maps; map++) {
            for (int entry : order) {
                store.put(keys.mapEntry(table, map, entry), new byte[8], 0, 8);
            }
        }
        assertThat(store.stats().log().mapsLinked()).isZero();
        assertThat(store.stats().jobs().flushes()).isZero();
        assertThat(store.stats().log().memoryBytes()).isLessThan(30L * maps * entries);
    }

    @Test
    void whatWasPutAndTakenBackLeavesNothingToFlush() {
        for (int entries : new int[] {1, 20, 100, ENTRIES_OF_LINKED}) {
            fill(entries, new Random(entries));
            assertThat(store.stats().log().changedBytes()).isPositive();
            for (int entry = 0; entry < entries; entry++) {
                put(entry, new byte[entry % 13]);
            }
            for (int entry = 0; entry < entries; entry++) {
                delete(entry);
            }
            assertThat(store.stats().log().changedBytes()).isZero();
            assertThat(store.stats().log().recordsDirty()).isZero();
            fill(entries, new Random(entries));
            clear();
            assertThat(store.stats().log().changedBytes()).isZero();
            assertThat(store.stats().log().recordsDirty()).isZero();
        }
    }

    @Test
    void tombstonesOfMapsThatAreNotInMemoryCountAsChanged() throws Exception {
        for (int map = 0; map < 100; map++) {
            store.put(keys.mapEntry(table, map, 1), new byte[8], 0, 8);
        }
        restore();
        for (int map = 0; map < 100; map++) {
            store.delete(keys.mapEntry(table, map, 1));
        }
        assertThat(store.stats().log().changedBytes()).isGreaterThan(100 * 8);
    }

    private void fill(int entries, Random random) {
        List<Integer> order = new ArrayList<>();
        for (int entry = 0; entry < entries; entry++) {
            order.add(entry);
        }
        Collections.shuffle(order, random);
        order.forEach(entry -> put(entry, bytes(random, 8)));
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private void put(int entry, byte[] value) {
        store.put(keys.mapEntry(table, MAP, entry), value, 0, value.length);
        expected.put(entry, value);
    }

    private void delete(int entry) {
        store.delete(keys.mapEntry(table, MAP, entry));
        expected.remove(entry);
    }

    private void clear() {
        store.clearMap(keys.key(table, MAP));
        expected.clear();
    }

    private StoreSnapshot snapshot() {
        StoreSnapshot snapshot = store.snapshot();
        snapshots.add(snapshot);
        return snapshot;
    }

    private void flush() throws Exception {
        snapshot().await();
    }

    private void restore() throws Exception {
        restore(snapshot());
    }

    /** Goes on from a snapshot with nothing in memory. */
    private void restore(StoreSnapshot from) throws Exception {
        from.await();
        MemoryDirectory copied = new MemoryDirectory();
        for (StoreImage.FileInfo file : from.files()) {
            ModelStores.copy(directory, copied, file.name());
        }
        StoreImage image = StoreImage.decode(from.image().encode());
        close();
        open(copied, List.of(image));
    }

    /** Drops what is clean from memory, by filling it with another table. */
    private void evictAll() {
        int other = store.table("other", TableKind.VALUE);
        byte[] value = new byte[100];
        for (int i = 0; i < 2 * PAGES * PAGE_BYTES / value.length; i++) {
            store.put(keys.key(other, i), value, 0, value.length);
        }
    }

    /** The map by reads of single entries, by a walk, and by whether it is empty. */
    private void checkMap() {
        for (int entry = 0; entry < ENTRIES_OF_LINKED; entry++) {
            if (!expected.containsKey(entry)) {
                assertThat(store.get(keys.mapEntry(table, MAP, entry), read))
                        .as("entry %s", entry)
                        .isFalse();
            }
        }
        for (Map.Entry<Integer, byte[]> entry : expected.entrySet()) {
            checkIs(MAP, entry.getKey(), entry.getValue());
        }
        assertThat(store.isMapEmpty(keys.key(table, MAP))).isEqualTo(expected.isEmpty());
        MapScan scan = store.scanMap(keys.key(table, MAP), null);
        for (Map.Entry<Integer, byte[]> entry : expected.entrySet()) {
            assertThat(scan.next()).isTrue();
            assertThat(ByteBuffer.wrap(scan.bytes()).getInt(scan.keyOffset())).isEqualTo(entry.getKey());
            assertThat(Arrays.copyOfRange(scan.bytes(), scan.valueOffset(), scan.valueOffset() + scan.valueLength()))
                    .isEqualTo(entry.getValue());
        }
        assertThat(scan.next()).isFalse();
    }

    private void checkIs(int map, int entry, byte[] value) {
        assertThat(store.get(keys.mapEntry(table, map, entry), read))
                .as("entry %s", entry)
                .isTrue();
        assertThat(read.toArray()).as("entry %s", entry).isEqualTo(value);
    }
}
