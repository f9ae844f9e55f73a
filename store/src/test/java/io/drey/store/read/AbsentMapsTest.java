package io.drey.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.entry.EntryKey;
import org.junit.jupiter.api.Test;

/** What is remembered of maps that are nowhere in the runs. */
class AbsentMapsTest {
    private static final int TABLE = 3;
    private static final byte[] NOTHING = {};

    private final AbsentMaps absent = new AbsentMaps();

    private static EntryKey entry(int table, int key, int mapKey) {
        byte[] keyBytes = {(byte) key, (byte) (key >> 8)};
        byte[] mapKeyBytes = {(byte) mapKey};
        return new EntryKey()
                .row(table, key & 0x7f, keyBytes, keyBytes.length, NOTHING, 0)
                .mapKey(mapKeyBytes, 0, mapKeyBytes.length);
    }

    @Test
    void aMapThatIsNowhereIsKnownForAllItsEntriesUntilTheRunsChange() {
        absent.answered(entry(TABLE, 7, 1), false);
        assertThat(absent.isAbsent(entry(TABLE, 7, 1))).isTrue();
        assertThat(absent.isAbsent(entry(TABLE, 7, 2))).isTrue();
        assertThat(absent.isAbsent(entry(TABLE, 7, 2).rowEntry())).isTrue();
        assertThat(absent.isAbsent(entry(TABLE, 8, 1))).isFalse();
        assertThat(absent.isAbsent(entry(TABLE + 1, 7, 1))).isFalse();
        absent.forget();
        assertThat(absent.isAbsent(entry(TABLE, 7, 1))).isFalse();
    }

    @Test
    void aMapThatMayBeThereIsNotTakenForAbsent() {
        absent.answered(entry(TABLE, 7, 1), true);
        assertThat(absent.isAbsent(entry(TABLE, 7, 1))).isFalse();
    }
}
