package io.drey.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MemoryPlanTest {
    private static final int IO_BYTES = 256 << 10;

    /** After a scale-in, a compaction can have the runs of all parents. */
    @Test
    void readsOfAnyNumberOfInputsFitTogetherIntoWhatJobsHave() {
        for (int megabytes : new int[] {2, 16, 128, 4096}) {
            try (SlotMemory memory = new SlotMemory((long) megabytes << 20, 16 << 10)) {
                MemoryPlan plan = new MemoryPlan(memory);
                for (int inputs = 1; inputs <= 1_000; inputs++) {
                    assertThat((long) inputs * plan.readBytes(IO_BYTES, inputs))
                            .as("%s inputs in %s MB", inputs, megabytes)
                            .isBetween(1L, plan.shareBytes() * 8 / 100);
                }
            }
        }
    }
}
