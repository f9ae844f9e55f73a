package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.compaction.MergingCursor;
import io.drey.store.entry.EntryKind;
import io.drey.store.entry.TableKind;
import io.drey.store.flush.SingleCursor;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.run.RunMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads of what is large in runs take memory and time while they last, and no more than they need. */
final class StoreLargeReadsTest {
    private static final int ENTRIES = 20_000;
    private static final int MAP = 7;
    private static final int LARGE_BYTES = 5 << 20;

    private final StoreSettings settings = new StoreSettings(0, 0, 4 << 10, 4 << 10, 1 << 20, 16 << 10, 8);
    private final MemoryDirectory directory = new MemoryDirectory();
    private final NumberedKeys keys = new NumberedKeys();
    private final StepBackground background = new StepBackground();
    private final SlotMemory memory = new SlotMemory(1 << 20, 4 << 10);
    private final Bytes read = new Bytes();
    private Store store;

    @BeforeEach
    void open() {
        store = Store.open(settings, new StoreResources(directory, memory, background), List.of());
    }

    @AfterEach
    void close() {
        store.close();
        memory.close();
    }

    /** Everything into runs, and all of these into the last level. */
    private void flush() throws InterruptedException {
        try (StoreSnapshot snapshot = store.snapshot()) {
            while (background.step()) {
                continue;
            }
            snapshot.await();
        }
        while (background.step()) {
            store.stats();
        }
    }

    private static byte[] random(int seed, int bytes) {
        byte[] value = new byte[bytes];
        new Random(seed).nextBytes(value);
        return value;
    }

    @Test
    void whatAReadOfALargeValueBorrowsIsGivenBack() throws InterruptedException {
        int table = store.table("values", TableKind.VALUE);
        byte[] large = random(0, LARGE_BYTES);
        store.put(keys.key(table, MAP), large, 0, large.length);
        flush();
        assertThat(store.get(keys.key(table, MAP), read)).isTrue();
        assertThat(read.toArray()).isEqualTo(large);
        assertThat(memory.overdraft().bytes()).isZero();
    }

    @Test
    void whatAReadOfALongListBorrowsIsGivenBack() throws InterruptedException {
        int table = store.table("lists", TableKind.LIST);
        byte[] part = random(0, LARGE_BYTES);
        store.append(keys.key(table, MAP), part, 0, part.length);
        flush();
        assertThat(store.get(keys.key(table, MAP), read)).isTrue();
        assertThat(read.toArray()).isEqualTo(part);
        assertThat(memory.overdraft().bytes()).isZero();
    }

    @Test
    void whatAWalkOverALargeMapEntryBorrowsIsGivenBack() throws InterruptedException {
        int table = store.table("maps", TableKind.MAP);
        byte[] large = random(0, LARGE_BYTES);
        store.put(keys.mapEntry(table, MAP, 1), large, 0, large.length);
        flush();
        assertThat(store.isMapEmpty(keys.key(table, MAP))).isFalse();
        assertThat(memory.overdraft().bytes()).as("after the question").isZero();
        MapScan scan = store.scanMap(keys.key(table, MAP), null);
        while (scan.next()) {
            assertThat(scan.valueLength()).isEqualTo(LARGE_BYTES);
        }
        assertThat(memory.overdraft().bytes()).isZero();
    }

    /** It is written at once: what follows it may be small. */
    @Test
    void whatACompactionPutTogetherIsGivenBackWhenItGoesOn() throws Exception {
        RunMemory runs = new RunMemory(memory.arena(), memory.overdraft());
        byte[] part = random(0, LARGE_BYTES);
        byte[] small = random(1, 10);
        try (MergingCursor merged = new MergingCursor(runs)) {
            merged.begin(true);
            for (int i = 0; i < 2; i++) {
                merged.addOlder(new SingleCursor(keys.key(0, MAP), EntryKind.APPEND, part, 0, part.length, runs));
            }
            merged.addOlder(
                    new SingleCursor(new NumberedKeys().key(1, MAP), EntryKind.VALUE, small, 0, small.length, runs));
            long parts = memory.overdraft().bytes();
            assertThat(merged.next()).isTrue();
            assertThat(merged.valueLength()).isEqualTo(2 * LARGE_BYTES);
            assertThat(merged.next()).isTrue();
            assertThat(merged.valueLength()).isEqualTo(10);
            assertThat(memory.overdraft().bytes()).isEqualTo(parts);
        }
    }

    @Test
    void aMapThatWasClearedIsNotWalkedThrough() throws Exception {
        int maps = store.table("maps", TableKind.MAP);
        for (int entry = 0; entry < 5 * ENTRIES; entry++) {
            store.put(keys.mapEntry(maps, MAP, entry), random(entry, 100), 0, 100);
        }
        flush();
        store.clearMap(keys.key(maps, MAP));
        try (StoreSnapshot snapshot = store.snapshot();
                SlotMemory others = new SlotMemory(1 << 20, 4 << 10)) {
            snapshot.await();
            MemoryDirectory copy = new MemoryDirectory();
            for (String name : directory.list()) {
                ModelStores.copy(directory, copy, name);
            }
            StoreResources resources = new StoreResources(copy, others, new StepBackground());
            try (Store restored = Store.open(settings, resources, List.of(snapshot.image()))) {
                assertThat(restored.stats().runs().levels().bytes()).isGreaterThan(ENTRIES * 100L);
                assertThat(restored.isMapEmpty(keys.key(maps, MAP))).isTrue();
                assertThat(restored.isMapEmpty(keys.key(maps, MAP))).isTrue();
                assertThat(restored.stats().io().foreground().bytesRead()).isLessThan(100 << 10);
            }
        }
    }
}
