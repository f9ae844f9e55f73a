package io.drey.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.flink.CheckpointSummary;
import org.junit.jupiter.api.Test;

/** A demo in one line. */
class ProgressTest {
    private final Progress progress = new Progress(
            1_550_000,
            152_400L,
            12_900_000L,
            "memory",
            128L << 20,
            new CheckpointSummary(3, 0, 700, 900, new CheckpointSummary.Completed(7, 800, 1 << 20, 3 << 20)));
    private final Progress starting = new Progress(0, null, null, "memory", null, CheckpointSummary.NONE);

    @Test
    void aLineSaysWhatIsGoingOn() {
        assertThat(progress.line(3_100_000))
                .isEqualTo(" 50%  1.6M of 3.1M events  152k/s  disk 12.3 MB  memory 128 MB  "
                        + "checkpoint 7: 800 ms, 3.00 MB");
        assertThat(starting.line(3_100_000)).isEqualTo("  0%  0 of 3.1M events  starting  no checkpoint yet");
    }
}
