package io.drey.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.entry.EntryKey;
import org.junit.jupiter.api.Test;

/** What is remembered, and learned, of maps that are nowhere in the runs. */
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
        absent.answeredFirst(entry(TABLE, 8, 1), true);
        assertThat(absent.isAbsent(entry(TABLE, 8, 1))).isFalse();
    }

    @Test
    void mapsAreAskedFirstWhereEntriesThatAreNotThereAreOfAbsentMapsAndSetNext() {
        assertThat(absent.isAskedFirst(TABLE)).isFalse();
        missAndSet(7, false);
        assertThat(absent.isAskedFirst(TABLE)).isTrue();
        assertThat(absent.isAskedFirst(TABLE + 1)).isFalse();
        assertThat(absent.isAskedFirst(1_000)).isFalse();
    }

    @Test
    void mapsAreNotAskedFirstWhereEntriesThatAreNotThereAreOfOtherMaps() {
        for (int key = 0; key < 100; key++) {
            missAndSet(key, true);
        }
        for (int key = 0; key < 3; key++) {
            missAndSet(key, false);
        }
        assertThat(absent.isAskedFirst(TABLE)).isFalse();
    }

    @Test
    void mapsAreNoLongerAskedFirstOnceThatMostlyFindsThem() {
        for (int key = 0; key < 100; key++) {
            missAndSet(key, false);
        }
        int asked = 0;
        while (absent.isAskedFirst(TABLE)) {
            absent.answeredFirst(entry(TABLE, asked++, 1), true);
        }
        assertThat(asked).isBetween(2, 100);
    }

    @Test
    void mapsThatAreAskedForWithoutAnEntryBeforeTeachNothing() {
        for (int key = 0; key < 100; key++) {
            absent.answered(entry(TABLE, key, 1), false);
        }
        assertThat(absent.isAskedFirst(TABLE)).isFalse();
    }

    private void missAndSet(int key, boolean isMapThere) {
        absent.missed(entry(TABLE, key, 1));
        absent.answered(entry(TABLE, key, 1), isMapThere);
    }
}
