package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.Expiry;
import io.drey.store.entry.TableKind;
import io.drey.store.entry.TimestampExpiry;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.StepBackground;
import io.drey.store.stats.StoreStats;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random operations on stores of tiny memory whose entries expire by a virtual clock. Nothing vanishes before it has
 * expired, and nothing that was seen gone comes back, whatever is flushed, compacted, dropped whole, restored or given
 * another time to live in between.
 */
@Tag(Effort.TAG)
final class StoreExpiryModelTest {
    private static final long OPERATIONS = 500_000;
    private static final int OPERATIONS_PER_CASE = 4_000;
    private static final int ELEMENT_BYTES = 16;

    @Test
    void nothingVanishesEarlyAndNothingComesBack() {
        long[] seen = new long[Case.Seen.values().length];
        long done = Seeds.operations(OPERATIONS, seed -> new Case(seed, seen).run());
        assertThat(done).isGreaterThanOrEqualTo(OPERATIONS_PER_CASE);
        if (done >= OPERATIONS) {
            for (Case.Seen event : Case.Seen.values()) {
                assertThat(seen[event.ordinal()]).as(event.name()).isGreaterThan(100);
            }
        }
    }

    private record Completed(ExpiryModel model, List<StoreImage> images) {}

    /** Elements of one length, each with its time in front. */
    private record ElementExpiry(TimestampExpiry first) implements Expiry {
        @Override
        public long expiredUntil() {
            return first.expiredUntil();
        }

        @Override
        public Reader reader() {
            return new ElementReader(expiredUntil());
        }
    }

    private static final class ElementReader implements Expiry.Reader {
        private final long expiredUntil;
        private int head;

        ElementReader(long expiredUntil) {
            this.expiredUntil = expiredUntil;
        }

        @Override
        public long lastAccess(long address, int length) {
            head = 0;
            long latest = Expiry.NOTHING;
            for (int at = 0; at < length; at += ELEMENT_BYTES) {
                latest = Math.max(latest, Long.reverseBytes(Memory.getLong(address + at)));
                head = latest <= expiredUntil ? at + ELEMENT_BYTES : head;
            }
            return latest;
        }

        @Override
        public int expiredHead() {
            return head;
        }
    }

    private static final class Case {
        enum Seen {
            ENTRIES_EXPIRED,
            RUNS_EXPIRED,
            COMPACTION,
            RESTORE,
            GONE,
            EXPIRED_BUT_THERE
        }

        private final long[] seen;
        private final Random random;
        private final MemoryDirectory remote = new MemoryDirectory();
        private final Bytes read = new Bytes();
        private final long allocatedBefore;
        private final int keySpace;
        private final int mapKeySpace;
        private long now = 1_000_000;
        private final long[] ttl = new long[3];
        private ExpiryModel model = new ExpiryModel();
        private ModelStores stores;
        private Completed completed;

        Case(long seed, long[] seen) throws IOException {
            this.seen = seen;
            random = new Random(seed);
            keySpace = 1 + random.nextInt(60);
            mapKeySpace = 1 + random.nextInt(40);
            allocatedBefore = Memory.allocatedBytes();
            stores = ModelStores.empty(1 + random.nextInt(2), StepBackground::new, random);
            completed = new Completed(new ExpiryModel(), List.of());
            chooseExpiries();
        }

        long run() throws Exception {
            for (int i = 0; i < OPERATIONS_PER_CASE; i++) {
                step();
            }
            checkAll();
            closeStores();
            assertThat(Memory.allocatedBytes()).isEqualTo(allocatedBefore);
            return OPERATIONS_PER_CASE;
        }

        /** Another time to live for each table, or none. */
        private void chooseExpiries() {
            for (int i = 0; i < ttl.length; i++) {
                ttl[i] = random.nextInt(6) == 0 ? Long.MAX_VALUE : 20L << random.nextInt(10);
            }
            for (ModelStores.Subtask subtask : stores.subtasks) {
                Store store = subtask.store;
                store.expire(store.table(ModelStores.VALUES, TableKind.VALUE), expiry(0, 0));
                TimestampExpiry list = expiry(0, 1);
                store.expire(
                        store.table(ModelStores.LISTS, TableKind.LIST), list == null ? null : new ElementExpiry(list));
                store.expire(store.table(ModelStores.MAPS, TableKind.MAP), expiry(1, 2));
            }
            expireInModel();
        }

        private TimestampExpiry expiry(int position, int table) {
            return ttl[table] == Long.MAX_VALUE ? null : new TimestampExpiry(position, ttl[table], () -> now);
        }

        private void expireInModel() {
            model.expire(now - ttl[0], now - ttl[1], now - ttl[2]);
        }

        private void step() throws Exception {
            int choice = random.nextInt(1000);
            if (choice < 300) {
                valueOperation();
            } else if (choice < 500) {
                listOperation();
            } else if (choice < 800) {
                mapOperation();
            } else if (choice < 900) {
                stores.subtasks.get(random.nextInt(stores.subtasks.size())).step();
            } else if (choice < 985) {
                now += random.nextInt(random.nextInt(10) == 0 ? 2000 : 10);
                expireInModel();
            } else if (choice < 997) {
                snapshot();
            } else if (choice < 998) {
                restore();
            } else {
                checkAll();
            }
        }

        private ModelState.Row row() {
            int number = random.nextInt(keySpace);
            byte[] key = ("k" + number).getBytes(StandardCharsets.UTF_8);
            return new ModelState.Row(
                    number * 7 % ModelStores.KEY_GROUPS, ByteBuffer.wrap(key), ByteBuffer.wrap(new byte[0]));
        }

        private byte[] payload() {
            int shape = random.nextInt(2000);
            byte[] payload = new byte
                    [shape == 0 ? random.nextInt(60_000) : shape < 100 ? random.nextInt(400) : random.nextInt(40)];
            random.nextBytes(payload);
            return payload;
        }

        /** Mostly now; sometimes earlier, as a clock that went back leaves it. */
        private long accessTime() {
            return random.nextInt(10) == 0 ? now - random.nextInt(100) : now;
        }

        private void valueOperation() {
            ModelState.Row row = row();
            EntryKey key = stores.key(row, ModelStores.VALUES, TableKind.VALUE);
            int choice = random.nextInt(10);
            if (choice < 3) {
                check(row, key, row, model.values);
            } else if (choice < 9) {
                long time = accessTime();
                byte[] value = ExpiryModel.timed(new byte[0], time, payload());
                stores.storeOf(row).put(key, value, 0, value.length);
                put(model.values, row, value, time, ttl[0]);
            } else {
                stores.storeOf(row).delete(key);
                model.values.remove(row);
            }
        }

        private <K> void put(Map<K, ExpiryModel.Entry> into, K key, byte[] value, long time, long timeToLive) {
            ExpiryModel.Entry entry = new ExpiryModel.Entry(value, time);
            entry.expire(now - timeToLive);
            into.put(key, entry);
        }

        private <K> void check(ModelState.Row row, EntryKey key, K modelKey, Map<K, ExpiryModel.Entry> expected) {
            boolean found = stores.storeOf(row).get(key, read);
            ExpiryModel.Entry entry = expected.get(modelKey);
            if (!found) {
                assertThat(entry == null || entry.mayBeGone)
                        .as("absent only if it may be")
                        .isTrue();
                seen[Seen.GONE.ordinal()] += entry == null ? 0 : 1;
                expected.remove(modelKey);
                return;
            }
            assertThat(entry).as("nothing comes back").isNotNull();
            assertThat(entry.accept(read.toArray())).as("the value").isTrue();
            seen[Seen.EXPIRED_BUT_THERE.ordinal()] += entry.mayBeGone ? 1 : 0;
        }

        private void listOperation() {
            ModelState.Row row = row();
            EntryKey key = stores.key(row, ModelStores.LISTS, TableKind.LIST);
            int choice = random.nextInt(20);
            if (choice < 5) {
                check(row, key, row, model.lists);
            } else if (choice < 18) {
                long time = accessTime();
                byte[] element = ExpiryModel.timed(new byte[0], time, new byte[ELEMENT_BYTES - Long.BYTES]);
                stores.storeOf(row).append(key, element, 0, element.length);
                ExpiryModel.Entry list = model.lists.get(row);
                if (list == null) {
                    put(model.lists, row, element, time, ttl[1]);
                } else {
                    list.append(element, time);
                    list.expire(now - ttl[1]);
                }
            } else {
                stores.storeOf(row).delete(key);
                model.lists.remove(row);
            }
        }

        private void mapOperation() {
            ModelState.Row row = row();
            Store store = stores.storeOf(row);
            EntryKey key = stores.key(row, ModelStores.MAPS, TableKind.MAP);
            TreeMap<byte[], ExpiryModel.Entry> map = model.map(row);
            byte[] mapKey = Integer.toString(random.nextInt(mapKeySpace) * 31).getBytes(StandardCharsets.UTF_8);
            int choice = random.nextInt(100);
            if (choice < 20) {
                check(row, key.mapKey(mapKey, 0, mapKey.length), mapKey, map);
            } else if (choice < 70) {
                boolean isNull = random.nextInt(20) == 0;
                long time = isNull ? Expiry.NEVER : accessTime();
                byte[] value = isNull ? new byte[] {1} : ExpiryModel.timed(new byte[] {0}, time, payload());
                store.put(key.mapKey(mapKey, 0, mapKey.length), value, 0, value.length);
                put(map, mapKey, value, time, ttl[2]);
            } else if (choice < 80) {
                store.delete(key.mapKey(mapKey, 0, mapKey.length));
                map.remove(mapKey);
            } else if (choice < 83) {
                store.clearMap(key);
                map.clear();
            } else if (choice < 90) {
                boolean empty = store.isMapEmpty(key);
                if (empty) {
                    assertThat(map.values()).allMatch(entry -> entry.mayBeGone);
                    map.clear();
                } else {
                    assertThat(map).isNotEmpty();
                }
            } else {
                checkScan(row);
            }
        }

        private void checkScan(ModelState.Row row) {
            EntryKey key = stores.key(row, ModelStores.MAPS, TableKind.MAP);
            TreeMap<byte[], ExpiryModel.Entry> map = model.map(row);
            TreeMap<byte[], ExpiryModel.Entry> there = new TreeMap<>(Arrays::compareUnsigned);
            MapScan scan = stores.storeOf(row).scanMap(key, null);
            byte[] last = null;
            while (scan.next()) {
                byte[] mapKey = Arrays.copyOfRange(scan.bytes(), scan.keyOffset(), scan.keyOffset() + scan.keyLength());
                assertThat(last == null || Arrays.compareUnsigned(last, mapKey) < 0)
                        .isTrue();
                last = mapKey;
                ExpiryModel.Entry entry = map.remove(mapKey);
                assertThat(entry).as("nothing comes back").isNotNull();
                assertThat(entry.accept(Arrays.copyOfRange(
                                scan.bytes(), scan.valueOffset(), scan.valueOffset() + scan.valueLength())))
                        .isTrue();
                there.put(mapKey, entry);
            }
            assertThat(map.values()).as("missing only if they may be").allMatch(entry -> entry.mayBeGone);
            seen[Seen.GONE.ordinal()] += map.size();
            model.maps.put(row, there);
        }

        private void snapshot() throws Exception {
            ExpiryModel copy = model.copy();
            List<StoreImage> images = new ArrayList<>();
            for (ModelStores.Subtask subtask : stores.subtasks) {
                try (StoreSnapshot part = subtask.store.snapshot()) {
                    part.await();
                    for (StoreImage.FileInfo file : part.files()) {
                        ModelStores.copy(subtask.directory, remote, file.name());
                    }
                    images.add(StoreImage.decode(part.image().encode()));
                }
            }
            completed = new Completed(copy, images);
        }

        private void restore() throws Exception {
            closeStores();
            stores = ModelStores.restored(
                    1 + random.nextInt(3), completed.images(), remote, StepBackground::new, random);
            model = completed.model().copy();
            chooseExpiries();
            seen[Seen.RESTORE.ordinal()]++;
            checkAll();
        }

        private void closeStores() throws IOException {
            for (ModelStores.Subtask subtask : stores.subtasks) {
                StoreStats stats = subtask.store.stats();
                seen[Seen.ENTRIES_EXPIRED.ordinal()] += stats.jobs().entriesExpired();
                seen[Seen.RUNS_EXPIRED.ordinal()] += stats.jobs().runsExpired();
                seen[Seen.COMPACTION.ordinal()] += stats.jobs().compactions();
            }
            stores.close();
        }

        private void checkAll() {
            for (ModelState.Row row : List.copyOf(model.values.keySet())) {
                check(row, stores.key(row, ModelStores.VALUES, TableKind.VALUE), row, model.values);
            }
            for (ModelState.Row row : List.copyOf(model.lists.keySet())) {
                check(row, stores.key(row, ModelStores.LISTS, TableKind.LIST), row, model.lists);
            }
            List.copyOf(model.maps.keySet()).forEach(this::checkScan);
        }
    }
}
