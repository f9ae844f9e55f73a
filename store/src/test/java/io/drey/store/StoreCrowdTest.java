package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.stats.StoreStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The owner waits for compactions when too many runs are fresh, and only then. */
final class StoreCrowdTest {
    private static final int PAGE_BYTES = 1 << 10;
    private static final int PAGES = 400;
    private static final int YOUNG_RUNS_MAX = 2;

    /** Twice the young runs at which a compaction is due. */
    private static final int CROWD = 2 * YOUNG_RUNS_MAX;

    /** Many times the 16 fresh runs at which the owner would wait. */
    private static final int FLUSHES = 200;

    /** Major compactions of them take many jobs. */
    private static final int KEYS = 2_000;

    private final Random random = new Random(1);
    private final NumberedKeys keys = new NumberedKeys();
    private final StepBackground background = new StepBackground();
    private final byte[] value = new byte[40];
    private final Bytes read = new Bytes();
    private Store store;
    private int table;

    @Test
    void runsOfAMajorCompactionInProgressDoNotCount() {
        StoreSettings settings = new StoreSettings(0, 0, 256, 128, 4 << 10, 512, YOUNG_RUNS_MAX);
        try (SlotMemory memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store opened = Store.open(settings, resources, List.of())) {
                store = opened;
                table = store.table("t", TableKind.VALUE);
                fill();
                beginMajor();
                long begun = store.stats().jobs().stalls();
                int inMajor = store.stats().runs().young().count();
                assertThat(inMajor).isPositive();

                writeUntilYoung(inMajor + CROWD - 1);
                assertThat(store.stats().jobs().backlog()).isEqualTo((CROWD - 1.0) / CROWD);
                put();
                assertThat(store.stats().jobs().stalls()).isEqualTo(begun);

                writeUntilYoung(inMajor + CROWD);
                put();
                assertThat(store.stats().jobs().stalls()).isGreaterThan(begun);
            }
        }
    }

    /** Each is a run at once. */
    @Test
    void valuesTooLargeForTheLogWaitForCompactionsToo() {
        StoreSettings settings = new StoreSettings(0, 0, 256, 128, 4 << 10, 512, YOUNG_RUNS_MAX);
        try (SlotMemory memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store opened = Store.open(settings, resources, List.of())) {
                int large = opened.table("t", TableKind.VALUE);
                byte[] much = new byte[PAGES * PAGE_BYTES / 3];
                for (int number = 0; number < 50; number++) {
                    opened.put(keys.key(large, number), much, 0, much.length);
                    assertThat(opened.stats().runs().young().count()).isLessThanOrEqualTo(CROWD + 1);
                }
            }
        }
    }

    /** What comes while a long compaction lasts is compacted beside it, so that nobody waits for its end. */
    @Test
    void runsThatComeDuringALongCompactionDoNotMakeTheOwnerWait() throws Exception {
        StoreSettings settings = new StoreSettings(0, 0, 256, 128, 256 << 10, 512, 8);
        try (SlotMemory memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store opened = Store.open(settings, resources, List.of())) {
                store = opened;
                table = store.table("t", TableKind.VALUE);
                fill();
                while (background.pending() == 0) {
                    put();
                    flush();
                }
                StoreStats.Jobs begun = store.stats().jobs();
                for (int i = 0; i < FLUSHES; i++) {
                    put();
                    store.snapshot().close();
                    while (store.stats().log().isFlushing() || background.pending() > 1) {
                        background.step();
                        read();
                    }
                }
                assertThat(store.stats().jobs().stalls()).isEqualTo(begun.stalls());
                assertThat(store.stats().jobs().compactions()).isGreaterThan(begun.compactions());
                assertThat(background.pending()).as("the long one").isEqualTo(1);
                finish();
                assertThat(background.pending()).isZero();
            }
        }
    }

    /** A lookup asks the young runs of one parent only, and a restored job is not to wait for all of them. */
    @Test
    void youngRunsOfManyParentsDoNotMakeTheFirstWriteWait() throws Exception {
        int parents = 8;
        MemoryDirectory directory = new MemoryDirectory();
        List<StoreImage> images = new ArrayList<>();
        for (int parent = 0; parent < parents; parent++) {
            images.add(parent(directory, parent));
        }
        StoreSettings settings = new StoreSettings(0, parents - 1, 256, 128, 4 << 10, 512, YOUNG_RUNS_MAX);
        try (SlotMemory memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(directory, memory, background);
            try (Store opened = Store.open(settings, resources, images)) {
                store = opened;
                table = store.table("t", TableKind.VALUE);
                assertThat(store.stats().runs().young().count()).isGreaterThan(2 * CROWD);
                store.put(keys.key(table, 3, 1), value, 0, value.length);
                assertThat(background.pending()).as("a compaction is under way").isPositive();
                assertThat(store.stats().jobs().stalls()).isZero();
                assertThat(store.stats().jobs().backlog()).isLessThan(1);
                finish();
                assertThat(store.stats().runs().young().count()).isLessThan(CROWD);
            }
        }
    }

    /** A store of one key group with as many young runs as are left to themselves. */
    private StoreImage parent(MemoryDirectory remote, int keyGroup) throws Exception {
        MemoryDirectory directory = new MemoryDirectory();
        StoreSettings settings = new StoreSettings(keyGroup, keyGroup, 256, 128, 4 << 10, 512, 8);
        try (SlotMemory memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(directory, memory, background, ModelStores.ids(keyGroup));
            try (Store opened = Store.open(settings, resources, List.of())) {
                store = opened;
                table = store.table("t", TableKind.VALUE);
                for (int run = 0; run < CROWD - 1; run++) {
                    for (int number = 0; number < 20; number++) {
                        store.put(keys.key(table, keyGroup, number), value, 0, value.length);
                    }
                    store.snapshot().close();
                    flush();
                }
                try (StoreSnapshot snapshot = store.snapshot()) {
                    snapshot.await();
                    for (StoreImage.FileInfo file : snapshot.files()) {
                        ModelStores.copy(directory, remote, file.name());
                    }
                    return snapshot.image();
                }
            }
        }
    }

    /** Writes all keys, with all compactions. */
    private void fill() {
        for (int number = 0; number < KEYS; number++) {
            random.nextBytes(value);
            store.put(keys.key(table, number), value, 0, value.length);
            finish();
        }
    }

    /**
     * Writes until a part of a major compaction has ended and the next one is under way; all young runs are of it then.
     */
    private void beginMajor() {
        StoreStats.Files levels = store.stats().runs().levels();
        while (store.stats().runs().levels().equals(levels)) {
            if (!background.step()) {
                put();
            }
            read();
        }
        assertThat(background.pending()).isEqualTo(1);
    }

    /** Writes, without any compaction, until there are so many young runs, or until the owner had to wait. */
    private void writeUntilYoung(int count) {
        long before = store.stats().jobs().stalls();
        while (store.stats().runs().young().count() < count
                && store.stats().jobs().stalls() == before) {
            put();
            flush();
        }
    }

    private void put() {
        random.nextBytes(value);
        store.put(keys.key(table, random.nextInt(KEYS)), value, 0, value.length);
    }

    private void flush() {
        while (store.stats().log().isFlushing()) {
            background.step();
            read();
        }
    }

    private void finish() {
        while (background.step()) {
            read();
        }
    }

    /** Installs what has ended. */
    private void read() {
        store.get(keys.key(table, 0), read);
    }
}
