package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drey.files.Directory;
import io.drey.files.local.LocalDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.Hash;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.ThreadBackground;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State many times the memory of its store, with real threads and files: right, and inside that memory. */
final class StoreLargeStateTest {
    private static final int PAGE_BYTES = 16 << 10;
    private static final int MEMORY_BYTES = 4 << 20;

    /** What a job under way may have borrowed for a moment while all pages are taken. */
    private static final int BORROWED_BYTES_MAX = MEMORY_BYTES / 8;

    private static final int KEYS = 120_000;
    private static final int VALUE_BYTES = 640;

    /** 20 times the memory of the larger test, less what compression and overwriting may take away. */
    private static final long BYTES_MIN_PER_KEY = 20L * MEMORY_BYTES * 2 / 3 / KEYS;

    private static final int MAP_ENTRIES = 10;

    private final EntryKey key = new EntryKey();
    private final Bytes keyBytes = new Bytes();
    private final Bytes none = new Bytes();
    private final byte[] value = new byte[VALUE_BYTES];
    private final Bytes read = new Bytes();

    @Test
    void stateOfTwentyTimesTheMemoryIsKeptInsideIt(@TempDir Path folder) throws Exception {
        keepsLargeStateIn(LocalDirectory.at(folder), KEYS);
        assertThat(folder).isEmptyDirectory();
    }

    /** A tenth of it, as every read that the store does not answer from its own memory is one of the disk. */
    @Test
    void soItIsPastThePageCache(@TempDir Path folder) throws Exception {
        LocalDirectory directory = null;
        try {
            directory = LocalDirectory.direct(folder);
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
        }
        keepsLargeStateIn(directory, KEYS / 10);
        assertThat(folder).isEmptyDirectory();
    }

    private void keepsLargeStateIn(Directory directory, int keys) throws Exception {
        try (SlotMemory memory = new SlotMemory(MEMORY_BYTES, PAGE_BYTES);
                ThreadBackground background = new ThreadBackground(2)) {
            StoreResources resources = new StoreResources(directory, memory, background);
            try (Store store = Store.open(StoreSettings.of(0, 127), resources, List.of())) {
                int values = store.table("values", TableKind.VALUE);
                int maps = store.table("maps", TableKind.MAP);
                for (int i = 0; i < keys; i++) {
                    putValue(store, values, i, 0);
                    putMapEntry(store, maps, i);
                    if (i % (keys / 6) == keys / 6 - 1) {
                        store.snapshot().close();
                    }
                }
                for (int i = 0; i < keys; i += 3) {
                    putValue(store, values, i, 1);
                }
                check(store, values, maps, keys);
                assertThat(store.stats().localBytes()).isGreaterThan(BYTES_MIN_PER_KEY * keys);
                assertThat(memory.overdraft().bytes()).isLessThan(BORROWED_BYTES_MAX);
                assertThat(memory.arena().freePages()).isLessThan(memory.arena().pages());
            }
            assertThat(memory.arena().freePages()).isEqualTo(memory.arena().pages());
            assertThat(memory.overdraft().bytes()).isZero();
        }
    }

    private void address(int table, int i) {
        keyBytes.clear();
        keyBytes.append(ByteBuffer.allocate(8).putLong(Hash.mix(i, 77)).array(), 0, 8);
        key.row(table, i & 127, keyBytes, none);
    }

    /** Fills the value of a key in a generation: noise that does not compress. */
    private void fill(int i, int generation) {
        ByteBuffer into = ByteBuffer.wrap(value);
        for (long word = 0; into.remaining() >= 8; word++) {
            into.putLong(Hash.mix(i * 31L + generation + 1, word * 0x9E3779B97F4A7C15L + 12345));
        }
    }

    private void putValue(Store store, int table, int i, int generation) {
        address(table, i);
        fill(i, generation);
        store.put(key, value, 0, VALUE_BYTES);
    }

    private void putMapEntry(Store store, int table, int i) {
        address(table, i / MAP_ENTRIES);
        byte[] mapKey = {(byte) (i % MAP_ENTRIES)};
        fill(i, 7);
        store.put(key.mapKey(mapKey, 0, 1), value, 0, 100);
    }

    private void check(Store store, int values, int maps, int keys) {
        for (int i = 0; i < keys; i++) {
            address(values, i);
            assertThat(store.get(key, read)).isTrue();
            fill(i, i % 3 == 0 ? 1 : 0);
            assertThat(read.toArray()).isEqualTo(value);
            address(values, i + keys);
            assertThat(store.get(key, read)).isFalse();
        }
        for (int row = 0; row < keys / MAP_ENTRIES; row += 7) {
            address(maps, row);
            MapScan scan = store.scanMap(key, null);
            for (int entry = 0; entry < MAP_ENTRIES; entry++) {
                assertThat(scan.next()).isTrue();
                assertThat(scan.bytes()[scan.keyOffset()]).isEqualTo((byte) entry);
            }
            assertThat(scan.next()).isFalse();
        }
    }
}
