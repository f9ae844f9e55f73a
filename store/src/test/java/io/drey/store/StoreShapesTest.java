package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.StepBackground;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Values that grow and shrink, lists and maps in one store, from state that takes a fifth of memory to state that takes
 * twice as much, with checkpoints. {@link StoreModelTest} has every operation, but memory for a few dozen keys only:
 * here pages hold many records, most of them dead.
 */
@Tag(Effort.TAG)
final class StoreShapesTest {
    private static final long OPERATIONS = 2_000_000;
    private static final int OPERATIONS_PER_CASE = 100_000;

    @Test
    void aStoreHoldsWhatWasPutWhateverPartOfItFitsMemory() {
        long[] compacted = new long[1];
        long done = Seeds.operations(OPERATIONS, seed -> new Case(seed).run(compacted));
        assertThat(done).isGreaterThanOrEqualTo(OPERATIONS_PER_CASE);
        assertThat(compacted[0]).isPositive();
    }

    private static final class Case {
        private static final int PAGE_BYTES = 4 << 10;
        private static final int ELEMENT_BYTES_MAX = 200;
        private static final int MAP_ENTRIES_MAX = 40;

        private final Random random;
        private final NumberedKeys keys = new NumberedKeys();
        private final StepBackground background = new StepBackground();
        private final Bytes read = new Bytes();
        private final SlotMemory memory;
        private final Store store;
        private final int values;
        private final int lists;
        private final int maps;
        private final byte[][] valuesPut;
        private final byte[][] listsPut;
        private final byte[][] entriesPut;
        private final int mapEntries;
        private final int lengthMax;
        private final int listBytesMax;
        private final int stepsPerMille;
        private StoreSnapshot snapshot;

        Case(long seed) {
            random = new Random(seed);
            int pages = 200 + random.nextInt(800);
            memory = new SlotMemory((long) PAGE_BYTES * pages, PAGE_BYTES);
            store = Store.open(
                    StoreSettings.of(0, 127), new StoreResources(new MemoryDirectory(), memory, background), List.of());
            values = store.table("values", TableKind.VALUE);
            lists = store.table("lists", TableKind.LIST);
            maps = store.table("maps", TableKind.MAP);
            lengthMax = 20 + random.nextInt(1_000);
            listBytesMax = 100 + random.nextInt(3_000);
            mapEntries = 1 + random.nextInt(MAP_ENTRIES_MAX);
            stepsPerMille = random.nextInt(300);
            double bytes = PAGE_BYTES * pages * (0.2 + 1.8 * random.nextDouble());
            double[] share = {random.nextDouble(), random.nextDouble(), random.nextDouble()};
            double whole = Arrays.stream(share).sum();
            valuesPut = new byte[1 + (int) (bytes * share[0] / whole / (lengthMax / 2 + 40))][];
            listsPut = new byte[1 + (int) (bytes * share[1] / whole / (listBytesMax / 2 + 60))][];
            entriesPut = new byte[1 + (int) (bytes * share[2] / whole / (lengthMax / 4 + 60))][];
        }

        long run(long[] compacted) throws Exception {
            for (int i = 0; i < OPERATIONS_PER_CASE; i++) {
                step();
            }
            checkAll();
            endSnapshot();
            compacted[0] += store.stats().log().recordsCompacted();
            store.close();
            memory.close();
            return OPERATIONS_PER_CASE;
        }

        private void step() throws Exception {
            int choice = random.nextInt(1000);
            if (choice < stepsPerMille) {
                background.step();
            } else if (choice < 995) {
                change();
            } else if (choice < 998) {
                checkSome();
            } else if (snapshot == null && random.nextInt(10) == 0) {
                snapshot = store.snapshot();
            } else if (random.nextInt(10) == 0) {
                endSnapshot();
            }
        }

        private void endSnapshot() throws Exception {
            if (snapshot != null) {
                snapshot.await();
                snapshot.close();
                snapshot = null;
            }
        }

        private void change() {
            int kind = random.nextInt(3);
            if (kind == 0) {
                int number = random.nextInt(valuesPut.length);
                valuesPut[number] = put(keys.key(values, number), valuesPut[number], lengthMax);
            } else if (kind == 1) {
                int number = random.nextInt(listsPut.length);
                listsPut[number] = append(keys.key(lists, number), listsPut[number]);
            } else if (random.nextInt(200) == 0) {
                clearMap(random.nextInt(entriesPut.length) / mapEntries);
            } else {
                int number = random.nextInt(entriesPut.length);
                entriesPut[number] = put(entry(number), entriesPut[number], lengthMax / 2);
            }
        }

        private EntryKey entry(int number) {
            return keys.mapEntry(maps, number / mapEntries, number % mapEntries);
        }

        private void clearMap(int map) {
            store.clearMap(keys.key(maps, map));
            int from = map * mapEntries;
            Arrays.fill(entriesPut, from, Math.min(from + mapEntries, entriesPut.length), null);
        }

        /** Makes a value a little longer, or removes it once it is longest. */
        private byte[] put(EntryKey key, byte[] before, int max) {
            int length = (before == null ? 0 : before.length) + random.nextInt(60);
            if (length > max) {
                store.delete(key);
                return null;
            }
            byte[] value = bytes(length);
            store.put(key, value, 0, length);
            return value;
        }

        private byte[] append(EntryKey key, byte[] before) {
            if (before != null && before.length > listBytesMax) {
                store.delete(key);
                return null;
            }
            byte[] element = bytes(1 + random.nextInt(ELEMENT_BYTES_MAX));
            store.append(key, element, 0, element.length);
            if (before == null) {
                return element;
            }
            byte[] list = Arrays.copyOf(before, before.length + element.length);
            System.arraycopy(element, 0, list, before.length, element.length);
            return list;
        }

        private byte[] bytes(int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        private void checkSome() {
            int value = random.nextInt(valuesPut.length);
            check(keys.key(values, value), valuesPut[value]);
            int list = random.nextInt(listsPut.length);
            check(keys.key(lists, list), listsPut[list]);
            int entry = random.nextInt(entriesPut.length);
            check(entry(entry), entriesPut[entry]);
            checkScan(entry / mapEntries);
        }

        private void checkScan(int map) {
            MapScan scan = store.scanMap(keys.key(maps, map), null);
            int from = map * mapEntries;
            for (int i = from; i < Math.min(from + mapEntries, entriesPut.length); i++) {
                if (entriesPut[i] != null) {
                    assertThat(scan.next()).isTrue();
                    int value = scan.valueOffset();
                    assertThat(Arrays.copyOfRange(scan.bytes(), value, value + scan.valueLength()))
                            .isEqualTo(entriesPut[i]);
                }
            }
            assertThat(scan.next()).isFalse();
        }

        private void checkAll() {
            for (int i = 0; i < valuesPut.length; i++) {
                check(keys.key(values, i), valuesPut[i]);
            }
            for (int i = 0; i < listsPut.length; i++) {
                check(keys.key(lists, i), listsPut[i]);
            }
            for (int i = 0; i < entriesPut.length; i++) {
                check(entry(i), entriesPut[i]);
            }
        }

        private void check(EntryKey key, byte[] expected) {
            boolean found = store.get(key, read);
            assertThat(found ? read.toArray() : null).isEqualTo(expected);
        }
    }
}
