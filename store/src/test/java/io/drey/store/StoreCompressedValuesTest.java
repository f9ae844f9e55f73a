package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.entry.TimestampExpiry;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.run.ReadThresholds;
import io.drey.store.schedule.StepBackground;
import io.drey.store.tuning.SeparationLimits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values are compressed by themselves where that takes hardly more space than compressing blocks of them. */
final class StoreCompressedValuesTest {
    private static final int KEYS = 1_000;
    private static final int VALUE_BYTES = 800;
    private static final int STEPS = 1_000;
    private static final int READS_MAX = 1_000_000;
    private static final int ROUNDS_MAX = 100;
    private static final long CHEAP_NANOS = 4_000;
    private static final long SLOW_NANOS = 4_000_000;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();
    private final TickingClock clock = new TickingClock(CHEAP_NANOS);
    private final StepBackground background = new StepBackground();
    private final SlotMemory memory = new SlotMemory(256 << 10, 4 << 10);
    private final MemoryDirectory directory = new MemoryDirectory();
    private final Store store = open();

    /** Asking for what is not there installs what jobs have made. */
    private final int nobody = store.table("nobody", TableKind.VALUE);

    /** What a value consists of. */
    private interface Shape {
        byte[] value(int number);
    }

    private Store open() {
        ReadThresholds thresholds = ReadThresholds.of(0, ReadThresholds.SHIPPED.aroundNanos(), 0.1, clock);
        SeparationLimits never = new SeparationLimits(1 << 20, 1 << 20, 1 << 20);
        StoreSettings settings = new StoreSettings(0, 0, 4 << 10, 4 << 10, 256 << 10, 16 << 10, 3, thresholds, never);
        return Store.open(settings, new StoreResources(directory, memory, background), List.of());
    }

    @AfterEach
    void nothingIsLeft() {
        store.close();
        assertThat(directory.list()).isEmpty();
        assertThat(memory.arena().freePages()).isEqualTo(memory.arena().pages());
        memory.close();
    }

    @Test
    void valuesThatRepeatWithinThemselvesAreCompressedAndStayWhatTheyWere() throws Exception {
        int table = store.table("t", TableKind.VALUE);
        write(table, StoreCompressedValuesTest::repeating);

        assertThat(store.stats().values().compressed()).isGreaterThan(KEYS);
        assertThat(store.stats().jobs().compactions()).isPositive();
        check(table, StoreCompressedValuesTest::repeating);
    }

    @Test
    void valuesThatRepeatOnlyEachOtherAreCompressedAsBlocks() throws Exception {
        int table = store.table("t", TableKind.VALUE);
        write(table, StoreCompressedValuesTest::alike);

        assertThat(store.stats().values().compressed()).isZero();
        assertThat(bytes()).isLessThan(KEYS * VALUE_BYTES / 2);
        check(table, StoreCompressedValuesTest::alike);
    }

    @Test
    void entriesOfMapsAreCompressedAndScanned() throws Exception {
        int table = store.table("m", TableKind.MAP);
        for (int i = 0; i < KEYS; i++) {
            store.put(keys.mapEntry(table, 1, i), repeating(i), 0, VALUE_BYTES);
            background.step();
        }
        flush();

        assertThat(store.stats().values().compressed()).isGreaterThan(KEYS / 2);
        MapScan scan = store.scanMap(keys.key(table, 1), null);
        for (int i = 0; i < KEYS; i++) {
            assertThat(scan.next()).isTrue();
            assertThat(Arrays.copyOfRange(scan.bytes(), scan.valueOffset(), scan.valueOffset() + scan.valueLength()))
                    .isEqualTo(repeating(i));
        }
        assertThat(scan.next()).isFalse();
    }

    @Test
    void listsThatGrowAreNotCompressed() throws Exception {
        int table = store.table("l", TableKind.LIST);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < KEYS / 4; i++) {
                store.append(keys.key(table, i), repeating(round), 0, VALUE_BYTES);
                background.step();
            }
        }
        flush();

        assertThat(store.stats().values().compressed()).isZero();
        for (int i = 0; i < KEYS / 4; i++) {
            assertThat(store.get(keys.key(table, i), read)).isTrue();
            assertThat(read.length()).isEqualTo(3 * VALUE_BYTES);
        }
    }

    @Test
    void aMajorCompactionDecompressesThemOnceReadsAreDear() throws Exception {
        int table = store.table("t", TableKind.VALUE);
        write(table, StoreCompressedValuesTest::repeating);
        majorCompactionAll(table);
        long compressed = store.stats().runs().levels().bytes();
        clock.tick(SLOW_NANOS);
        store.put(keys.key(table, 0), repeating(0), 0, VALUE_BYTES);
        flush();
        for (int reads = 0; store.stats().runs().young().count() > 0; reads++) {
            assertThat(reads).isLessThan(READS_MAX);
            check(table, reads * 31 % KEYS, StoreCompressedValuesTest::repeating);
            background.step();
        }

        assertThat(store.stats().runs().levels().bytes()).isLessThan(compressed * 9 / 10);
        check(table, StoreCompressedValuesTest::repeating);
    }

    @Test
    void compressedValuesExpireByTheTimeThatTheyBeginWith() throws Exception {
        AtomicLong now = new AtomicLong(1_000);
        Shape oddOnesLater = number -> timed(number, number % 2 == 0 ? 1_000 : 2_000);
        int table = store.table("t", TableKind.VALUE);
        store.expire(table, new TimestampExpiry(0, 100, now::get));
        write(table, oddOnesLater);
        assertThat(store.stats().values().compressed()).isGreaterThan(KEYS / 2);
        assertThat(store.stats().jobs().entriesExpired()).isZero();
        now.set(1_500);
        int other = store.table("u", TableKind.VALUE);
        write(other, StoreCompressedValuesTest::repeating);
        majorCompactionAll(other);

        assertThat(store.stats().jobs().entriesExpired()).isGreaterThan(KEYS / 4);
        for (int i = 1; i < KEYS; i += 2) {
            check(table, i, oddOnesLater);
        }
    }

    private long bytes() {
        return store.stats().runs().levels().bytes()
                + store.stats().runs().young().bytes();
    }

    private void write(int table, Shape shape) throws Exception {
        for (int i = 0; i < 2 * KEYS; i++) {
            store.put(keys.key(table, i % KEYS), shape.value(i % KEYS), 0, VALUE_BYTES);
            background.step();
        }
        flush();
    }

    /** Writes until no young run is left. */
    private void majorCompactionAll(int table) throws Exception {
        for (int round = 0; store.stats().runs().young().count() > 0; round++) {
            assertThat(round).isLessThan(ROUNDS_MAX);
            for (int i = round % 10; i < KEYS; i += 10) {
                store.put(keys.key(table, i), repeating(i), 0, VALUE_BYTES);
            }
            flush();
        }
    }

    private void flush() throws Exception {
        try (StoreSnapshot flushed = store.snapshot()) {
            flushed.await();
        }
        for (int i = 0; i < STEPS; i++) {
            background.step();
            store.get(keys.key(nobody, 0), read);
        }
    }

    private void check(int table, Shape shape) {
        for (int i = 0; i < KEYS; i++) {
            check(table, i, shape);
        }
    }

    private void check(int table, int number, Shape shape) {
        assertThat(store.get(keys.key(table, number), read)).isTrue();
        assertThat(read.toArray()).isEqualTo(shape.value(number));
    }

    /** Of every 24 bytes 8 are random digits. */
    private static byte[] repeating(int number) {
        byte[] value = new byte[VALUE_BYTES];
        Random random = new Random(number);
        for (int i = 0; i < VALUE_BYTES; i++) {
            value[i] = (byte) (i % 24 < 8 ? '0' + random.nextInt(10) : 'a' + i % 24);
        }
        return value;
    }

    /** All the same but for a number. */
    private static byte[] alike(int number) {
        byte[] value = new byte[VALUE_BYTES];
        new Random(1).nextBytes(value);
        return ByteBuffer.wrap(value).putInt(number).array();
    }

    private static byte[] timed(int number, long time) {
        return ByteBuffer.wrap(repeating(number)).putLong(time).array();
    }
}
