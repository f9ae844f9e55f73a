package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.tuning.RunShape.Blocks;
import io.drey.store.tuning.RunShape.Filter;
import io.drey.store.tuning.RunShape.Measured;
import org.junit.jupiter.api.Test;

/** Blocks grow where their index would not fit and reads cost much, and filters go that would not fit. */
final class RunShapeTest {
    private static final long MEMORY = 128 << 20;
    private static final double INDEX_BYTES_OF_A_BLOCK = 12;
    private static final long SSD_NANOS = 80_000;
    private static final long PAGE_CACHE_NANOS = 3_000;

    private static DiskSpeed disk(long readNanos) {
        DiskSpeed disk = new DiskSpeed(ReadThresholds.SHIPPED);
        for (int i = 0; i < 10_000; i++) {
            disk.read(readNanos);
        }
        return disk;
    }

    private static Measured state(long entries, int rawBytesOfEach, boolean isFilterWanted) {
        return new Measured(
                entries, entries * rawBytesOfEach / 4096.0 * INDEX_BYTES_OF_A_BLOCK, MEMORY, 4096, isFilterWanted);
    }

    private static RunShape decide(long entries, int rawBytesOfEach, boolean isFilterWanted, long readNanos) {
        return RunShape.decide(state(entries, rawBytesOfEach, isFilterWanted), RunShape.FIRST, disk(readNanos));
    }

    @Test
    void stateNearTheMemoryHasSmallBlocksAndFilters() {
        RunShape shape = decide(2_000_000, 100, true, SSD_NANOS);
        assertThat(shape).isEqualTo(new RunShape(0, Blocks.INDEX_FITS, Filter.FITS));
        assertThat(shape.blockBytes(4096)).isEqualTo(4096);
    }

    @Test
    void blocksDoubleUntilTheIndexIsATenthOfTheMemory() {
        assertThat(decide(60_000_000, 100, false, SSD_NANOS).blockBytes(4096)).isEqualTo(8 << 10);
        assertThat(decide(300_000_000, 100, false, SSD_NANOS).blockBytes(4096)).isEqualTo(32 << 10);
        assertThat(decide(300_000_000, 100, false, SSD_NANOS).blocks()).isEqualTo(Blocks.INDEX_IS_LARGE);
        assertThat(decide(30_000_000_000L, 100, false, SSD_NANOS).blockBytes(4096))
                .isEqualTo(64 << 10);
    }

    @Test
    void blocksStaySmallWhereAReadCostsLessThanDecompressingMore() {
        RunShape shape = decide(300_000_000, 100, false, PAGE_CACHE_NANOS);
        assertThat(shape.blockBytes(4096)).isEqualTo(4096);
        assertThat(shape.blocks()).isEqualTo(Blocks.DISK_IS_FAST);
    }

    @Test
    void smallBlocksAreDoubledWhereReadsCostMuch() {
        Measured small = new Measured(2_000_000, 200_000_000 / 2048.0 * INDEX_BYTES_OF_A_BLOCK, MEMORY, 2048, false);
        assertThat(RunShape.decide(small, RunShape.FIRST, disk(PAGE_CACHE_NANOS)))
                .isEqualTo(new RunShape(0, Blocks.INDEX_FITS, Filter.FITS));
        RunShape shape = RunShape.decide(small, RunShape.FIRST, disk(SSD_NANOS));
        assertThat(shape).isEqualTo(new RunShape(1, Blocks.READS_COST_MUCH, Filter.FITS));
        assertThat(shape.blockBytes(2048)).isEqualTo(4096);
    }

    @Test
    void aStateThatSwingsAroundALimitKeepsItsBlocks() {
        RunShape shape = RunShape.FIRST;
        int changes = 0;
        for (int i = 0; i < 100; i++) {
            long entries = i % 2 == 0 ? 50_000_000 : 40_000_000;
            RunShape next = RunShape.decide(state(entries, 100, false), shape, disk(SSD_NANOS));
            changes += next.doublings() == shape.doublings() ? 0 : 1;
            shape = next;
        }
        assertThat(changes).isLessThanOrEqualTo(1);
        RunShape small = RunShape.decide(state(1_000_000, 100, false), shape, disk(SSD_NANOS));
        assertThat(small).isEqualTo(new RunShape(0, Blocks.INDEX_FITS, Filter.FITS));
    }

    @Test
    void filtersThatDoNotFitAreWrittenOnlyWhereKeysAreOftenAbsent() {
        assertThat(decide(60_000_000, 25, false, PAGE_CACHE_NANOS).filter()).isEqualTo(Filter.TOO_LARGE);
        assertThat(decide(60_000_000, 25, true, PAGE_CACHE_NANOS).filter()).isEqualTo(Filter.WANTED);
        assertThat(decide(300_000_000, 25, true, PAGE_CACHE_NANOS).filter()).isEqualTo(Filter.TOO_LARGE);
        assertThat(Filter.TOO_LARGE.isWritten()).isFalse();
        assertThat(Filter.WANTED.isWritten()).isTrue();
    }
}
