package io.drey.flink.state.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import org.junit.jupiter.api.Test;

class StateCountersTest {
    private final StateCounters counters = new StateCounters();
    private final EntryKey key = new EntryKey().row(0, 0, new Bytes(), new Bytes());

    /** At even distances, one of two kinds of operations that alternate would never be a sample. */
    @Test
    void alternatingOperationsAreSampledEvenly() {
        int pairs = 1_000_000;
        for (int i = 0; i < pairs; i++) {
            counters.got(counters.begin(), i % 4 == 0, key, 10);
            counters.put(counters.begin(), key, 20);
        }
        long expected = pairs / StateCounters.SAMPLE_INTERVAL;
        assertThat(counters.getNanos.getCount()).isBetween(expected / 2, expected * 2);
        assertThat(counters.putNanos.getCount()).isBetween(expected / 2, expected * 2);
        assertThat(counters.keyBytes.getCount()).isEqualTo(counters.getNanos.getCount() + counters.putNanos.getCount());
        assertThat(counters.getHits()).isEqualTo(pairs / 4);
        assertThat(counters.getAbsents()).isEqualTo(pairs - pairs / 4);
        assertThat(counters.puts()).isEqualTo(pairs);
    }

    @Test
    void sizesOfWhatIsNotThereAreNotSampled() {
        for (int i = 0; i < 100_000; i++) {
            counters.got(counters.begin(), false, key, 0);
        }
        assertThat(counters.valueBytes.getCount()).isZero();
        assertThat(counters.keyBytes.getCount()).isPositive();
    }
}
