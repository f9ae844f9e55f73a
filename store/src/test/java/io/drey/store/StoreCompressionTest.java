package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.stats.StoreStats;
import io.drey.store.tuning.CompactionPayoff;
import io.drey.store.tuning.CompressionPolicy;
import io.drey.store.tuning.DiskSpeed;
import io.drey.store.tuning.PlacementLimits;
import io.drey.store.tuning.ReadThresholds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How blocks of the last level are compressed follows from what reading them costs. */
final class StoreCompressionTest {
    private static final int KEYS = 10_000;
    private static final int VALUE_BYTES = 24;
    private static final int STEPS = 1_000;
    private static final int READS_MAX = 1_000_000;
    private static final long CHEAP_NANOS = 4_000;
    private static final long SLOW_NANOS = 4_000_000;

    /** Bytes per second beyond what major compactions of a test need, which flushes as fast as it can. */
    private static final double PACE_OF_A_TEST_MAX = 1 << 30;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();

    @Test
    void majorCompactionsCompressWithZstdWhereTheOwnerWaitsForDearReads() throws Exception {
        long fast = levelBytes(CHEAP_NANOS, 0, Double.POSITIVE_INFINITY);
        long withZstd = levelBytes(SLOW_NANOS, 0, Double.POSITIVE_INFINITY);

        assertThat(withZstd).isLessThan(fast * 9 / 10);
    }

    @Test
    void slowReadsThatAreRareChangeNothing() throws Exception {
        long fast = levelBytes(CHEAP_NANOS, 1, Double.POSITIVE_INFINITY);
        long rare = levelBytes(SLOW_NANOS, 1, Double.POSITIVE_INFINITY);

        assertThat(rare).isBetween(fast * 49 / 50, fast * 51 / 50);
    }

    @Test
    void aMajorCompactionThatHasNoTimeForItChangesNothing() throws Exception {
        long fast = levelBytes(CHEAP_NANOS, 0, Double.POSITIVE_INFINITY);
        long hurried = levelBytes(SLOW_NANOS, 0, 1);

        assertThat(hurried).isBetween(fast * 49 / 50, fast * 51 / 50);
    }

    @Test
    void theFirstMajorCompactionHasTimeToCompressWithZstdAlthoughNothingIsInTheLastLevelYet() throws Exception {
        long withZstd = firstLevelBytes(Double.POSITIVE_INFINITY);

        assertThat(firstLevelBytes(1)).isGreaterThan(withZstd * 11 / 10);
        assertThat(firstLevelBytes(PACE_OF_A_TEST_MAX)).isEqualTo(withZstd);
    }

    @Test
    void whatWasCompressedWhileReadsWereCheapIsCompressedWithZstdOnceTheyAreDear() throws Exception {
        TickingClock clock = new TickingClock(CHEAP_NANOS);
        try (SlotMemory memory = new SlotMemory(192 << 10, 4 << 10)) {
            StepBackground background = new StepBackground();
            try (Store store = open(memory, background, clock)) {
                long withoutZstd = compressWithoutZstd(store, background);
                clock.tick(SLOW_NANOS);
                assertThat(store.stats().tuning().disk()).isEqualTo(DiskSpeed.Grade.FAST);
                readUntilMajorIsDue(store, background);
                StoreStats.Tuning tuning = store.stats().tuning();
                assertThat(tuning.disk()).isEqualTo(DiskSpeed.Grade.SLOW);
                assertThat(tuning.payoff()).isEqualTo(CompactionPayoff.Decision.COMPACT_ZSTD_SAVES_READS);
                assertThat(tuning.compression()).isEqualTo(CompressionPolicy.Decision.ZSTD_READS_STALL_MUCH);
                assertThat(majorCompaction(store, background)).isLessThan(withoutZstd * 9 / 10);
            }
        }
    }

    @Test
    void aMajorCompactionUnderWayGoesBackToFastCompressionWhenReadsAreCheapAgain() throws Exception {
        TickingClock clock = new TickingClock(CHEAP_NANOS);
        try (SlotMemory memory = new SlotMemory(192 << 10, 4 << 10)) {
            StepBackground background = new StepBackground();
            try (Store store = open(memory, background, clock)) {
                long withoutZstd = compressWithoutZstd(store, background);
                clock.tick(SLOW_NANOS);
                readUntilMajorIsDue(store, background);
                clock.tick(CHEAP_NANOS);
                for (int number = 0; number < KEYS; number++) {
                    checkValue(store, table(store), number);
                }
                assertThat(majorCompaction(store, background)).isBetween(withoutZstd * 49 / 50, withoutZstd * 51 / 50);
            }
        }
    }

    private static Store open(SlotMemory memory, StepBackground background, TickingClock clock) {
        ReadThresholds thresholds = ReadThresholds.of(0, ReadThresholds.SHIPPED.aroundNanos(), 0.1, clock);
        StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
        return Store.open(settings(thresholds), resources, List.of());
    }

    private static int table(Store store) {
        return store.table("t", TableKind.VALUE);
    }

    /**
     * Sets all values and major compactions, until a major compaction needs nothing but a reason: the bytes of the last
     * level.
     */
    private long compressWithoutZstd(Store store, StepBackground background) throws Exception {
        int table = table(store);
        write(store, table, KEYS, background);
        majorCompactionAll(store, table, background);
        // A major compaction needs a young run; this one spans the table and has next to nothing of it, so that it
        // costs no reads.
        for (int number : new int[] {endOf(table, true), endOf(table, false)}) {
            store.put(keys.key(table, number), value(number), 0, VALUE_BYTES);
        }
        flush(store, table, background);
        assertThat(background.pending()).isZero();
        return store.stats().runs().levels().bytes();
    }

    /** The number of the first or last key in the order of runs. */
    private int endOf(int table, boolean first) {
        int end = 0;
        long prefix = keys.key(table, end).prefix();
        for (int number = 1; number < KEYS; number++) {
            long other = keys.key(table, number).prefix();
            if (other != prefix && first == Long.compareUnsigned(other, prefix) < 0) {
                end = number;
                prefix = other;
            }
        }
        return end;
    }

    private void readUntilMajorIsDue(Store store, StepBackground background) throws Exception {
        int table = table(store);
        long reads = 0;
        while (background.pending() == 0) {
            assertThat(reads++).isLessThan(READS_MAX);
            checkValue(store, table, (int) (reads * 31 % KEYS));
        }
    }

    /** The bytes of the last level after the major compaction that is under way. */
    private long majorCompaction(Store store, StepBackground background) {
        while (background.pending() > 0) {
            background.step();
        }
        checkValue(store, table(store), 0);
        assertThat(store.stats().runs().young().count()).isZero();
        return store.stats().runs().levels().bytes();
    }

    /** Bytes of the last level after values were written and read, all of which are found. */
    private long levelBytes(long readNanos, double zstdShare, double zstdPaceMax) throws Exception {
        long dear = ReadThresholds.SHIPPED.aroundNanos();
        ReadThresholds thresholds = new ReadThresholds(0, dear, zstdShare, zstdPaceMax, new TickingClock(readNanos));
        try (SlotMemory memory = new SlotMemory(512 << 10, 4 << 10)) {
            StepBackground background = new StepBackground();
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings(thresholds), resources, List.of())) {
                int table = table(store);
                write(store, table, 5 * KEYS, background);
                assertThat(store.stats().jobs().compactions()).isGreaterThan(10);
                for (int number = 0; number < KEYS; number++) {
                    checkValue(store, table, number);
                }
                endCompactions(store, table, background);
                return store.stats().runs().levels().bytes();
            }
        }
    }

    /** Else the last level has what a major compaction wrote and the whole of what it has not read to its end. */
    private void endCompactions(Store store, int table, StepBackground background) {
        while (background.pending() > 0) {
            background.step();
            checkValue(store, table, 0);
        }
    }

    /** Bytes of the last level after the first major compaction, all of whose values are expensive to read. */
    private long firstLevelBytes(double zstdPaceMax) throws Exception {
        // Slow after the first read: of so little state the first one that is lost is worth a major compaction.
        ReadThresholds thresholds = new ReadThresholds(0, 1_000, 0, zstdPaceMax, new TickingClock(SLOW_NANOS));
        try (SlotMemory memory = new SlotMemory(192 << 10, 4 << 10)) {
            StepBackground background = new StepBackground();
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings(thresholds), resources, List.of())) {
                int table = table(store);
                for (int number = 0; store.stats().runs().levels().bytes() == 0; number++) {
                    assertThat(number).isLessThan(KEYS);
                    store.put(keys.key(table, number), value(number), 0, VALUE_BYTES);
                    checkValue(store, table, number / 2);
                    background.step();
                }
                return majorCompaction(store, background);
            }
        }
    }

    private static StoreSettings settings(ReadThresholds thresholds) {
        return new StoreSettings(0, 0, 4 << 10, 4 << 10, 256 << 10, 16 << 10, 3, thresholds, PlacementLimits.SHIPPED);
    }

    /** Sets all values, and then so many of them again, each after it was read. */
    private void write(Store store, int table, int count, StepBackground background) {
        Random random = new Random(1);
        for (int i = 0; i < count; i++) {
            int number = i < KEYS ? i : random.nextInt(KEYS);
            if (i >= KEYS) {
                checkValue(store, table, number);
            }
            store.put(keys.key(table, number), value(number), 0, VALUE_BYTES);
            if (i % 16 == 0) {
                background.step();
            }
        }
    }

    /** Writes until no young run is left. */
    private void majorCompactionAll(Store store, int table, StepBackground background) throws Exception {
        Random random = new Random(2);
        do {
            for (int i = 0; i < KEYS / 10; i++) {
                int number = random.nextInt(KEYS);
                store.put(keys.key(table, number), value(number), 0, VALUE_BYTES);
            }
            flush(store, table, background);
        } while (store.stats().runs().young().count() > 0);
    }

    private void flush(Store store, int table, StepBackground background) throws Exception {
        try (StoreSnapshot flushed = store.snapshot()) {
            flushed.await();
        }
        for (int i = 0; i < STEPS; i++) {
            background.step();
            checkValue(store, table, 0);
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
