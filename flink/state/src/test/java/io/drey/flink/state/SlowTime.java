package io.drey.flink.state;

import io.drey.flink.state.keyed.DreyKeyedStateBackendBuilder;
import io.drey.flink.state.memory.Surroundings;
import io.drey.flink.state.options.DreySettings;
import io.drey.flink.state.task.Time;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;

/**
 * The system's time, but slower: what a backend writes once more, or does not wait for, because it takes so long, is not
 * up to how slow a machine is.
 */
final class SlowTime implements Time {
    private static final int FACTOR = 20;

    private final long begin = System.nanoTime();
    private final AtomicLong passed = new AtomicLong();

    /** A backend that has it. */
    <K> AbstractKeyedStateBackend<K> open(Configuration options, KeyedStateBackendParametersImpl<K> parameters)
            throws IOException {
        Surroundings real = Surroundings.REAL;
        return new DreyKeyedStateBackendBuilder<>(
                        parameters,
                        DreySettings.from(options),
                        LatencyTrackingStateConfig.disabled(),
                        SizeTrackingStateConfig.disabled(),
                        new BackendLog(),
                        new Surroundings(
                                real.background(),
                                real.ids(),
                                this,
                                real.thresholds(),
                                real.placement(),
                                real.downloads(),
                                real.uploads(),
                                real.packs(),
                                real.trust(),
                                real.disks()))
                .build();
    }

    /** So much passes at once. */
    void pass(long nanos) {
        passed.addAndGet(nanos);
    }

    @Override
    public long nanos() {
        return (System.nanoTime() - begin) / FACTOR + passed.get();
    }

    @Override
    public void set(Runnable alarm, long nanos) {
        SYSTEM.set(alarm, begin + (nanos - passed.get()) * FACTOR);
    }

    @Override
    public void cancel(Runnable alarm) {
        SYSTEM.cancel(alarm);
    }
}
