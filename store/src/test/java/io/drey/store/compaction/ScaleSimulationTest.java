package io.drey.store.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.memory.MemoryPlan;
import io.drey.store.memory.SlotMemory;
import io.drey.store.tuning.DiskSpeed;
import io.drey.store.tuning.ReadThresholds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What reads and updates of entries, evenly over all of the state, cost as it grows to a terabyte with 4 GB of memory.
 * {@code store.md} has the table.
 */
final class ScaleSimulationTest {
    private static final int PLAN_BYTES = 16 << 20;
    private static final long MEMORY_BYTES = 4L << 30;
    private static final long READ_NANOS = 80_000;
    private static final double SPACE_MAX = 1.55;

    /** Of the memory. */
    private static final double RESIDENT_MAX = 0.1;

    private static final double OPENING_SECONDS_MAX = 10;

    /** The most bytes written for each flushed one, reads of what is there, and of what is not. */
    @ParameterizedTest
    @CsvSource({
        "SMALL, 5, 3000, 6.8, 1.1, 1.1",
        "SMALL, 25, 3000, 8.2, 2.1, 2.3",
        "SMALL, 100, 3000, 9.8, 4.4, 4.9",
        "SMALL, 256, 3000, 11.4, 6.8, 7.6",
        "SMALL, 5, 80000, 6.8, 1.1, 1.1",
        "SMALL, 25, 80000, 8.2, 1.3, 1.4",
        "SMALL, 100, 80000, 9.8, 3.2, 3.6",
        "SMALL, 256, 80000, 11.4, 5.9, 6.6",
        "LARGE, 5, 80000, 6.3, 1.1, 1.1",
        "LARGE, 25, 80000, 7, 1.1, 1.1",
        "LARGE, 100, 80000, 7.7, 1.1, 1.1",
        "LARGE, 256, 80000, 8.3, 1.2, 1.2"
    })
    void costsGrowSlowlyWithTheRatio(
            ScaledState.Entry entry, int ratio, long readNanos, double writes, double present, double absent) {
        ScaledState state = state(entry, ratio, readNanos);
        state.run(1.5);
        state.run(2);
        assertThat(state.writeAmplification()).as("writes").isLessThanOrEqualTo(writes);
        assertThat(state.presentReads()).as("reads of what is there").isLessThanOrEqualTo(present);
        assertThat(state.absentReads()).as("reads of what is not").isLessThanOrEqualTo(absent);
        assertThat(state.spaceAmplification()).as("space").isLessThanOrEqualTo(SPACE_MAX);
        assertThat(state.residentShare()).as("tops of runs").isLessThanOrEqualTo(RESIDENT_MAX);
        assertThat(state.openingReads() * READ_NANOS / 1e9)
                .as("seconds until all runs are open")
                .isLessThanOrEqualTo(OPENING_SECONDS_MAX);
    }

    private static ScaledState state(ScaledState.Entry entry, int ratio, long readNanos) {
        DiskSpeed disk = new DiskSpeed(ReadThresholds.SHIPPED);
        for (int i = 0; i < 10_000; i++) {
            disk.read(readNanos);
        }
        try (SlotMemory memory = new SlotMemory(PLAN_BYTES, 4096)) {
            return new ScaledState(entry, MEMORY_BYTES, ratio, new MemoryPlan(memory), disk);
        }
    }
}
