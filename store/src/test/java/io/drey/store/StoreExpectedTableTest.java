package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.Directory;
import io.drey.files.disks.DiskSet;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Of a store whose files are far away, a small table comes first if it is said that it will be read. */
final class StoreExpectedTableTest {
    private static final int KEY_GROUPS = 128;
    private static final int PAGE_BYTES = 16 << 10;
    private static final int PAGES = 2_048;

    /** So many that of each run most is not read when it is opened. */
    private static final int LARGE_KEYS = 20_000;

    private static final int LARGE_BYTES = 1_000;

    /** Some times as many as bring the small table, and a tenth of those that bring all. */
    private static final int STEPS = 500;

    private static final int FEW = 10;

    /** Of the ranges of a few hundred bytes in which files come here. */
    private static final int BLOCK_RANGES = 25;

    private final NumberedKeys keys = new NumberedKeys();
    private final SplittableRandom random = new SplittableRandom(1);
    private final byte[] value = new byte[LARGE_BYTES];
    private final Bytes read = new Bytes();
    private final MemoryDirectory remote = new MemoryDirectory();

    @Test
    void aSmallTableThatIsExpectedIsHereBeforeTheRest() throws Exception {
        try (SlotMemory memory = memory();
                Store store = Store.open(settings(), resources(remote, memory), List.of())) {
            store.table("first", TableKind.VALUE);
            int small = store.table("small", TableKind.VALUE);
            int large = store.table("large", TableKind.VALUE);
            for (int i = 0; i < LARGE_KEYS; i++) {
                random.nextBytes(value);
                store.put(keys.key(large, i % KEY_GROUPS, i), value, 0, LARGE_BYTES);
                if (i % 10 == 0) {
                    store.put(keys.key(small, i % KEY_GROUPS, i), new byte[] {7}, 0, 1);
                }
            }
            try (StoreSnapshot snapshot = store.snapshot()) {
                snapshot.await();
                StoreImage image = snapshot.image();
                assertThat(waitedFor(image, small, true, 10)).isZero();
                assertThat(waitedFor(image, small, false, 10)).isPositive();
            }
        }
    }

    /** Else each lookup in a run waits for a page of its index first. */
    @Test
    void indexesAreHereBeforeTheRest() throws Exception {
        try (SlotMemory memory = memory();
                Store store = Store.open(settings(), resources(remote, memory), List.of())) {
            int large = store.table("large", TableKind.VALUE);
            for (int i = 0; i < LARGE_KEYS; i++) {
                random.nextBytes(value);
                store.put(keys.key(large, i % KEY_GROUPS, i), value, 0, LARGE_BYTES);
            }
            try (StoreSnapshot snapshot = store.snapshot()) {
                snapshot.await();
                StoreImage image = snapshot.image();
                assertThat(waitedFor(image, large, false, LARGE_KEYS / FEW))
                        .as("a block each, of so many ranges, and not a page of the index too")
                        .isBetween((long) FEW, (long) FEW * BLOCK_RANGES);
            }
        }
    }

    /** Ranges that reading the table waited for, after some time in which files came. */
    private long waitedFor(StoreImage image, int table, boolean isExpected, int each) throws Exception {
        DiskSet local = new DiskSet(List.of(new MemoryDirectory()), 0, () -> 0);
        try (FilesFarAway far = new FilesFarAway(remote)) {
            far.bring(image, local);
            try (SlotMemory memory = memory();
                    Store store = Store.open(settings(), resources(local, memory), List.of(image))) {
                far.begin();
                if (isExpected) {
                    store.expect(table);
                }
                for (int i = 0; i < STEPS; i++) {
                    far.step();
                }
                long before = far.rangesRead();
                for (int i = 0; i < LARGE_KEYS; i += each) {
                    assertThat(store.get(keys.key(table, i % KEY_GROUPS, i), read))
                            .isTrue();
                }
                assertThat(far.downloads.bytesLeft()).isPositive();
                return far.rangesRead() - before;
            }
        }
    }

    private static SlotMemory memory() {
        return new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES);
    }

    private static StoreSettings settings() {
        return StoreSettings.of(0, KEY_GROUPS - 1);
    }

    private static StoreResources resources(Directory directory, SlotMemory memory) {
        return new StoreResources(directory, memory, new StepBackground());
    }
}
