package io.drey.store;

import io.drey.files.Directory;
import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import io.drey.files.disks.DiskSet;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.file.FileId;
import io.drey.store.file.FileIds;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.StepBackground;
import io.drey.store.tuning.PlacementLimits;
import io.drey.store.tuning.ReadThresholds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** The stores of all subtasks of an operator, with a directory and background of their own, in tiny memory. */
final class ModelStores {
    static final int KEY_GROUPS = 12;
    static final String VALUES = "values";
    static final String LISTS = "lists";
    static final String MAPS = "maps";
    static final int PAGE_BYTES = 1 << 10;
    static final long RUN_BYTES_MAX = 2 << 10;

    /** So long that memory moves after a few reads, not only after many misses. */
    private static final long READ_NANOS = 200_000_000;

    private static final PlacementLimits SEPARATION = new PlacementLimits(8, 8, 4 << 10);

    /** One subtask. */
    static final class Subtask {
        final DiskSet directory = new DiskSet(List.of(new MemoryDirectory()), 0, () -> 0);
        final FilesFarAway later;
        final Background background;
        final SlotMemory memory;
        final Store store;
        final int keyGroupFrom;
        final int keyGroupTo;

        Subtask(
                int from,
                int to,
                List<StoreImage> parents,
                MemoryDirectory remote,
                Background background,
                Random random)
                throws IOException {
            this.background = background;
            keyGroupFrom = from;
            keyGroupTo = to;
            int pages = 110 + random.nextInt(200);
            int pageBytes = pages % 4 == 0 ? 2 * PAGE_BYTES : PAGE_BYTES;
            memory = new SlotMemory((long) pageBytes * pages, pageBytes);
            later = new FilesFarAway(remote);
            boolean isLater = random.nextBoolean();
            for (StoreImage parent : parents) {
                for (StoreImage.FileInfo file : parent.files()) {
                    if (!isLater) {
                        copy(remote, directory, file.name());
                    } else if (!directory.exists(file.name())) {
                        directory.add(later.downloads, later.file(file.name(), file.bytes()), FileChecksum.NONE);
                    }
                }
            }
            store = Store.open(
                    random.nextBoolean() ? separating(from, to) : compressing(from, to),
                    new StoreResources(directory, memory, background, ids(random.nextLong())),
                    parents);
            later.begin();
            List<Runnable> tables = new ArrayList<>(List.of(
                    () -> store.table(VALUES, TableKind.VALUE),
                    () -> store.table(LISTS, TableKind.LIST),
                    () -> store.table(MAPS, TableKind.MAP)));
            Collections.shuffle(tables, random);
            tables.forEach(Runnable::run);
        }

        /** Runs a background job, if the caller is who runs them, and fetches some of a restored file. */
        void step() {
            later.step();
            if (background instanceof StepBackground steps) {
                steps.step();
            }
        }

        /** Closes the store and checks that nothing is left of it. */
        void close() throws IOException {
            store.close();
            later.close();
            if (memory.arena().freePages() != memory.arena().pages()) {
                throw new AssertionError("expected all pages back, found "
                        + (memory.arena().pages() - memory.arena().freePages()) + " taken");
            }
            memory.close();
            if (!directory.list().isEmpty()) {
                throw new AssertionError("expected no files after close, found " + directory.list());
            }
        }
    }

    final List<Subtask> subtasks = new ArrayList<>();
    private final EntryKey key = new EntryKey();

    /** Tiny limits, and values so small that they stay in runs. */
    static StoreSettings settings(int from, int to) {
        return new StoreSettings(from, to, 128, 64, RUN_BYTES_MAX, 256, 3, thresholds(), PlacementLimits.SHIPPED);
    }

    /** The same, but nearly all values are separated. */
    static StoreSettings separating(int from, int to) {
        return separating(from, to, RUN_BYTES_MAX);
    }

    static StoreSettings separating(int from, int to, long runBytesMax) {
        return new StoreSettings(from, to, 128, 64, runBytesMax, 256, 3, thresholds(), SEPARATION);
    }

    /** No read is expensive, so that values that stay in runs are compressed by themselves where that is worth it. */
    private static StoreSettings compressing(int from, int to) {
        ReadThresholds thresholds = ReadThresholds.of(0, Long.MAX_VALUE, 0, new TickingClock(READ_NANOS));
        return new StoreSettings(from, to, 128, 64, RUN_BYTES_MAX, 256, 3, thresholds, PlacementLimits.SHIPPED);
    }

    /** Every read is worth saving, and takes the same time. */
    private static ReadThresholds thresholds() {
        return ReadThresholds.of(0, 0, 0, new TickingClock(READ_NANOS));
    }

    /** Ids that the seed decides, so that histories repeat to the byte. */
    static FileIds ids(long seed) {
        Random draws = new Random(seed);
        return () -> new FileId(draws.nextLong(), draws.nextLong());
    }

    static ModelStores empty(int parallelism, Supplier<Background> backgrounds, Random random) throws IOException {
        return restored(parallelism, List.of(), new MemoryDirectory(), backgrounds, random);
    }

    /** Stores at a parallelism, each restored from the parents that share key groups with it. */
    static ModelStores restored(
            int parallelism,
            List<StoreImage> parents,
            MemoryDirectory remote,
            Supplier<Background> backgrounds,
            Random random)
            throws IOException {
        ModelStores stores = new ModelStores();
        for (int i = 0; i < parallelism; i++) {
            int from = i * KEY_GROUPS / parallelism;
            int to = (i + 1) * KEY_GROUPS / parallelism - 1;
            List<StoreImage> mine = parents.stream()
                    .filter(parent -> parent.keyGroupFrom() <= to && parent.keyGroupTo() >= from)
                    .toList();
            stores.subtasks.add(new Subtask(from, to, mine, remote, backgrounds.get(), random));
        }
        return stores;
    }

    void close() throws IOException {
        for (Subtask subtask : subtasks) {
            subtask.close();
        }
        subtasks.clear();
    }

    Store storeOf(ModelState.Row row) {
        return subtaskOf(row).store;
    }

    Subtask subtaskOf(ModelState.Row row) {
        return subtasks.stream()
                .filter(subtask -> subtask.keyGroupFrom <= row.keyGroup() && row.keyGroup() <= subtask.keyGroupTo)
                .findFirst()
                .orElseThrow();
    }

    EntryKey key(ModelState.Row row, String table, TableKind kind) {
        int number = storeOf(row).table(table, kind);
        return key.row(number, row.keyGroup(), bytes(row.key()), bytes(row.namespace()));
    }

    private static Bytes bytes(ByteBuffer buffer) {
        Bytes bytes = new Bytes();
        bytes.append(buffer.array(), 0, buffer.array().length);
        return bytes;
    }

    static void copy(Directory from, Directory to, String name) throws IOException {
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
}
