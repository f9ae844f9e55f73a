package io.drey.flink.state.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentRatioTest {
    private final AtomicLong hits = new AtomicLong();
    private final AtomicLong misses = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong(-5);
    private final RecentRatio ratio = new RecentRatio(hits::get, misses::get, nanos::get);

    @Test
    void nothingHasNoRatio() {
        assertThat(ratio.getValue()).isNaN();
    }

    @Test
    void aChangeShowsWithinTwoWindows() {
        hits.set(1_000_000);
        assertThat(ratio.getValue()).isEqualTo(1.0);
        for (int second = 0; second < 21; second++) {
            nanos.addAndGet(1_000_000_000L);
            misses.addAndGet(100);
            ratio.getValue();
        }
        assertThat(ratio.getValue()).isZero();
    }

    @Test
    void readersThatComeOftenDoNotShortenTheWindow() {
        for (int i = 0; i < 1000; i++) {
            nanos.addAndGet(1_000_000L);
            ratio.getValue();
        }
        hits.set(3);
        misses.set(1);
        assertThat(ratio.getValue()).isEqualTo(0.75);
        assertThat(ratio.getValue()).isEqualTo(0.75);
    }
}
