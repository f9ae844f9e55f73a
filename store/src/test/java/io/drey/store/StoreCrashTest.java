package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.Directory;
import io.drey.files.WritableFile;
import io.drey.files.disks.DiskSet;
import io.drey.files.fault.FaultyDirectory;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.file.FileIds;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * One short history, again and again, with the n-th I/O failing, for every n: the failure is reported, everything is
 * given back, and the last completed checkpoint still opens with exactly what it held.
 */
final class StoreCrashTest {
    private static final int OPERATIONS = 600;
    private static final int OPERATIONS_PER_SNAPSHOT = 120;
    private static final int KEYS = 120;
    private static final int PAGES = 80;

    @Test
    void anyFailedIoIsReportedAndTheLastCheckpointStaysWhole() throws Exception {
        long ios = new History(-1).run();
        assertThat(ios).isGreaterThan(50);
        assertThat(new History(-1).run()).as("I/Os of the same history").isEqualTo(ios);
        for (long failing = 0; failing < ios; failing++) {
            History history = new History(failing);
            assertThat(history.run()).as("I/Os when number %s fails", failing).isGreaterThan(failing);
            assertThat(history.failed)
                    .as("whether failed I/O %s was reported", failing)
                    .isTrue();
        }
    }

    @Test
    void aFullDiskIsReportedAndTheLastCheckpointStaysWhole() throws Exception {
        int failed = 0;
        for (long bytes = 0; bytes < 20_000; bytes += 997) {
            History history = new History(-1);
            history.local.spaceLeft(bytes);
            history.run();
            failed += history.failed ? 1 : 0;
        }
        assertThat(failed).isPositive();
    }

    /** On two disks of which one or both are too small, with room for a part of a file or none. */
    @Test
    void onFullDisksAStoreGoesOnAsLongAsOneHasRoom() throws Exception {
        int failed = 0;
        for (long capacity = 0; capacity < 24_000; capacity += 1_499) {
            for (long other : new long[] {capacity / 3, Long.MAX_VALUE}) {
                DiskSet disks = new DiskSet(
                        List.of(new MemoryDirectory(capacity), new MemoryDirectory(other)), 1_000, System::nanoTime);
                History history = new History(-1, disks);
                history.run();
                assertThat(history.failed && other == Long.MAX_VALUE)
                        .as("capacity %s", capacity)
                        .isFalse();
                failed += history.failed ? 1 : 0;
                assertThat(disks.list()).isEmpty();
            }
        }
        assertThat(failed).isPositive();
    }

    /** Nothing can be written or deleted there any more, as after an error of its file system; reads go on. */
    @Test
    void aStoreGoesOnWhereOneOfItsDisksTurnsReadOnly() throws Exception {
        long ios = new History(-1).run();
        for (long turning = 0; turning < ios; turning += 5) {
            long from = turning;
            FaultyDirectory bad = new FaultyDirectory(new MemoryDirectory());
            History history =
                    new History(-1, new DiskSet(List.of(bad, new MemoryDirectory()), 1_000, System::nanoTime));
            history.local.beforeEach(() -> {
                bad.failWrites(history.local.ios() > from);
                bad.failDeletes(history.local.ios() > from);
            });
            history.run();
            assertThat(history.failed).as("read-only from I/O %s on", from).isFalse();
        }
    }

    /** Each value is a run of its own: there is no flush that would say that there is room again. */
    @Test
    void compactionsOfLargeValuesGoOnAfterADiskWasFull() throws IOException {
        MemoryDirectory disk = new MemoryDirectory(2 << 20);
        DiskSet local = new DiskSet(List.of(disk), 0, System::nanoTime);
        StepBackground background = new StepBackground();
        try (SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
                Store store = Store.open(
                        ModelStores.settings(0, 3), new StoreResources(local, memory, background), List.of())) {
            int table = store.table("values", TableKind.VALUE);
            byte[] value = new byte[PAGES * ModelStores.PAGE_BYTES];
            new Random(5).nextBytes(value);
            NumberedKeys keys = new NumberedKeys();
            for (int i = 0; i < 4; i++) {
                store.put(keys.key(table, i), value, 0, value.length);
            }
            try (WritableFile other = disk.create("other")) {
                other.write(ByteBuffer.allocate((int) disk.usableBytes()));
            }
            while (background.step()) {
                assertThat(store.stats().jobs().compactions()).isZero();
            }
            disk.delete("other");
            for (int i = 4; i < 8; i++) {
                store.put(keys.key(table, i), value, 0, value.length);
            }
            while (background.step()) {
                // Until nothing is due.
                store.get(keys.key(table, 1), new Bytes());
            }
            assertThat(store.stats().jobs().compactions()).isPositive();
        }
    }

    /** What a compaction has written is worth less. */
    @Test
    void aFlushThatFindsNoRoomTakesThatOfTheCompactionBesideIt() throws Exception {
        MemoryDirectory disk = new MemoryDirectory(16 << 20);
        DiskSet local = new DiskSet(List.of(disk), 0, System::nanoTime);
        StepBackground background = new StepBackground();
        try (SlotMemory memory = new SlotMemory(4 << 20, 4 << 10);
                Store store =
                        Store.open(StoreSettings.of(0, 3), new StoreResources(local, memory, background), List.of())) {
            int table = store.table("values", TableKind.VALUE);
            NumberedKeys keys = new NumberedKeys();
            byte[] value = new byte[1000];
            new Random(6).nextBytes(value);
            int count = 0;
            while (background.pending() == 0) {
                count = putAndFlush(200, store, keys, table, count, value);
                assertThat(store.get(keys.key(table, 0), new Bytes())).isTrue();
            }
            long room = disk.usableBytes();
            while (room - disk.usableBytes() < 256 << 10) {
                assertThat(background.step()).isTrue();
            }
            try (WritableFile other = disk.create("other")) {
                other.write(ByteBuffer.allocate((int) disk.usableBytes()));
            }
            count = putAndFlush(2, store, keys, table, count, value);
            for (int i = 0; i < count; i++) {
                assertThat(store.get(keys.key(table, i), new Bytes())).isTrue();
            }
            assertThat(store.stats().jobs().compactions()).isZero();
            disk.delete("other");
            putAndFlush(200, store, keys, table, count, value);
            do {
                // Until nothing is due.
                store.get(keys.key(table, 1), new Bytes());
            } while (background.step());
            assertThat(store.stats().jobs().compactions()).isPositive();
        }
    }

    private static int putAndFlush(int puts, Store store, NumberedKeys keys, int table, int from, byte[] value)
            throws Exception {
        int count = from;
        for (int i = 0; i < puts; i++) {
            store.put(keys.key(table, count++), value, 0, value.length);
        }
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
        }
        return count;
    }

    @Test
    void aDiskThatFailsForGoodLeavesNoMemoryTaken() throws Exception {
        long ios = new History(-1).run();
        for (long failing = 0; failing < ios; failing++) {
            History history = new History(failing);
            history.local.writeBlocks(64);
            history.isForGood = true;
            history.run();
            assertThat(history.failed).isTrue();
        }
    }

    @Test
    void memoryThatEndsAfterAFailedIoLeavesNoMemoryOfStateTaken() throws Exception {
        long ios = new History(-1).run();
        for (long failing = 0; failing < ios; failing += 5) {
            History history = new History(failing);
            history.local.writeBlocks(64);
            history.endsMemory = true;
            history.run();
            assertThat(history.failed).isTrue();
        }
    }

    private static final class History {
        private final Directory disk;
        private final FaultyDirectory local;
        private final MemoryDirectory remote = new MemoryDirectory();
        private final SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
        private final StepBackground background = new StepBackground();
        private final Random random = new Random(7);
        private final FileIds ids = ModelStores.ids(11);
        private final Map<String, String> model = new HashMap<>();
        private final EntryKey key = new EntryKey();
        private final Bytes none = new Bytes();
        private final long failing;
        private Map<String, String> completedModel = Map.of();
        private List<StoreImage> completed = List.of();
        private boolean failed;
        private boolean isForGood;

        /** Whether each I/O after the failing one fails for want of heap. */
        private boolean endsMemory;

        History(long failing) {
            this(failing, new MemoryDirectory());
        }

        History(long failing, Directory disk) {
            this.failing = failing;
            this.disk = disk;
            this.local = new FaultyDirectory(disk);
        }

        long run() throws Exception {
            if (failing >= 0 && isForGood) {
                local.failFrom(failing);
            } else if (failing >= 0) {
                local.failAt(failing);
            }
            if (endsMemory) {
                local.beforeEach(this::endMemory);
            }
            try {
                live();
            } catch (DreyException e) {
                assertThat(e).rootCause().isInstanceOf(IOException.class);
                failed = true;
            } catch (OutOfMemoryError e) {
                assertThat(endsMemory).isTrue();
                failed = true;
            }
            long ios = local.ios();
            local.heal();
            memory.close();
            checkCheckpoint();
            return ios;
        }

        private void endMemory() {
            if (local.ios() > failing + 1) {
                throw new OutOfMemoryError("no heap left");
            }
        }

        private void live() throws Exception {
            Store store = Store.open(
                    ModelStores.separating(0, 3), new StoreResources(local, memory, background, ids), List.of());
            try {
                int table = store.table("values", TableKind.VALUE);
                for (int i = 0; i < OPERATIONS; i++) {
                    operate(store, table);
                    if (i % OPERATIONS_PER_SNAPSHOT == OPERATIONS_PER_SNAPSHOT - 1) {
                        checkpoint(store);
                    }
                }
            } finally {
                store.close();
            }
        }

        private void operate(Store store, int table) {
            String name = "key" + random.nextInt(KEYS);
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            Bytes keyBytes = new Bytes();
            keyBytes.append(bytes, 0, bytes.length);
            key.row(table, Math.floorMod(name.hashCode(), 4), keyBytes, none);
            int choice = random.nextInt(10);
            if (choice < 7) {
                String value = "value" + random.nextInt() + "x".repeat(random.nextInt(120));
                byte[] content = value.getBytes(StandardCharsets.UTF_8);
                store.put(key, content, 0, content.length);
                model.put(name, value);
            } else if (choice < 8) {
                store.delete(key);
                model.remove(name);
            } else {
                assertThat(read(store, key)).isEqualTo(model.get(name));
            }
            if (random.nextInt(4) == 0) {
                background.step();
            }
        }

        private static String read(Store store, EntryKey key) {
            Bytes value = new Bytes();
            return store.get(key, value) ? new String(value.toArray(), StandardCharsets.UTF_8) : null;
        }

        private void checkpoint(Store store) throws Exception {
            Map<String, String> expected = Map.copyOf(model);
            try (StoreSnapshot snapshot = store.snapshot()) {
                snapshot.await();
                for (StoreImage.FileInfo file : snapshot.files()) {
                    ModelStores.copy(disk, remote, file.name());
                }
                completed = List.of(snapshot.image());
                completedModel = expected;
            }
        }

        private void checkCheckpoint() throws Exception {
            ModelStores.Subtask restored =
                    new ModelStores.Subtask(0, 3, completed, remote, new StepBackground(), random);
            int table = restored.store.table("values", TableKind.VALUE);
            for (int i = 0; i < KEYS; i++) {
                String name = "key" + i;
                byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
                Bytes keyBytes = new Bytes();
                keyBytes.append(bytes, 0, bytes.length);
                key.row(table, Math.floorMod(name.hashCode(), 4), keyBytes, none);
                assertThat(read(restored.store, key)).isEqualTo(completedModel.get(name));
            }
            restored.close();
            assertThat(restored.directory.list()).isEmpty();
        }
    }
}
