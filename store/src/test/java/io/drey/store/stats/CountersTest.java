package io.drey.store.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How long an owner waits, to those who look meanwhile. */
class CountersTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final Counters counters = new Counters(nanos::get);

    @Test
    void aStallCountsWhileItLastsAndOnceWithThoseInIt() {
        counters.waitBegins();
        nanos.addAndGet(10);
        assertThat(counters.jobs(0).stallNanos()).isEqualTo(10);
        assertThat(counters.jobs(0).stalls()).isEqualTo(1);
        counters.waitBegins();
        nanos.addAndGet(10);
        counters.waitEnds();
        assertThat(counters.jobs(0).stallNanos()).isEqualTo(20);
        counters.waitEnds();
        nanos.addAndGet(10);
        assertThat(counters.jobs(0).stallNanos()).isEqualTo(20);
        assertThat(counters.jobs(0).stalls()).isEqualTo(1);
        counters.waitBegins();
        nanos.addAndGet(10);
        counters.waitEnds();
        assertThat(counters.jobs(0).stallNanos()).isEqualTo(30);
        assertThat(counters.jobs(0).stalls()).isEqualTo(2);
    }
}
