package io.drey.flink.state;

import io.drey.flink.state.options.SupportedFlink;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.StateBackendFactory;

/** The class that {@code state.backend.type} names: makes a {@link DreyStateBackend} of Flink's configuration. */
public final class DreyStateBackendFactory implements StateBackendFactory<DreyStateBackend> {
    @Override
    public DreyStateBackend createFromConfig(ReadableConfig config, ClassLoader classLoader) {
        SupportedFlink.check();
        return new DreyStateBackend().configure(config, classLoader);
    }
}
