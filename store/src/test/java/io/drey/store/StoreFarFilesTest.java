package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.Directory;
import io.drey.files.disks.DiskSet;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.stats.StoreStats;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Of a store whose files are still to come, only what is here is compacted: others' flushes would wait for the rest. */
final class StoreFarFilesTest {
    private static final int PAGE_BYTES = 16 << 10;
    private static final int PAGES = 1_000;
    private static final int YOUNG_RUNS_MAX = 4;
    private static final int KEYS = 8_000;

    /** Many times the young runs at which a compaction is due. */
    private static final int FLUSHES = 100;

    /** As many again as are in the restored levels, by all flushes: a major compaction is due. */
    private static final int PUTS = KEYS / FLUSHES;

    /** So large that opening does not read all of a file. */
    private static final long RUN_BYTES = 4 << 20;

    private static final int STEP_BYTES = 64 << 10;

    private final Random random = new Random(1);
    private final NumberedKeys keys = new NumberedKeys();
    private final byte[] value = new byte[1_000];
    private final Bytes read = new Bytes();
    private final StepBackground background = new StepBackground(STEP_BYTES);
    private final MemoryDirectory remote = new MemoryDirectory();

    @Test
    void compactionsLeaveFilesThatAreStillToComeUntilTheyAreHere() throws Exception {
        try (SlotMemory memory = memory();
                Store store = Store.open(settings(), resources(remote, memory), List.of())) {
            int table = store.table("t", TableKind.VALUE);
            for (int i = 0; i < FLUSHES; i++) {
                flush(store, table);
            }
            assertThat(store.stats().runs().levels().count()).isPositive();
            try (StoreSnapshot snapshot = store.snapshot()) {
                snapshot.await();
                StoreImage image = snapshot.image();
                restore(image, (far, restored, number) -> carriesOn(image, far, restored, number));
            }
        }
    }

    /** A job that fails often may come no further than to its next checkpoint, which has what is compacted by then. */
    @Test
    void filesThatHaveComeAreCompactedBeforeTheNextFlush() throws Exception {
        try (SlotMemory memory = memory();
                Store store = Store.open(settings(), resources(remote, memory), List.of())) {
            int table = store.table("t", TableKind.VALUE);
            for (int i = 0; i < 2 * YOUNG_RUNS_MAX - 2; i++) {
                flushAlone(store, table);
            }
            try (StoreSnapshot snapshot = store.snapshot()) {
                snapshot.await();
                restore(snapshot.image(), this::compactsWhatHasCome);
            }
        }
    }

    /** A store of which most is still far away. */
    private interface Restored {
        void use(FilesFarAway far, Store store, int table) throws Exception;
    }

    private void restore(StoreImage image, Restored restored) throws Exception {
        DiskSet local = new DiskSet(List.of(new MemoryDirectory()), 0, () -> 0);
        try (FilesFarAway far = new FilesFarAway(remote)) {
            far.bring(image, local);
            try (SlotMemory memory = memory();
                    Store store = Store.open(settings(), resources(local, memory), List.of(image))) {
                int table = store.table("t", TableKind.VALUE);
                restored.use(far, store, table);
            }
        }
    }

    private void compactsWhatHasCome(FilesFarAway far, Store store, int table) throws Exception {
        assertThat(far.downloads.bytesLeft()).isPositive();
        assertThat(store.stats().runs().young().count()).isGreaterThan(YOUNG_RUNS_MAX);
        far.downloads.whenWhole(store::filesHaveCome);
        far.begin();
        while (far.downloads.bytesLeft() > 0) {
            far.step();
        }
        put(store, table, 0);
        put(store, table, 0);
        assertThat(store.stats().runs().young().count()).isLessThanOrEqualTo(YOUNG_RUNS_MAX);
    }

    /** Adds a young run, without the compactions that follow. */
    private void flushAlone(Store store, int table) throws Exception {
        for (int i = 0; i < PUTS; i++) {
            write(store, table, random.nextInt(KEYS));
        }
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
        }
    }

    private void carriesOn(StoreImage image, FilesFarAway far, Store store, int table) throws Exception {
        far.begin();
        StoreStats.Files restored = store.stats().runs().levels();
        for (int i = 0; i < FLUSHES; i++) {
            flush(store, table);
            assertThat(store.stats().runs().young().count())
                    .as("what is new is compacted")
                    .isLessThanOrEqualTo(image.files().size() + YOUNG_RUNS_MAX + 1);
        }
        assertThat(far.rangesRead()).isZero();
        assertThat(store.stats().runs().levels()).isEqualTo(restored);

        while (far.downloads.bytesLeft() > 0) {
            far.step();
        }
        flush(store, table);
        assertThat(store.stats().runs().young().count()).as("a major one").isZero();
    }

    /** Adds a young run, with all compactions that follow. */
    private void flush(Store store, int table) {
        int number = 0;
        for (int i = 0; i < PUTS; i++) {
            number = random.nextInt(KEYS);
            put(store, table, number);
        }
        store.snapshot().close();
        install(store, table, number);
    }

    private void put(Store store, int table, int number) {
        write(store, table, number);
        install(store, table, number);
    }

    private void write(Store store, int table, int number) {
        random.nextBytes(value);
        store.put(keys.key(table, number), value, 0, value.length);
    }

    /** Ends all jobs; the key is in memory, so that no file is asked for it. */
    private void install(Store store, int table, int number) {
        while (background.step()) {
            store.get(keys.key(table, number), read);
        }
    }

    private static SlotMemory memory() {
        return new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES);
    }

    private static StoreSettings settings() {
        return new StoreSettings(0, 0, 4 << 10, 4 << 10, RUN_BYTES, STEP_BYTES, YOUNG_RUNS_MAX);
    }

    private StoreResources resources(Directory directory, SlotMemory memory) {
        return new StoreResources(directory, memory, background);
    }
}
