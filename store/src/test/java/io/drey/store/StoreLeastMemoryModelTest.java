package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.LeastMemory;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.ThreadBackground;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores that share exactly the least memory that they are opened with do all that there is to do, and end. */
final class StoreLeastMemoryModelTest {
    private static final int OPERATIONS = 12_000;
    private static final int KEYS = 700;
    private static final int LISTS = 12;
    private static final int LIST_BYTES_MAX = 20_000;
    private static final int MAP_ENTRIES = 40;

    @ParameterizedTest
    @CsvSource({"1024, 1", "1024, 3", "4096, 1", "4096, 3", "16384, 2"})
    void storesInTheLeastMemoryHoldWhatWasPut(int pageBytes, int stores) throws Exception {
        int pages = stores * LeastMemory.pages(pageBytes, StoreSettings.BLOCK_BYTES);
        ExecutorService owners = Executors.newFixedThreadPool(stores);
        try (SlotMemory memory = new SlotMemory((long) pages * pageBytes, pageBytes);
                ThreadBackground background = new ThreadBackground(1)) {
            List<Store> opened = new ArrayList<>();
            for (int i = 0; i < stores; i++) {
                StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
                opened.add(Store.open(StoreSettings.of(0, 0), resources, List.of()));
            }
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < stores; i++) {
                Owner owner = new Owner(opened.get(i), i);
                done.add(owners.submit(owner::run));
            }
            for (Future<?> each : done) {
                each.get();
            }
            assertThat(memory.arena().freePages()).isEqualTo(pages);
            assertThat(memory.overdraft().bytes()).isZero();
        } finally {
            owners.shutdown();
        }
    }

    /** Uses a store, compares it with plain collections and closes it. */
    private static final class Owner {
        private final Store store;
        private final Random random;
        private final NumberedKeys keys = new NumberedKeys();
        private final Bytes read = new Bytes();
        private final Map<Integer, byte[]> values = new HashMap<>();
        private final Map<Integer, byte[]> lists = new HashMap<>();
        private final Map<Integer, byte[]> entries = new HashMap<>();
        private final int valueTable;
        private final int listTable;
        private final int mapTable;

        Owner(Store store, int seed) {
            this.store = store;
            this.random = new Random(seed);
            valueTable = store.table("values", TableKind.VALUE);
            listTable = store.table("lists", TableKind.LIST);
            mapTable = store.table("maps", TableKind.MAP);
        }

        Void run() throws InterruptedException {
            try (store) {
                for (int i = 0; i < OPERATIONS; i++) {
                    step();
                }
                values.forEach((number, value) -> check(keys.key(valueTable, number), value));
                lists.forEach((number, list) -> check(keys.key(listTable, number), list));
                entries.forEach((number, value) -> check(entry(number), value));
            }
            return null;
        }

        private void step() throws InterruptedException {
            int choice = random.nextInt(100);
            if (choice < 30) {
                byte[] value = bytes(random.nextInt(100) == 0 ? 20_000 : 150);
                int number = random.nextInt(KEYS);
                store.put(keys.key(valueTable, number), value, 0, value.length);
                values.put(number, value);
            } else if (choice < 60) {
                append();
            } else if (choice < 80) {
                byte[] value = bytes(100);
                int number = random.nextInt(KEYS * MAP_ENTRIES / 10);
                store.put(entry(number), value, 0, value.length);
                entries.put(number, value);
            } else if (choice < 99) {
                int number = random.nextInt(KEYS);
                check(keys.key(valueTable, number), values.get(number));
                check(keys.key(listTable, number % LISTS), lists.get(number % LISTS));
                check(entry(number), entries.get(number));
            } else if (choice == 99 && random.nextInt(10) == 0) {
                try (StoreSnapshot snapshot = store.snapshot()) {
                    snapshot.await();
                }
            }
        }

        private void append() {
            byte[] element = bytes(30);
            int number = random.nextInt(LISTS);
            byte[] before = lists.getOrDefault(number, new byte[0]);
            if (before.length > LIST_BYTES_MAX) {
                store.delete(keys.key(listTable, number));
                lists.remove(number);
                return;
            }
            store.append(keys.key(listTable, number), element, 0, element.length);
            byte[] after = Arrays.copyOf(before, before.length + element.length);
            System.arraycopy(element, 0, after, before.length, element.length);
            lists.put(number, after);
        }

        private EntryKey entry(int number) {
            return keys.mapEntry(mapTable, number / MAP_ENTRIES, number % MAP_ENTRIES);
        }

        private byte[] bytes(int most) {
            byte[] bytes = new byte[1 + random.nextInt(most)];
            random.nextBytes(bytes);
            return bytes;
        }

        private void check(EntryKey key, byte[] expected) {
            byte[] found = store.get(key, read) ? read.toArray() : null;
            assertThat(found).isEqualTo(expected);
        }
    }
}
