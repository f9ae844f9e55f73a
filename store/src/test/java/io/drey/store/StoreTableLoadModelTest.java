package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Small tables that are read back into memory whole, again and again, against plain collections: amid writes, deletions,
 * flushes, compactions, restores and times when memory is short.
 */
@Tag(Effort.TAG)
final class StoreTableLoadModelTest {
    private static final long OPERATIONS = 400_000;
    private static final int OPERATIONS_PER_CASE = 4_000;
    private static final int PAGES = 300;

    /** Of which at most a third is there. */
    private static final int KEYS = 240;

    private static final int FILLED = 900;

    @Test
    void tablesThatComeAndGoHoldWhatWasPut() {
        long[] loaded = new long[1];
        long done = Seeds.operations(OPERATIONS, seed -> new Case(seed, loaded).run());
        assertThat(done).isGreaterThanOrEqualTo(OPERATIONS_PER_CASE);
        if (done >= OPERATIONS) {
            assertThat(loaded[0]).isGreaterThan(OPERATIONS / OPERATIONS_PER_CASE);
        }
    }

    private static final class Case {
        private final Random random;
        private final long[] loaded;
        private final NumberedKeys keys = new NumberedKeys();
        private final Bytes read = new Bytes();
        private final MemoryDirectory remote = new MemoryDirectory();
        private final StepBackground background = new StepBackground();
        private Map<Integer, byte[]> values = new HashMap<>();
        private Map<Integer, byte[]> lists = new HashMap<>();
        private Map<Integer, byte[]> valuesThen = new HashMap<>();
        private Map<Integer, byte[]> listsThen = new HashMap<>();
        private List<StoreImage> parents = List.of();
        private MemoryDirectory local;
        private SlotMemory memory;
        private Store store;
        private int valueTable;
        private int listTable;

        Case(long seed, long[] loaded) {
            this.random = new Random(seed);
            this.loaded = loaded;
        }

        long run() throws Exception {
            open();
            for (int i = 0; i < OPERATIONS_PER_CASE; i++) {
                step();
            }
            checkAll();
            close();
            return OPERATIONS_PER_CASE;
        }

        private void open() throws Exception {
            memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
            local = new MemoryDirectory();
            for (StoreImage parent : parents) {
                for (StoreImage.FileInfo file : parent.files()) {
                    ModelStores.copy(remote, local, file.name());
                }
            }
            store = Store.open(
                    ModelStores.settings(0, 3),
                    new StoreResources(local, memory, background, ModelStores.ids(random.nextLong())),
                    parents);
            valueTable = store.table("values", TableKind.VALUE);
            listTable = store.table("lists", TableKind.LIST);
        }

        private void close() {
            loaded[0] += store.stats().log().tablesLoaded();
            store.close();
            assertThat(memory.arena().freePages()).isEqualTo(PAGES);
            memory.close();
        }

        private void step() throws Exception {
            int choice = random.nextInt(2000);
            int number = random.nextInt(KEYS);
            if (choice < 1200) {
                check(value(number), values.get(number));
                check(list(number), lists.get(number));
            } else if (choice < 1400) {
                change(number % (KEYS / 3));
            } else if (choice < 1980) {
                background.step();
            } else if (choice < 1990) {
                snapshot();
            } else if (choice < 1996) {
                close();
                values = new HashMap<>(valuesThen);
                lists = new HashMap<>(listsThen);
                open();
            } else {
                fillMemory();
            }
        }

        private void change(int number) {
            byte[] bytes = new byte[random.nextInt(30)];
            random.nextBytes(bytes);
            switch (random.nextInt(6)) {
                case 0 -> {
                    store.delete(value(number));
                    values.remove(number);
                }
                case 1 -> {
                    store.delete(list(number));
                    lists.remove(number);
                }
                case 2, 3 -> {
                    store.put(value(number), bytes, 0, bytes.length);
                    values.put(number, bytes);
                }
                default -> {
                    store.append(list(number), bytes, 0, bytes.length);
                    byte[] before = lists.getOrDefault(number, new byte[0]);
                    byte[] after = Arrays.copyOf(before, before.length + bytes.length);
                    System.arraycopy(bytes, 0, after, before.length, bytes.length);
                    lists.put(number, after);
                }
            }
        }

        private void snapshot() throws Exception {
            try (StoreSnapshot snapshot = store.snapshot()) {
                snapshot.await();
                parents = List.of(snapshot.image());
                for (StoreImage.FileInfo file : snapshot.files()) {
                    ModelStores.copy(local, remote, file.name());
                }
            }
            valuesThen = new HashMap<>(values);
            listsThen = new HashMap<>(lists);
        }

        /** Writes and clears so much of another table that what is in memory has to go. */
        private void fillMemory() {
            int table = store.table("others", TableKind.VALUE);
            byte[] bytes = new byte[200];
            for (int number = 0; number < FILLED; number++) {
                store.put(keys.key(table, number), bytes, 0, bytes.length);
            }
            for (int number = 0; number < FILLED; number++) {
                store.delete(keys.key(table, number));
            }
        }

        private EntryKey value(int number) {
            return keys.key(valueTable, number & 3, number);
        }

        private EntryKey list(int number) {
            return keys.key(listTable, number & 3, number);
        }

        private void check(EntryKey key, byte[] expected) {
            byte[] found = store.get(key, read) ? read.toArray() : null;
            assertThat(found).isEqualTo(expected);
        }

        private void checkAll() {
            for (int number = 0; number < KEYS; number++) {
                check(value(number), values.get(number));
                check(list(number), lists.get(number));
            }
        }
    }
}
