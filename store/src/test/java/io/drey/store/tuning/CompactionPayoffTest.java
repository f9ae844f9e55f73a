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
        waste.installed(15_000_000, 50 << 20);

        assertThat(readsUntilWorth(waste, 0)).isEqualTo(readsUntilWorth(waste, 0.2));
        assertThat(readsUntilWorth(waste, 0.6)).isBetween(readsUntilWorth(waste, 0) / 5, readsUntilWorth(waste, 0) / 3);
        assertThat(readsUntilWorth(waste, 0.9)).isEqualTo(readsUntilWorth(waste, 1));
        assertThat(readsUntilWorth(waste, 1)).isBetween(readsUntilWorth(waste, 0) / 9, readsUntilWorth(waste, 0) / 7);
    }

    /** Of reads of withoutZstd blocks that take 4 ms each, while memory holds a share of the blocks. */
    private static long readsUntilWorth(CompactionPayoff waste, double compressedShare) {
        long reads = 1;
        while (!waste.isMajorWorth(reads, reads * 4_000_000, reads, compressedShare)) {
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
