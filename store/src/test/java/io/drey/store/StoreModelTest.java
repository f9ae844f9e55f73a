package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.StepBackground;
import io.drey.store.schedule.ThreadBackground;
import io.drey.store.stats.StoreStats;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random operations on stores of tiny memory against plain collections, with background jobs, snapshots, restores and
 * changes of parallelism at random moments. The seed is the whole interleaving.
 */
@Tag(Effort.TAG)
final class StoreModelTest {
    private static final long OPERATIONS = 1_000_000;
    private static final long THREADED_OPERATIONS = 200_000;
    private static final int OPERATIONS_PER_CASE = 4_000;

    @Test
    void aStoreHoldsWhatWasPutWhateverHappensInBetween() {
        long[] seen = new long[Case.Seen.values().length];
        long done = Seeds.operations(OPERATIONS, seed -> new Case(seed, seen, StepBackground::new).run());
        assertThat(done).isGreaterThanOrEqualTo(OPERATIONS_PER_CASE);
        if (done >= OPERATIONS) {
            for (Case.Seen event : Case.Seen.values()) {
                // The balance decides after many misses: one move in ten cases.
                long often = event == Case.Seen.MEMORY_MOVED ? OPERATIONS / OPERATIONS_PER_CASE / 10 : 100;
                assertThat(seen[event.ordinal()]).as(event.name()).isGreaterThan(often);
            }
        }
    }

    /** Not repeatable by its seed alone: for what only real threads bring about. */
    @Test
    void aStoreHoldsWhatWasPutWithJobsInOtherThreads() {
        long[] seen = new long[Case.Seen.values().length];
        try (ThreadBackground threads = new ThreadBackground(2)) {
            long done = Seeds.operations(THREADED_OPERATIONS, seed -> new Case(seed, seen, () -> threads).run());
            assertThat(done).isGreaterThanOrEqualTo(OPERATIONS_PER_CASE);
        }
        assertThat(seen[Case.Seen.FLUSH.ordinal()]).isPositive();
    }

    /** A snapshot under way: what it must hold, and the stores' parts of it. */
    private record Pending(ModelState model, List<StoreSnapshot> parts, List<ModelStores.Subtask> subtasks) {}

    /** A completed checkpoint. */
    private record Completed(ModelState model, List<StoreImage> images) {}

    private static final class Case {
        /** What must have happened often for the test to mean anything. */
        enum Seen {
            FLUSH,
            COMPACTION,
            SNAPSHOT,
            RESTORE,
            RESCALE,
            READ_FROM_FAR_AWAY,
            STALL,
            WRITTEN_DIRECTLY,
            RECORD_KEPT,
            RECORD_MOVED,
            RECORD_COMPACTED,
            MAP_JOINED,
            MAP_LINKED,
            MEMORY_MOVED,
            SEPARATED,
            COMPRESSED,
            VALUE_READ,
            LOG_DROPPED,
            RELOCATED
        }

        private final long[] seen;
        private final Supplier<Background> backgrounds;
        private final Random random;
        private final MemoryDirectory remote = new MemoryDirectory();
        private final List<Pending> pending = new ArrayList<>();
        private final Bytes read = new Bytes();
        private final long allocatedBefore;
        private final int keySpace;
        private final int mapKeySpace;
        private ModelState model = new ModelState();
        private ModelStores stores;
        private Completed completed;

        Case(long seed, long[] seen, Supplier<Background> backgrounds) throws IOException {
            this.seen = seen;
            this.backgrounds = backgrounds;
            random = new Random(seed);
            keySpace = 1 + random.nextInt(40);
            mapKeySpace = 1 + random.nextInt(random.nextInt(5) == 0 ? 400 : 30);
            allocatedBefore = Memory.allocatedBytes();
            stores = ModelStores.empty(1 + random.nextInt(4), backgrounds, random);
            completed = new Completed(new ModelState(), List.of());
        }

        long run() throws Exception {
            for (int i = 0; i < OPERATIONS_PER_CASE; i++) {
                step();
            }
            checkAll();
            dropPending();
            closeStores();
            assertThat(Memory.allocatedBytes()).isEqualTo(allocatedBefore);
            return OPERATIONS_PER_CASE;
        }

        private void step() throws Exception {
            int choice = random.nextInt(1000);
            if (choice < 200) {
                valueOperation();
            } else if (choice < 400) {
                listOperation();
            } else if (choice < 850) {
                mapOperation();
            } else if (choice < 980) {
                backgroundStep();
            } else if (choice < 990) {
                beginSnapshot();
            } else if (choice < 995) {
                completeSnapshot();
            } else if (choice < 996) {
                restore();
            } else if (choice < 997) {
                stores.subtasks.forEach(subtask -> subtask.store.shrink());
            } else {
                checkSome();
            }
        }

        private void backgroundStep() {
            ModelStores.Subtask subtask = stores.subtasks.get(random.nextInt(stores.subtasks.size()));
            subtask.step();
        }

        private ModelState.Row row() {
            int number = random.nextInt(keySpace);
            byte[] key = ("k" + number).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            byte[] namespace = random.nextInt(3) == 0 ? new byte[0] : new byte[] {(byte) random.nextInt(2)};
            return new ModelState.Row(
                    number * 7 % ModelStores.KEY_GROUPS, ByteBuffer.wrap(key), ByteBuffer.wrap(namespace));
        }

        private byte[] mapKey() {
            int number = random.nextInt(mapKeySpace);
            byte[] bytes = Integer.toString(number * 31).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            return number == 0 ? new byte[0] : bytes;
        }

        private byte[] value() {
            int shape = random.nextInt(2000);
            int length = shape < 5
                    ? random.nextInt(60_000)
                    : shape < 15 ? random.nextInt(4_000) : shape < 200 ? random.nextInt(400) : random.nextInt(40);
            byte[] value = new byte[length];
            int shapeOfBytes = random.nextInt(4);
            if (shapeOfBytes < 2) {
                random.nextBytes(value);
            } else {
                Arrays.fill(value, (byte) random.nextInt(5));
            }
            if (shapeOfBytes == 1) {
                Arrays.fill(value, length / 2, length, (byte) 1);
            }
            return value;
        }

        private void valueOperation() {
            ModelState.Row row = row();
            Store store = stores.storeOf(row);
            EntryKey key = stores.key(row, ModelStores.VALUES, TableKind.VALUE);
            int choice = random.nextInt(10);
            if (choice < 4) {
                checkValue(row);
            } else if (choice < 8) {
                byte[] value = value();
                store.put(key, value, 0, value.length);
                model.values.put(row, value);
            } else {
                store.delete(key);
                model.values.remove(row);
            }
        }

        private void checkValue(ModelState.Row row) {
            EntryKey key = stores.key(row, ModelStores.VALUES, TableKind.VALUE);
            check(stores.storeOf(row), key, model.values.get(row));
        }

        private void check(Store store, EntryKey key, byte[] expected) {
            boolean found = store.get(key, read);
            assertThat(found ? read.toArray() : null).isEqualTo(expected);
        }

        private void listOperation() {
            ModelState.Row row = row();
            Store store = stores.storeOf(row);
            EntryKey key = stores.key(row, ModelStores.LISTS, TableKind.LIST);
            int choice = random.nextInt(20);
            if (choice < 5) {
                check(store, key, model.lists.get(row));
            } else if (choice < 16) {
                byte[] value = value();
                store.append(key, value, 0, value.length);
                model.append(row, value);
            } else if (choice < 17) {
                byte[] value = value();
                store.put(key, value, 0, value.length);
                model.lists.put(row, value);
            } else {
                store.delete(key);
                model.lists.remove(row);
            }
        }

        private void mapOperation() {
            ModelState.Row row = row();
            Store store = stores.storeOf(row);
            EntryKey key = stores.key(row, ModelStores.MAPS, TableKind.MAP);
            TreeMap<byte[], byte[]> map = model.map(row);
            int choice = random.nextInt(100);
            if (choice < 25) {
                byte[] mapKey = mapKey();
                check(store, key.mapKey(mapKey, 0, mapKey.length), map.get(mapKey));
            } else if (choice < 65) {
                byte[] mapKey = mapKey();
                byte[] value = value();
                store.put(key.mapKey(mapKey, 0, mapKey.length), value, 0, value.length);
                map.put(mapKey, value);
            } else if (choice < 82) {
                byte[] mapKey = mapKey();
                store.delete(key.mapKey(mapKey, 0, mapKey.length));
                map.remove(mapKey);
            } else if (choice < 85) {
                store.clearMap(key);
                map.clear();
            } else if (choice < 92) {
                assertThat(store.isMapEmpty(key)).isEqualTo(map.isEmpty());
            } else if (choice < 97) {
                checkScan(row, random.nextBoolean() ? null : mapKey());
            } else {
                scanAndRemove(store, key, map);
            }
        }

        private void checkScan(ModelState.Row row, byte[] after) {
            EntryKey key = stores.key(row, ModelStores.MAPS, TableKind.MAP);
            TreeMap<byte[], byte[]> map = model.map(row);
            Map<byte[], byte[]> expected = after == null ? map : map.tailMap(after, false);
            MapScan scan = stores.storeOf(row).scanMap(key, after);
            for (Map.Entry<byte[], byte[]> entry : expected.entrySet()) {
                assertThat(scan.next()).isTrue();
                assertThat(scannedKey(scan)).isEqualTo(entry.getKey());
                assertThat(scannedValue(scan)).isEqualTo(entry.getValue());
            }
            assertThat(scan.next()).isFalse();
        }

        private static byte[] scannedKey(MapScan scan) {
            return Arrays.copyOfRange(scan.bytes(), scan.keyOffset(), scan.keyOffset() + scan.keyLength());
        }

        private static byte[] scannedValue(MapScan scan) {
            return Arrays.copyOfRange(scan.bytes(), scan.valueOffset(), scan.valueOffset() + scan.valueLength());
        }

        /** A user's loop that removes and updates what it walks over. */
        private void scanAndRemove(Store store, EntryKey key, TreeMap<byte[], byte[]> map) {
            MapScan scan = store.scanMap(key, null);
            List<byte[]> seen = new ArrayList<>();
            List<byte[]> expected = new ArrayList<>(map.keySet());
            while (scan.next()) {
                byte[] mapKey = scannedKey(scan);
                seen.add(mapKey);
                int what = random.nextInt(6);
                if (what == 0) {
                    store.delete(key.mapKey(mapKey, 0, mapKey.length));
                    map.remove(mapKey);
                } else if (what == 1) {
                    byte[] value = value();
                    store.put(key.mapKey(mapKey, 0, mapKey.length), value, 0, value.length);
                    map.put(mapKey, value);
                } else if (what == 2) {
                    backgroundStep();
                }
            }
            assertThat(seen.toArray(new byte[0][])).isDeepEqualTo(expected.toArray(new byte[0][]));
        }

        private void beginSnapshot() {
            if (pending.size() < 3) {
                List<StoreSnapshot> parts = stores.subtasks.stream()
                        .map(subtask -> subtask.store.snapshot())
                        .toList();
                pending.add(new Pending(model.copy(), parts, List.copyOf(stores.subtasks)));
            }
        }

        private void completeSnapshot() throws Exception {
            if (pending.isEmpty()) {
                return;
            }
            Pending next = pending.remove(random.nextInt(pending.size()));
            if (random.nextInt(4) == 0) {
                next.parts().forEach(StoreSnapshot::close);
                return;
            }
            List<StoreImage> images = new ArrayList<>();
            for (int i = 0; i < next.parts().size(); i++) {
                StoreSnapshot part = next.parts().get(i);
                part.await();
                next.subtasks()
                        .get(i)
                        .directory
                        .completeExcept(part.files().stream()
                                .map(StoreImage.FileInfo::name)
                                .toList());
                checkSnapshot(part, next.subtasks().get(i), next.model());
                for (StoreImage.FileInfo file : part.files()) {
                    ModelStores.copy(next.subtasks().get(i).directory, remote, file.name());
                }
                images.add(StoreImage.decode(part.image().encode()));
                part.close();
            }
            completed = new Completed(next.model(), images);
            deleteUnlisted();
            seen[Seen.SNAPSHOT.ordinal()]++;
        }

        /** What the last checkpoint does not list goes, as in a job's storage. */
        private void deleteUnlisted() {
            Set<String> listed = new HashSet<>();
            completed.images().forEach(image -> image.files().forEach(file -> listed.add(file.name())));
            remote.list().stream().filter(name -> !listed.contains(name)).forEach(remote::delete);
        }

        private void checkSnapshot(StoreSnapshot part, ModelStores.Subtask subtask, ModelState expected) {
            int lists = subtask.store.table(ModelStores.LISTS, TableKind.LIST);
            for (int keyGroup = subtask.keyGroupFrom; keyGroup <= subtask.keyGroupTo; keyGroup++) {
                int entries = 0;
                try (EntryCursor cursor = part.scan(lists, keyGroup, keyGroup)) {
                    while (cursor.next()) {
                        entries++;
                    }
                }
                int wanted = keyGroup;
                assertThat(entries).isEqualTo((int) expected.lists.keySet().stream()
                        .filter(row -> row.keyGroup() == wanted)
                        .count());
            }
        }

        private void dropPending() {
            pending.forEach(snapshot -> snapshot.parts().forEach(StoreSnapshot::close));
            pending.clear();
        }

        private void restore() throws Exception {
            dropPending();
            int parallelism = stores.subtasks.size();
            closeStores();
            stores = ModelStores.restored(1 + random.nextInt(5), completed.images(), remote, backgrounds, random);
            model = completed.model().copy();
            seen[Seen.RESTORE.ordinal()]++;
            seen[Seen.RESCALE.ordinal()] += parallelism == stores.subtasks.size() ? 0 : 1;
            if (random.nextBoolean()) {
                checkAll();
            }
        }

        private void closeStores() throws IOException {
            for (ModelStores.Subtask subtask : stores.subtasks) {
                StoreStats stats = subtask.store.stats();
                seen[Seen.FLUSH.ordinal()] += stats.jobs().flushes();
                seen[Seen.READ_FROM_FAR_AWAY.ordinal()] += subtask.later.rangesRead();
                seen[Seen.COMPACTION.ordinal()] += stats.jobs().compactions();
                seen[Seen.SEPARATED.ordinal()] += stats.values().separated();
                seen[Seen.COMPRESSED.ordinal()] += stats.values().compressed();
                seen[Seen.VALUE_READ.ordinal()] += stats.values().read();
                seen[Seen.LOG_DROPPED.ordinal()] += stats.values().logsDropped();
                seen[Seen.RELOCATED.ordinal()] += stats.values().bytesRelocated() > 0 ? 1 : 0;
                seen[Seen.STALL.ordinal()] += stats.jobs().stallNanos() > 0 ? 1 : 0;
                seen[Seen.WRITTEN_DIRECTLY.ordinal()] += stats.io().foreground().writes() > 0 ? 1 : 0;
                seen[Seen.RECORD_KEPT.ordinal()] += stats.log().recordsKept();
                seen[Seen.MEMORY_MOVED.ordinal()] += stats.caches().balance().moves();
                seen[Seen.RECORD_MOVED.ordinal()] += stats.log().recordsMoved();
                seen[Seen.RECORD_COMPACTED.ordinal()] += stats.log().recordsCompacted();
                seen[Seen.MAP_JOINED.ordinal()] += stats.log().mapsJoined();
                seen[Seen.MAP_LINKED.ordinal()] += stats.log().mapsLinked();
            }
            stores.close();
        }

        private void checkSome() {
            ModelState.Row row = row();
            checkValue(row);
            check(stores.storeOf(row), stores.key(row, ModelStores.LISTS, TableKind.LIST), model.lists.get(row));
            checkScan(row, null);
        }

        private void checkAll() {
            model.values.keySet().forEach(this::checkValue);
            for (Map.Entry<ModelState.Row, byte[]> list : model.lists.entrySet()) {
                check(
                        stores.storeOf(list.getKey()),
                        stores.key(list.getKey(), ModelStores.LISTS, TableKind.LIST),
                        list.getValue());
            }
            List.copyOf(model.maps.keySet()).forEach(row -> checkScan(row, null));
        }
    }
}
