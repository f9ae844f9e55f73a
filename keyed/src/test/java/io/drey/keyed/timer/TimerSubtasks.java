package io.drey.keyed.timer;

import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Memory;
import io.drey.store.Store;
import io.drey.store.StoreImage;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/** The timer sets of all subtasks of an operator, each in a store of its own with tiny memory. */
final class TimerSubtasks {
    static final int KEY_GROUPS = 6;
    private static final int PAGE_BYTES = 1 << 10;

    /** One subtask. */
    static final class Subtask {
        final MemoryDirectory directory;
        final StepBackground background = new StepBackground();
        final SlotMemory memory;
        final Store store;
        final int keyGroupFrom;
        final int keyGroupTo;
        final int table;
        final TimerStore timers;
        final TimerSet set;

        Subtask(
                int from,
                int to,
                MemoryDirectory directory,
                List<StoreImage> parents,
                TimerLimits limits,
                SplittableRandom random) {
            this.directory = directory;
            keyGroupFrom = from;
            keyGroupTo = to;
            memory = new SlotMemory((long) PAGE_BYTES * (160 + random.nextInt(200)), PAGE_BYTES);
            store = Store.open(
                    new StoreSettings(from, to, 128, 64, 2 << 10, 256, 3),
                    new StoreResources(directory, memory, background),
                    parents);
            table = store.table("pq:timers", TableKind.MAP);
            timers = new TimerStore(store, "timers", table);
            set = new TimerSet(timers, limits, from, to - from + 1, new ReentrantLock());
        }

        void restore() {
            for (int keyGroup = keyGroupFrom; keyGroup <= keyGroupTo; keyGroup++) {
                set.restore(keyGroup);
            }
        }

        boolean holds(int keyGroup) {
            return keyGroupFrom <= keyGroup && keyGroup <= keyGroupTo;
        }

        void close() {
            store.close();
            memory.close();
        }
    }

    final List<Subtask> subtasks = new ArrayList<>();
    private final List<StoreSnapshot> snapshots = new ArrayList<>();

    static TimerSubtasks empty(int parallelism, TimerLimits limits, SplittableRandom random) {
        TimerSubtasks fresh = new TimerSubtasks();
        for (int i = 0; i < parallelism; i++) {
            int from = first(i, parallelism);
            int to = first(i + 1, parallelism) - 1;
            fresh.subtasks.add(new Subtask(from, to, new MemoryDirectory(), List.of(), limits, random));
        }
        return fresh;
    }

    private static int first(int subtask, int parallelism) {
        return subtask * KEY_GROUPS / parallelism;
    }

    /** Takes a checkpoint of all, closes them, and restores at another parallelism. */
    TimerSubtasks rescaled(int parallelism, TimerLimits limits, SplittableRandom random) throws Exception {
        TimerSubtasks restored = new TimerSubtasks();
        List<StoreImage> images = checkpoint();
        for (int i = 0; i < parallelism; i++) {
            int from = first(i, parallelism);
            int to = first(i + 1, parallelism) - 1;
            MemoryDirectory directory = new MemoryDirectory();
            List<StoreImage> parents = new ArrayList<>();
            for (int p = 0; p < images.size(); p++) {
                StoreImage image = images.get(p);
                if (image.keyGroupFrom() <= to && image.keyGroupTo() >= from) {
                    parents.add(image);
                    for (StoreImage.FileInfo file : image.files()) {
                        copy(subtasks.get(p).directory, directory, file.name());
                    }
                }
            }
            restored.subtasks.add(new Subtask(from, to, directory, parents, limits, random));
        }
        close();
        restored.subtasks.forEach(Subtask::restore);
        return restored;
    }

    /** Takes a checkpoint, whose files stay until the next one. */
    List<StoreImage> checkpoint() throws Exception {
        List<StoreImage> images = new ArrayList<>();
        snapshots.forEach(StoreSnapshot::close);
        snapshots.clear();
        for (Subtask subtask : subtasks) {
            subtask.set.writeImage();
            StoreSnapshot snapshot = subtask.store.snapshot();
            snapshots.add(snapshot);
            snapshot.await();
            images.add(snapshot.image());
        }
        return images;
    }

    private static void copy(MemoryDirectory from, MemoryDirectory to, String name) throws IOException {
        if (to.exists(name)) {
            return;
        }
        try (ReadableFile source = from.open(name);
                WritableFile target = to.create(name)) {
            ByteBuffer content = ByteBuffer.allocate((int) source.size());
            source.read(0, content);
            target.write(content.flip());
            target.sync();
        }
    }

    /** Restores at another parallelism from the rows that a canonical savepoint has. */
    TimerSubtasks throughSavepoint(int parallelism, TimerLimits limits, SplittableRandom random) throws Exception {
        TimerSubtasks restored = empty(parallelism, limits, random);
        for (int keyGroup = 0; keyGroup < KEY_GROUPS; keyGroup++) {
            for (byte[] row : savepointRows(keyGroup)) {
                restored.of(keyGroup).timers.putLoose(new Element().at(keyGroup, row, 0, row.length));
            }
        }
        close();
        restored.subtasks.forEach(Subtask::restore);
        return restored;
    }

    /** The rows of a key group in a canonical savepoint. */
    TreeSet<byte[]> savepointRows(int keyGroup) throws Exception {
        Subtask subtask = of(keyGroup);
        subtask.set.writeRows();
        TreeSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
        try (StoreSnapshot snapshot = subtask.store.snapshot()) {
            snapshot.await();
            try (EntryCursor cursor = snapshot.scan(subtask.table, keyGroup, keyGroup)) {
                while (cursor.next()) {
                    int from = cursor.rowLength() + 1;
                    byte[] row = new byte[cursor.bodyLength() - from];
                    Memory.copy(cursor.bodyAddress() + from, row, 0, row.length);
                    add(rows, row);
                }
            }
            int journals = subtask.store.table(TimerStore.journals("timers"), TableKind.LIST);
            try (EntryCursor cursor = snapshot.scan(journals, keyGroup, keyGroup)) {
                while (cursor.next()) {
                    byte[] stored = new byte[cursor.valueLength()];
                    Memory.copy(cursor.valueAddress(), stored, 0, stored.length);
                    TimerJournal.elements(keyGroup, stored).forEach(row -> add(rows, row));
                }
            }
        }
        return rows;
    }

    private static void add(TreeSet<byte[]> rows, byte[] row) {
        if (!rows.add(row)) {
            throw new AssertionError("expected each timer once, found one in two rows");
        }
    }

    Subtask of(int keyGroup) {
        return subtasks.stream()
                .filter(subtask -> subtask.holds(keyGroup))
                .findFirst()
                .orElseThrow();
    }

    void close() {
        snapshots.forEach(StoreSnapshot::close);
        snapshots.clear();
        subtasks.forEach(Subtask::close);
        subtasks.clear();
    }
}
