package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Arena;
import io.drey.foundation.Bytes;
import io.drey.store.NumberedKeys;
import io.drey.store.Store;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.TickingClock;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import io.drey.store.stats.StoreStats;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Memory goes to where it saves most reads: to blocks, or to single records. */
final class MemoryBalanceTest {
    private static final long MEMORY_BYTES = 4 << 20;
    private static final int READS = 400_000;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();

    @Test
    void blocksGetMemoryWhereSmallRecordsAreReadEvenly() throws Exception {
        Shares shares = sharesAfter(200_000, 8, 200_000);
        assertThat(shares.framesPercent).isGreaterThan(30);
        assertThat(shares.cacheBytes).isGreaterThan(MEMORY_BYTES / 4);
    }

    @Test
    void compressedBlocksGetMemoryWhereStateFitsOnlyCompressed() throws Exception {
        int compressedPercents = 0;
        int framesPercents = 0;
        // How much frames keep of what compressed blocks do not need depends on the numbers of files: three stores, not
        // one.
        for (int i = 0; i < 3; i++) {
            Shares shares = sharesAfter(80_000, 400, 80_000, ReadThresholds.of(0, Long.MAX_VALUE, 1, clock()));
            assertThat(shares.compressedPercent).isGreaterThan(20);
            assertThat(shares.compressed.hits()).isGreaterThan(2 * shares.compressed.misses());
            compressedPercents += shares.compressedPercent;
            framesPercents += shares.framesPercent;
        }
        assertThat(compressedPercents).isGreaterThan(framesPercents);
    }

    @Test
    void recordsGetMemoryWhereEachHotOneIsInABlockOfItsOwn() throws Exception {
        Shares shares = sharesAfter(40_000, 400, 7_000);
        assertThat(shares.framesPercent).isLessThan(20);
        assertThat(shares.cacheBytes).isLessThan(MEMORY_BYTES / 4);
    }

    @Test
    void stateThatFitsTheLogHasAllMemory() throws Exception {
        Shares shares = sharesAfter(30_000, 30, 30_000);
        assertThat(shares.cacheBytes).isLessThan(MEMORY_BYTES / 16);
        assertThat(shares.logBytes).isGreaterThan(MEMORY_BYTES / 2);
    }

    @Test
    void saysWhereMemoryMoves() {
        MemoryBalance balance = new MemoryBalance(1, 1 << 20, new DiskSpeed(ReadThresholds.SHIPPED));
        balance.limit(60);
        assertThat(balance.last()).isEqualTo(MemoryBalance.Decision.NONE);
        for (int i = 1; i < 64; i++) {
            assertThat(balance.missed(true, 1, 1, 0)).isFalse();
        }
        assertThat(balance.missed(true, 1, 1, 0)).isTrue();
        balance.decide(new MemoryBalance.Measured(0, 0, 0, 0, true, true));
        assertThat(balance.last()).isEqualTo(MemoryBalance.Decision.MOVE_TO_RECORDS);
        balance.missed(false, 1, 1, 0);
        balance.decide(new MemoryBalance.Measured(0, 0, 0, 0, true, true));
        assertThat(balance.last()).isEqualTo(MemoryBalance.Decision.STAY_GAIN_IS_SMALL);
        balance.decide(new MemoryBalance.Measured(0, 0, 1_000, 0, true, true));
        assertThat(balance.last()).isEqualTo(MemoryBalance.Decision.MOVE_TO_COMPRESSED_BLOCKS);
    }

    private record Shares(
            int framesPercent, int compressedPercent, StoreStats.Cache compressed, long cacheBytes, long logBytes) {}

    /** Reads take about what they do from the page cache. */
    private static TickingClock clock() {
        return new TickingClock(3_000);
    }

    /** Writes {@code count} values, then reads {@code hot} of them, spread over all, evenly. */
    private Shares sharesAfter(int count, int valueBytes, int hot) throws Exception {
        ReadThresholds shipped = ReadThresholds.SHIPPED;
        return sharesAfter(
                count, valueBytes, hot, ReadThresholds.of(shipped.keptNanos(), shipped.aroundNanos(), 1, clock()));
    }

    private Shares sharesAfter(int count, int valueBytes, int hot, ReadThresholds thresholds) throws Exception {
        StoreSettings settings = new StoreSettings(
                0,
                0,
                StoreSettings.BLOCK_BYTES,
                StoreSettings.PAGE_BYTES,
                StoreSettings.RUN_BYTES_MAX,
                StoreSettings.IO_BYTES,
                StoreSettings.YOUNG_RUNS_MAX,
                thresholds,
                PlacementLimits.SHIPPED);
        try (SlotMemory memory = new SlotMemory(MEMORY_BYTES, 4 << 10)) {
            StepBackground background = new StepBackground();
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", TableKind.VALUE);
                byte[] value = new byte[valueBytes];
                for (int i = 0; i < count; i++) {
                    store.put(keys.key(table, i), value, 0, valueBytes);
                }
                Random random = new Random(1);
                for (int i = 0; i < READS; i++) {
                    if (i % 64 == 0) {
                        background.step();
                    }
                    assertThat(store.get(keys.key(table, random.nextInt(hot) * (count / hot)), read))
                            .isTrue();
                }
                Arena arena = memory.arena();
                return new Shares(
                        store.stats().caches().balance().framesPercent(),
                        store.stats().caches().balance().compressedPercent(),
                        store.stats().caches().compressed(),
                        arena.usedBytes(Arena.Use.CACHE),
                        arena.usedBytes(Arena.Use.LOG) + arena.usedBytes(Arena.Use.INDEX));
            }
        }
    }
}
