package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.snapshot.UploadTimes.Interval;
import org.junit.jupiter.api.Test;

final class UploadTimesTest {
    private final UploadTimes times = new UploadTimes();

    /** As after a restore that claims nothing, and at a savepoint: the next checkpoint is small again. */
    @Test
    void aCheckpointOfAllThatThereIsSaysNothingOfTheStorage() {
        times.barrier(1_000, false);
        times.uploaded(100_000, 300);
        times.barrier(1_301, true);
        times.uploaded(10, 3);
        times.barrier(1_401, false);
        times.uploaded(100_000, 90);
        times.barrier(1_501, true);
        assertThat(times.last()).isEqualTo(new Interval(0, 0, 0, 0));
        times.uploaded(20, 4);
        times.barrier(1_601, true);
        assertThat(times.last()).isEqualTo(new Interval(1, 20, 4, 100));
    }
}
