package io.drey.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A demo in one line. */
class ProgressTextTest {
    private final Progress progress = new Progress(
            1_550_000,
            OptionalLong.of(152_400),
            OptionalLong.of(12_900_000),
            "memory",
            OptionalLong.of(128 << 20),
            new CheckpointSummary(
                    3,
                    0,
                    Duration.ofMillis(700),
                    Duration.ofMillis(900),
                    new CheckpointSummary.Completed(7, Duration.ofMillis(800), 1 << 20, 3 << 20, "file:/chk-7"),
                    null));
    private final Progress starting = new Progress(
            0, OptionalLong.empty(), OptionalLong.empty(), "memory", OptionalLong.empty(), CheckpointSummary.NONE);

    @Test
    void aLineSaysWhatIsGoingOn() {
        assertThat(ProgressText.line(progress, 3_100_000))
                .isEqualTo(" 50%  1.6M of 3.1M events  152k/s  disk 12.3 MB  memory 128 MB  "
                        + "checkpoint 7: 800 ms, 3.0 MB");
        assertThat(ProgressText.line(starting, 3_100_000))
                .isEqualTo("  0%  0 of 3.1M events  starting  no checkpoint yet");
    }
}
