package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.file.FileHeader;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.stats.StoreStats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Large values: written once, moved only out of logs of mostly garbage, deleted by the file. */
final class StoreValueLogTest {
    private static final int KEYS = 300;
    private static final int VALUE_BYTES = 500;
    private static final int KEY_GROUPS = 4;
    private static final int FLUSHES = 1_200;
    private static final int STEPS_MAX = 100_000;
    private static final int SMALL_MAX = 256;
    private static final int SMALL_PER_RUN = 8;

    /** A key without a value: asking for it installs what jobs have made. */
    private static final int NOBODY = 10 * KEYS;

    private final MemoryDirectory directory = new MemoryDirectory();
    private final StepBackground background = new StepBackground();
    private final SlotMemory memory = new SlotMemory(256L * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
    private final EntryKey key = new EntryKey();
    private final Bytes read = new Bytes();
    private final int[] generations = new int[KEYS];
    private Store store;
    private int table;

    @BeforeEach
    void open() {
        open(ModelStores.separating(0, KEY_GROUPS - 1));
    }

    private void open(StoreSettings settings) {
        store = Store.open(settings, new StoreResources(directory, memory, background), List.of());
        table = store.table("values", TableKind.VALUE);
    }

    @AfterEach
    void nothingIsLeft() {
        store.close();
        assertThat(directory.list()).isEmpty();
        assertThat(directory.openFiles()).isZero();
        assertThat(memory.arena().freePages()).isEqualTo(memory.arena().pages());
        memory.close();
    }

    private EntryKey key(int i) {
        Bytes bytes = new Bytes();
        byte[] name = ("key" + i).getBytes(StandardCharsets.UTF_8);
        bytes.append(name, 0, name.length);
        return key.row(table, i % KEY_GROUPS, bytes, new Bytes());
    }

    private static byte[] value(int i, int generation) {
        byte[] value = new byte[VALUE_BYTES];
        new Random(i * 1000L + generation).nextBytes(value);
        return value;
    }

    private void put(int i) {
        store.put(key(i), value(i, ++generations[i]), 0, VALUE_BYTES);
    }

    private void check(int i) {
        assertThat(store.get(key(i), read)).isTrue();
        assertThat(read.toArray()).isEqualTo(value(i, generations[i]));
    }

    /** Does all jobs, and those that follow from them. */
    private void settle() {
        store.snapshot().close();
        int steps = 0;
        do {
            while (background.step()) {
                assertThat(++steps).isLessThan(STEPS_MAX);
            }
            store.get(key(NOBODY), read);
        } while (background.pending() > 0);
    }

    @Test
    void manyFlushesWithFewValuesLeaveFewLogs() throws IOException {
        for (int i = 0; i < FLUSHES; i++) {
            store.put(key(KEYS + i), value(i, 0), 0, VALUE_BYTES);
            settle();
            assertThat(smallLogs())
                    .isLessThanOrEqualTo(
                            SMALL_MAX + SMALL_PER_RUN * store.stats().runs().count());
        }
        // Logs of two values are large here: most hold more.
        assertThat(logs()).hasSizeLessThan(FLUSHES * 3 / 4);
        for (int i = 0; i < FLUSHES; i++) {
            assertThat(store.get(key(KEYS + i), read)).isTrue();
            assertThat(read.toArray()).isEqualTo(value(i, 0));
        }
    }

    /** Quiet nights and busy days. Which logs are the smallest changes with each view that is written anew. */
    @Test
    void joiningSmallLogsOfUnequalSizesComesToAnEnd() {
        store.close();
        open(ModelStores.separating(0, KEY_GROUPS - 1, 12 * ModelStores.RUN_BYTES_MAX));
        Random random = new Random(3);
        for (int flush = 0; flush < FLUSHES * 3 / 4; flush++) {
            byte[] bytes = new byte[flush % 100 < 47 ? 10 : 200 + random.nextInt(50)];
            random.nextBytes(bytes);
            for (int i = 0; i < 16; i++) {
                store.put(key(random.nextInt(1 << 30)), bytes, 0, bytes.length);
            }
            settle();
        }
    }

    private int smallLogs() throws IOException {
        int small = 0;
        for (String name : logs()) {
            small += directory.content(name).length < ModelStores.RUN_BYTES_MAX / 2 ? 1 : 0;
        }
        return small;
    }

    private List<String> logs() {
        return directory.list().stream()
                .filter(name -> name.endsWith(".values"))
                .toList();
    }

    @Test
    void deadValuesTakeNoMoreThanTheirShareOfTheDisk() {
        Random random = new Random(1);
        for (int i = 0; i < 20 * KEYS; i++) {
            put(random.nextInt(KEYS));
            background.step();
        }
        settle();
        StoreStats stats = store.stats();
        assertThat(stats.values().separated()).isGreaterThan(KEYS);
        assertThat(stats.values().bytesRelocated()).isPositive();
        assertThat(stats.values().logsDropped()).isPositive();
        assertThat((double) stats.values().logBytes())
                .isLessThan(1.5 * stats.values().logBytesLive());
        for (int i = 0; i < KEYS; i++) {
            if (generations[i] > 0) {
                check(i);
            }
        }
    }

    @Test
    void valuesThatDieTogetherGoWithoutBeingReadOrWritten() {
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < KEYS; i++) {
                put(i);
            }
            for (int i = 0; i < KEYS; i++) {
                store.delete(key(i));
            }
            settle();
        }
        StoreStats stats = store.stats();
        assertThat(stats.values().separated()).isPositive();
        assertThat(stats.values().logsDropped()).isPositive();
        assertThat(stats.values().bytesRelocated()).isLessThan(stats.values().separated() * VALUE_BYTES / 4);
    }

    @Test
    void compactionsDoNotReadValues() throws Exception {
        for (int i = 0; i < KEYS; i++) {
            put(i);
        }
        store.snapshot().close();
        while (background.step()) {
            // Flushes and compactions.
        }
        store.get(key(NOBODY), read);
        damageAllValues();
        long compactions = store.stats().jobs().compactions();
        for (int i = 0; i < KEYS; i++) {
            store.delete(key(KEYS + i));
            byte[] small = {1, 2, 3};
            store.put(key(2 * KEYS + i), small, 0, small.length);
            if (i % 20 == 0) {
                settle();
            }
        }
        assertThat(store.stats().jobs().compactions()).isGreaterThan(compactions);
    }

    private void damageAllValues() throws IOException {
        for (String name : logs()) {
            for (long bit = FileHeader.BYTES * 8; bit < directory.content(name).length * 8L; bit += 64) {
                directory.flip(name, bit);
            }
        }
    }

    @Test
    void aDamagedValueIsReported() throws Exception {
        fillBeyondMemory();
        damageAllValues();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < KEYS; i++) {
                        store.get(key(i), read);
                    }
                })
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining(".values");
    }

    private void fillBeyondMemory() {
        for (int i = 0; i < KEYS; i++) {
            put(i);
            background.step();
        }
        settle();
        assertThat(logs()).isNotEmpty();
    }

    @Test
    void aSnapshotKeepsLogsThatRelocationDrops() throws Exception {
        fillBeyondMemory();
        StoreSnapshot snapshot = store.snapshot();
        snapshot.await();
        int[] then = generations.clone();
        List<String> pinned = snapshot.files().stream()
                .map(StoreImage.FileInfo::name)
                .filter(name -> name.endsWith(".values"))
                .toList();
        assertThat(pinned).isNotEmpty();
        Random random = new Random(2);
        for (int i = 0; i < 10 * KEYS; i++) {
            put(random.nextInt(KEYS));
            background.step();
        }
        settle();
        assertThat(store.stats().values().bytesRelocated()).isPositive();
        assertThat(logs()).containsAll(pinned);
        assertThat(valuesIn(snapshot, then)).isEqualTo(KEYS);
        snapshot.close();
        assertThat(logs()).doesNotContainAnyElementsOf(pinned.subList(0, 1));
    }

    /** How many values the snapshot holds, each of which must be one of that time. */
    private int valuesIn(StoreSnapshot snapshot, int[] then) {
        int count = 0;
        for (int keyGroup = 0; keyGroup < KEY_GROUPS; keyGroup++) {
            try (EntryCursor entries = snapshot.scan(table, keyGroup, keyGroup)) {
                while (entries.next()) {
                    byte[] found = new byte[entries.valueLength()];
                    Memory.copy(entries.valueAddress(), found, 0, found.length);
                    boolean known = false;
                    for (int i = keyGroup; i < KEYS && !known; i += KEY_GROUPS) {
                        known = Arrays.equals(found, value(i, then[i]));
                    }
                    assertThat(known).isTrue();
                    count++;
                }
            }
        }
        return count;
    }
}
