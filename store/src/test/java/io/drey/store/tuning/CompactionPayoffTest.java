package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.NumberedKeys;
import io.drey.store.Store;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Young runs that lookups read in vain are compacted, although nothing is written. */
final class CompactionPayoffTest {
    private static final int KEYS = 4_000;
    private static final int READS_MAX = 4_000_000;
    private static final long BLOCK_BYTES = 50 << 20;
    private static final long RAW_BYTES = 240 << 20;
    private static final long READ_NANOS = 4_000_000;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();
    private final byte[] value = new byte[100];

    @Test
    void youngRunsThatCostReadsAreCompactedAlthoughNothingIsWritten() throws Exception {
        // No room for filters: each lookup of a key that the young run does not have reads in vain.
        try (SlotMemory memory = new SlotMemory(256 << 10, 1 << 10)) {
            StepBackground background = new StepBackground();
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
            StoreSettings settings = new StoreSettings(0, 0, 512, 512, 64 << 10, 4 << 10, 8);
            try (Store store = Store.open(settings, resources, List.of())) {
                int table = store.table("t", TableKind.VALUE);
                write(store, table, 0, KEYS, background);
                write(store, table, 0, KEYS / 20, background);
                assertThat(store.stats().runs().young().count()).isPositive();
                long compactionsBefore = store.stats().jobs().compactions();
                int reads = 0;
                while (store.stats().runs().young().count() > 0 && reads < READS_MAX) {
                    assertThat(store.get(keys.key(table, KEYS / 20 + reads % (KEYS - KEYS / 20)), read))
                            .isTrue();
                    background.step();
                    reads++;
                }
                assertThat(store.stats().runs().young().count()).isZero();
                assertThat(store.stats().jobs().compactions()).isGreaterThan(compactionsBefore);
            }
        }
    }

    @Test
    void withoutZstdCompressedBlocksAreCompactedTheSoonerTheMoreReadsWithZstdOnesWouldSave() {
        CompactionPayoff waste = new CompactionPayoff();
        waste.installed(input(100_000));

        long all = readsUntilWorth(waste, 0.6, 0.75);
        assertThat(readsUntilWorth(waste, 0.6, 1)).as("no more than all").isEqualTo(all);
        assertThat(readsUntilWorth(waste, 0.3, 0.3)).isBetween(6 * all, 8 * all);
        assertThat(readsUntilWorth(waste, 0.3, 0.4)).isBetween(2 * all, 4 * all);
    }

    @Test
    void whereMemoryHoldsAllBlocksOrHardlyAnyZstdSavesNoReads() {
        CompactionPayoff waste = new CompactionPayoff();
        waste.installed(input(100_000));
        assertThat(decide(waste, 100_000_000, 1, 1)).isEqualTo(CompactionPayoff.Decision.WAIT_NOTHING_LOST);
        assertThat(decide(waste, 100_000, 0.01, 0.01)).isEqualTo(CompactionPayoff.Decision.WAIT_COSTS_MORE_THAN_LOST);
    }

    @Test
    void fewerBlocksNeedFewerPagesOfTheIndex() {
        CompactionPayoff waste = new CompactionPayoff();
        waste.installed(input(RAW_BYTES / 2048));
        assertThat(waste.indexPagesAfter(100)).isEqualTo(50);
        waste.installed(input(RAW_BYTES / 8192));
        assertThat(waste.indexPagesAfter(100)).isEqualTo(100);
    }

    private static CompactionPayoff.Input input(long blocks) {
        return new CompactionPayoff.Input(15_000_000, BLOCK_BYTES, BLOCK_BYTES, blocks, RAW_BYTES);
    }

    @Test
    void saysWhatIsLostMostAndAskingChangesNothing() {
        CompactionPayoff waste = new CompactionPayoff();
        waste.installed(new CompactionPayoff.Input(1_000, 1 << 20, BLOCK_BYTES, 1_000, 4 << 20));
        assertThat(decideTwice(waste, 0)).isEqualTo(CompactionPayoff.Decision.WAIT_NOTHING_LOST);
        waste.wasted(1);
        assertThat(decideTwice(waste, 0)).isEqualTo(CompactionPayoff.Decision.WAIT_COSTS_MORE_THAN_LOST);
        waste.wasted(100);
        assertThat(decideTwice(waste, 0)).isEqualTo(CompactionPayoff.Decision.COMPACT_YOUNG_RUNS_COST_READS);
        assertThat(decideTwice(waste, 1_000)).isEqualTo(CompactionPayoff.Decision.COMPACT_ZSTD_SAVES_READS);
    }

    private static CompactionPayoff.Decision decideTwice(CompactionPayoff waste, long withoutZstd) {
        CompactionPayoff.Decision first = waste.decide(2_000, 2_000 * READ_NANOS, withoutZstd, 0, BLOCK_BYTES);
        assertThat(waste.decide(2_000, 2_000 * READ_NANOS, withoutZstd, 0, BLOCK_BYTES))
                .isEqualTo(first);
        return first;
    }

    /** After reads of blocks without Zstandard only, where there is room for such parts of them before and after. */
    private static CompactionPayoff.Decision decide(CompactionPayoff waste, long reads, double room, double roomAfter) {
        return waste.decide(
                reads, reads * READ_NANOS, reads, (long) (room * BLOCK_BYTES), (long) (roomAfter * BLOCK_BYTES));
    }

    private static long readsUntilWorth(CompactionPayoff waste, double room, double roomAfter) {
        long reads = 1;
        while (!decide(waste, reads, room, roomAfter).isCompaction()) {
            reads++;
        }
        return reads;
    }

    private void write(Store store, int table, int from, int to, StepBackground background) throws Exception {
        for (int i = from; i < to; i++) {
            store.put(keys.key(table, i), value, 0, value.length);
            background.step();
        }
        try (StoreSnapshot flushed = store.snapshot()) {
            flushed.await();
        }
        for (int i = 0; i < 1000; i++) {
            background.step();
        }
        store.get(keys.key(table, from), read);
    }
}
