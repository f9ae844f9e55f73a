package io.drey.flink.state;

import io.drey.files.Directory;
import io.drey.files.local.LocalDirectory;
import io.drey.flink.state.keyed.DreyKeyedStateBackendBuilder;
import io.drey.flink.state.memory.Surroundings;
import io.drey.flink.state.options.DreySettings;
import io.drey.flink.state.task.LocalTrust;
import io.drey.flink.state.task.Time;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;

/** Opens a backend in the surroundings of a process, but for what a test sets. */
final class SurroundedBackend {
    private final Surroundings real = Surroundings.REAL;
    private Time time = real.time();
    private Executor restores = real.restores();
    private LocalTrust trust = real.trust();
    private Function<LocalDirectory, Directory> disks = real.disks();

    SurroundedBackend time(Time newTime) {
        time = newTime;
        return this;
    }

    SurroundedBackend restores(Executor newRestores) {
        restores = newRestores;
        return this;
    }

    SurroundedBackend trust(LocalTrust newTrust) {
        trust = newTrust;
        return this;
    }

    SurroundedBackend disks(Function<LocalDirectory, Directory> newDisks) {
        disks = newDisks;
        return this;
    }

    <K> AbstractKeyedStateBackend<K> open(Configuration options, KeyedStateBackendParametersImpl<K> parameters)
            throws IOException {
        return new DreyKeyedStateBackendBuilder<>(
                        parameters,
                        DreySettings.from(options),
                        LatencyTrackingStateConfig.disabled(),
                        SizeTrackingStateConfig.disabled(),
                        new BackendLog(),
                        new Surroundings(
                                real.background(),
                                real.ids(),
                                time,
                                real.thresholds(),
                                real.placement(),
                                real.downloads(),
                                restores,
                                real.uploads(),
                                real.preparedNanosMin(),
                                real.packs(),
                                trust,
                                disks))
                .build();
    }
}
