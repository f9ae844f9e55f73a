package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Arena;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.StepBackground;
import io.drey.store.schedule.ThreadBackground;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that finds no page goes on when there are some, whoever gives them back. */
final class StoreMemoryWaitTest {
    private static final int PAGES = 400;

    /** So many that a compaction is due, and so few that nobody waits for it. */
    private static final int YOUNG_RUNS = 5;

    /** The same ones in each run, so that the output of a compaction needs less memory than its inputs. */
    private static final int KEYS_PER_RUN = 2_000;

    private static final int PAGES_LEFT = 8;

    private static final int INDEX_PAGES = 50;

    /** So many that a log may hold fewer pages than its index has. */
    private static final int METADATA_PAGES = 170;

    private final SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();
    private final byte[] value = new byte[24];

    /** Lets a thread pass when another one, its owner, sleeps after it has begun to write. */
    private static final class OwnerAsleep {
        private final Thread owner = Thread.currentThread();
        private final CountDownLatch begun = new CountDownLatch(1);

        void begin() {
            begun.countDown();
        }

        void await() {
            try {
                begun.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            Thread.State state = owner.getState();
            while (state == Thread.State.RUNNABLE || state == Thread.State.BLOCKED) {
                Thread.onSpinWait();
                state = owner.getState();
            }
        }
    }

    @AfterEach
    void allPagesAreBack() {
        memory.close();
    }

    @Test
    void memoryOfTheInputsOfAnEndedCompactionIsInstalledWhileWaiting() throws Exception {
        MemoryDirectory directory = new MemoryDirectory();
        StoreImage image = imageOfYoungRuns(directory);
        OwnerAsleep asleep = new OwnerAsleep();
        List<Long> taken = takeAll();
        // For the indexes of the runs, and too few for the log beside them.
        for (int i = 0; i < PAGES_LEFT; i++) {
            memory.arena().give(taken.remove(0), Arena.Use.SCRATCH);
        }
        try (ThreadBackground threads = new ThreadBackground(1)) {
            Background compactionsLate = (urgency, work) -> threads.submit(urgency, bytes -> {
                asleep.await();
                return work.step(bytes);
            });
            try (Store store = Store.open(
                    ModelStores.settings(0, 3),
                    new StoreResources(directory, memory, compactionsLate),
                    List.of(image))) {
                int table = store.table("values", TableKind.VALUE);
                asleep.begin();
                store.put(key(table, 1), value, 0, value.length);
                assertThat(store.get(key(table, 1), read)).isTrue();
                assertThat(store.stats().jobs().stalls()).isPositive();
            } finally {
                taken.forEach(page -> memory.arena().give(page, Arena.Use.SCRATCH));
            }
        }
    }

    private StoreImage imageOfYoungRuns(MemoryDirectory copies) throws Exception {
        MemoryDirectory local = new MemoryDirectory();
        StoreResources resources = new StoreResources(local, memory, new StepBackground());
        try (Store store = Store.open(ModelStores.settings(0, 3), resources, List.of())) {
            int table = store.table("values", TableKind.VALUE);
            StoreImage image = null;
            for (int run = 0; run < YOUNG_RUNS; run++) {
                for (int i = 0; i < KEYS_PER_RUN; i++) {
                    store.put(key(table, i), value, 0, value.length);
                }
                try (StoreSnapshot snapshot = store.snapshot()) {
                    snapshot.await();
                    image = snapshot.image();
                    for (StoreImage.FileInfo file : snapshot.files()) {
                        ModelStores.copy(local, copies, file.name());
                    }
                }
            }
            assertThat(image.young()).hasSizeGreaterThanOrEqualTo(YOUNG_RUNS);
            return image;
        }
    }

    @Test
    void aStoreWaitsUntilAnotherOneLeaves() throws Exception {
        OwnerAsleep asleep = new OwnerAsleep();
        Store leaving = open(new StepBackground());
        int leavingTable = leaving.table("values", TableKind.VALUE);
        int number = 0;
        while (memory.arena().freePages() > PAGES / 2) {
            leaving.put(key(leavingTable, number++), value, 0, value.length);
        }
        List<Long> taken = takeAll();
        try (Store store = open(new StepBackground())) {
            int table = store.table("values", TableKind.VALUE);
            AtomicLong stallsMeanwhile = new AtomicLong();
            Thread leaver = new Thread(() -> {
                asleep.await();
                stallsMeanwhile.set(store.stats().jobs().stalls());
                leaving.close();
            });
            leaver.start();
            asleep.begin();
            store.put(key(table, 1), value, 0, value.length);
            leaver.join();
            assertThat(stallsMeanwhile).as("a stall that lasts").hasPositiveValue();
            assertThat(store.get(key(table, 1), read)).isTrue();
            assertThat(store.stats().jobs().stalls()).isPositive();
        } finally {
            taken.forEach(page -> memory.arena().give(page, Arena.Use.SCRATCH));
        }
    }

    /** The index of a log does not shrink by itself; what the log may hold does when indexes of files grow. */
    @Test
    void aLargeIndexWithoutRecordsGivesItsPagesBack() throws Exception {
        List<Long> taken = new ArrayList<>();
        try (Store store = open(new StepBackground())) {
            int table = store.table("values", TableKind.VALUE);
            int number = 0;
            while (indexPages() < INDEX_PAGES) {
                store.put(key(table, number++), value, 0, 1);
            }
            try (StoreSnapshot flushed = store.snapshot()) {
                flushed.await();
            }
            while (taken.size() < METADATA_PAGES) {
                taken.add(memory.arena().take(Arena.Use.METADATA));
            }
            assertThat(taken).doesNotContain(Arena.FULL);
            for (int i = 0; i < number && indexPages() >= INDEX_PAGES; i++) {
                store.put(key(table, i), value, 0, value.length);
            }
            assertThat(indexPages()).isLessThan(INDEX_PAGES);
            assertThat(store.get(key(table, 0), read)).isTrue();
            assertThat(read.length()).isEqualTo(value.length);
        } finally {
            taken.forEach(page -> memory.arena().give(page, Arena.Use.METADATA));
        }
    }

    /** So that a store that opens finds none. */
    private List<Long> takeAll() {
        List<Long> taken = new ArrayList<>();
        for (long page = take(); page != Arena.FULL; page = take()) {
            taken.add(page);
        }
        return taken;
    }

    private long take() {
        return memory.arena().take(Arena.Use.SCRATCH);
    }

    private long indexPages() {
        return memory.arena().usedBytes(Arena.Use.INDEX) / ModelStores.PAGE_BYTES;
    }

    private Store open(Background background) {
        return Store.open(
                ModelStores.settings(0, 3), new StoreResources(new MemoryDirectory(), memory, background), List.of());
    }

    private EntryKey key(int table, int number) {
        return keys.key(table, number & 3, number);
    }
}
