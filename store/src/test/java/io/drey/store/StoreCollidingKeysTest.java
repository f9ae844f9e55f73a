package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.local.LocalDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.ThreadBackground;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys that somebody made to collide: all 64 bits of the hash by which runs are ordered are equal, which is known to
 * everyone. Nothing that they go through may take the square of their number.
 */
final class StoreCollidingKeysTest {
    private static final int KEYS = 1_000_000;
    private static final long WAIT_NANOS_MAX = 60_000_000_000L;
    private static final int SNAPSHOTS = 10;
    private static final int PAGE_BYTES = 32 << 10;
    private static final int MEMORY_BYTES = 64 << 20;

    /**
     * The constant with which the public hash mixes the first half of each 16 bytes: where those are the constant, all
     * that stood before them is multiplied with 0.
     */
    private static final long S1 = 0x8bb84b93962eacc9L;

    /** A byte for the length of the key stands before it, so that the constant is at byte 16 of what is hashed. */
    private static final int CONSTANT_AT = 15;

    private static final int KEY_BYTES = 39;

    private final byte[] keyArray = new byte[KEY_BYTES];
    private final ByteBuffer keyBuffer = ByteBuffer.wrap(keyArray).order(ByteOrder.LITTLE_ENDIAN);
    private final EntryKey key = new EntryKey();
    private final byte[] none = {};
    private final byte[] value = new byte[Integer.BYTES];
    private final Bytes read = new Bytes();

    private EntryKey key(int table, int number) {
        keyBuffer.putInt(3, number).putLong(CONSTANT_AT, S1);
        return key.row(table, 0, keyArray, KEY_BYTES, none, 0);
    }

    @Test
    void aMillionCollidingKeysArePutReadAndDeleted(@TempDir Path folder) throws Exception {
        try (SlotMemory memory = new SlotMemory(MEMORY_BYTES, PAGE_BYTES);
                ThreadBackground background = new ThreadBackground(2)) {
            StoreResources resources = new StoreResources(LocalDirectory.at(folder), memory, background);
            try (Store store = Store.open(StoreSettings.of(0, 0), resources, List.of())) {
                int table = store.table("values", TableKind.VALUE);
                assertThat(key(table, 1).rowHash()).isEqualTo(key(table, KEYS).rowHash());
                for (int number = 0; number < KEYS; number++) {
                    ByteBuffer.wrap(value).putInt(number);
                    store.put(key(table, number), value, 0, Integer.BYTES);
                    if (number % (KEYS / SNAPSHOTS) == 0) {
                        store.snapshot().close();
                    }
                }
                for (int number = 0; number < KEYS; number += 3) {
                    store.delete(key(table, number));
                }
                for (int number = 0; number < KEYS + 1000; number += 23) {
                    boolean isThere = number < KEYS && number % 3 != 0;
                    assertThat(store.get(key(table, number), read)).isEqualTo(isThere);
                    assertThat(!isThere
                                    || number == ByteBuffer.wrap(read.array()).getInt())
                            .isTrue();
                }
                long end = System.nanoTime() + WAIT_NANOS_MAX;
                while (store.stats().jobs().compactions() == 0 && System.nanoTime() < end) {
                    // What background threads have done is the store's once it is used again.
                    Thread.sleep(10);
                    store.get(key(table, 1), read);
                }
                assertThat(store.stats().jobs().compactions()).isPositive();
            }
        }
    }
}
