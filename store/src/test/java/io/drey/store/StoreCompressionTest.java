package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.run.ReadThresholds;
import io.drey.store.schedule.StepBackground;
import io.drey.store.value.SeparationLimits;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How blocks of the last level are compressed follows from what reading them costs. */
final class StoreCompressionTest {
    private static final int KEYS = 10_000;
    private static final int VALUE_BYTES = 24;
    private static final long CHEAP_NANOS = 4_000;
    private static final long DEAR_NANOS = 4_000_000;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();

    @Test
    void sweepsCompressDenselyWhereTheOwnerWaitsForDearReads() throws Exception {
        long fast = levelBytes(CHEAP_NANOS, 0, Double.POSITIVE_INFINITY);
        long dense = levelBytes(DEAR_NANOS, 0, Double.POSITIVE_INFINITY);

        assertThat(dense).isLessThan(fast * 9 / 10);
    }

    @Test
    void readsThatAreDearButRareChangeNothing() throws Exception {
        long fast = levelBytes(CHEAP_NANOS, 1, Double.POSITIVE_INFINITY);
        long rare = levelBytes(DEAR_NANOS, 1, Double.POSITIVE_INFINITY);

        assertThat(rare).isBetween(fast * 49 / 50, fast * 51 / 50);
    }

    @Test
    void aSweepThatHasNoTimeForItChangesNothing() throws Exception {
        long fast = levelBytes(CHEAP_NANOS, 0, Double.POSITIVE_INFINITY);
        long hurried = levelBytes(DEAR_NANOS, 0, 1);

        assertThat(hurried).isBetween(fast * 49 / 50, fast * 51 / 50);
    }

    /** Bytes of the last level after values were written and read, all of which are found. */
    private long levelBytes(long readNanos, double denseShare, double densePaceMax) throws Exception {
        long dear = ReadThresholds.SHIPPED.aroundNanos();
        ReadThresholds thresholds = new ReadThresholds(0, dear, denseShare, densePaceMax, new TickingClock(readNanos));
        StoreSettings settings =
                new StoreSettings(0, 0, 4 << 10, 4 << 10, 256 << 10, 16 << 10, 3, thresholds, SeparationLimits.SHIPPED);
        try (SlotMemory memory = new SlotMemory(512 << 10, 4 << 10)) {
            StepBackground background = new StepBackground();
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", TableKind.VALUE);
                Random random = new Random(1);
                for (int i = 0; i < 5 * KEYS; i++) {
                    int number = i < KEYS ? i : random.nextInt(KEYS);
                    if (i >= KEYS) {
                        checkValue(store, table, number);
                    }
                    store.put(keys.key(table, number), value(number), 0, VALUE_BYTES);
                    if (i % 16 == 0) {
                        background.step();
                    }
                }
                assertThat(store.stats().merges()).isGreaterThan(10);
                for (int number = 0; number < KEYS; number++) {
                    checkValue(store, table, number);
                }
                return store.stats().levels().bytes();
            }
        }
    }

    private void checkValue(Store store, int table, int number) {
        assertThat(store.get(keys.key(table, number), read)).isTrue();
        assertThat(read.toArray()).isEqualTo(value(number));
    }

    /** Digits: LZ4 finds few repetitions in them, Zstandard that they are few. */
    private static byte[] value(int number) {
        byte[] value = new byte[VALUE_BYTES];
        Random random = new Random(number);
        for (int i = 0; i < VALUE_BYTES; i++) {
            value[i] = (byte) ('0' + random.nextInt(4));
        }
        return value;
    }
}
