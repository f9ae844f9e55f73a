package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.entry.TimestampExpiry;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.stats.StoreStats;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Runs of which everything has expired, while a compaction is under way that means to replace them. */
final class StoreExpiryDuringCompactionTest {
    private static final int PAGE_BYTES = 1 << 10;
    private static final int PAGES = 400;
    private static final int RUN_BYTES_MAX = 4 << 10;
    private static final int YOUNG_RUNS_MAX = 2;
    private static final int KEYS = 1_000;
    private static final long TTL = 1_000;

    private final Random random = new Random(1);
    private final NumberedKeys keys = new NumberedKeys();
    private final StepBackground background = new StepBackground();
    private final byte[] value = new byte[40];
    private final Bytes read = new Bytes();
    private long now;
    private Store store;
    private int lasting;
    private int expiring;

    /**
     * The major compaction has not come to the prefixes of the oldest young run yet, of which everything expires
     * meanwhile; no level is below it.
     */
    @Test
    void anExpiredYoungRunStaysUntilTheMajorCompactionThatHasItsNeighboursEnds() throws Exception {
        StoreSettings settings = new StoreSettings(0, 0, 256, 128, RUN_BYTES_MAX, 512, YOUNG_RUNS_MAX);
        try (SlotMemory memory = new SlotMemory((long) PAGE_BYTES * PAGES, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store opened = Store.open(settings, resources, List.of())) {
                store = opened;
                lasting = store.table("lasting", TableKind.VALUE);
                expiring = store.table("expiring", TableKind.VALUE);
                store.expire(expiring, new TimestampExpiry(0, TTL, () -> now));
                for (int number = 0; number < 5; number++) {
                    store.put(keys.key(expiring, number), value, 0, value.length);
                }
                flush();
                assertThat(background.pending()).isZero();
                for (int number = 0; number < KEYS; number++) {
                    putLasting(number);
                }
                flush();
                assertThat(background.pending()).as("a compaction is under way").isEqualTo(1);
                assertThat(store.stats().runs().levels().count()).isZero();
                background.step();

                now = 2 * TTL;
                store.snapshot().close();
                finish();
                checkLasting();

                store.snapshot().close();
                finish();
                StoreStats stats = store.stats();
                assertThat(stats.runs().young().count()).isZero();
                assertThat(stats.jobs().entriesExpired() + stats.jobs().runsExpired())
                        .isPositive();
                checkLasting();
            }
        }
    }

    private void putLasting(int number) {
        random.nextBytes(value);
        ByteBuffer.wrap(value).putInt(number);
        store.put(keys.key(lasting, number), value, 0, value.length);
    }

    private void checkLasting() {
        for (int number = 0; number < KEYS; number++) {
            assertThat(store.get(keys.key(lasting, number), read)).isTrue();
            assertThat(ByteBuffer.wrap(read.array()).getInt()).isEqualTo(number);
        }
    }

    /** Flushes what is in memory, and no more. */
    private void flush() throws Exception {
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
        }
        store.get(keys.key(lasting, 0), read);
    }

    private void finish() {
        do {
            store.get(keys.key(lasting, 0), read);
        } while (background.step());
    }
}
