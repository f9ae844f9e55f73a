package io.drey.flink.state;

import io.drey.flink.state.keyed.DreyAsyncKeyedStateBackend;
import io.drey.flink.state.keyed.DreyKeyedStateBackendBuilder;
import io.drey.flink.state.memory.Surroundings;
import io.drey.flink.state.options.DreyOptions;
import io.drey.flink.state.options.DreySettings;
import io.drey.flink.state.options.SupportedFlink;
import io.drey.flink.state.options.UnknownOptions;
import java.io.IOException;
import java.util.Set;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.AbstractManagedMemoryStateBackend;
import org.apache.flink.runtime.state.AsyncKeyedStateBackend;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateBackend;

/**
 * Keeps keyed state in Drey's store: in memory while it fits, else in local files, and incrementally in checkpoints.
 * Configured by the options of {@link DreyOptions}. Making and configuring one opens nothing: that also happens in the
 * job manager.
 */
public final class DreyStateBackend extends AbstractManagedMemoryStateBackend implements ConfigurableStateBackend {
    private static final long serialVersionUID = 1L;

    private final Configuration options;
    private final DreySettings settings;

    /** A backend with the default options; a configuration adds its own. */
    public DreyStateBackend() {
        this(new Configuration());
    }

    /** A backend with options that take precedence over those of any configuration. */
    public DreyStateBackend(ReadableConfig options) {
        this.options = taken(options);
        this.settings = DreySettings.from(this.options);
    }

    /** Comes before anything that another version of Flink may not have. */
    private static Configuration taken(ReadableConfig config) {
        SupportedFlink.check();
        Configuration taken = new Configuration();
        for (ConfigOption<?> option : DreyOptions.ALL) {
            take(option, config, taken);
        }
        take(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, config, taken);
        take(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, config, taken);
        return taken;
    }

    private static <T> void take(ConfigOption<T> option, ReadableConfig from, Configuration to) {
        T value = DreySettings.read(from, option, null);
        if (value != null) {
            to.set(option, value);
        }
    }

    @Override
    public DreyStateBackend configure(ReadableConfig config, ClassLoader classLoader) {
        Configuration merged = taken(config);
        merged.addAll(options);
        UnknownOptions.sentences(names(config)).forEach(BackendLog::warnOnce);
        DreyStateBackend configured = new DreyStateBackend(merged);
        configured.latencyTrackingConfigBuilder = latencyTrackingConfigBuilder.configure(config);
        configured.sizeTrackingConfigBuilder = sizeTrackingConfigBuilder.configure(config);
        return configured;
    }

    /** Values as text take Flink milliseconds, for each operator. */
    private static Set<String> names(ReadableConfig config) {
        return config instanceof Configuration known
                ? known.keySet()
                : config.toMap().keySet();
    }

    @Override
    public String getName() {
        return "Drey";
    }

    @Override
    public boolean supportsNoClaimRestoreMode() {
        return true;
    }

    @Override
    public boolean supportsSavepointFormat(SavepointFormatType formatType) {
        return formatType == SavepointFormatType.CANONICAL || formatType == SavepointFormatType.NATIVE;
    }

    @Override
    public boolean useManagedMemory() {
        return settings.fixedMemoryBytes() == 0;
    }

    @Override
    public <K> AbstractKeyedStateBackend<K> createKeyedStateBackend(KeyedStateBackendParameters<K> parameters)
            throws IOException {
        return new DreyKeyedStateBackendBuilder<>(
                        parameters,
                        settings,
                        latencyTrackingConfigBuilder
                                .setMetricGroup(parameters.getMetricGroup())
                                .build(),
                        sizeTrackingConfigBuilder
                                .setMetricGroup(parameters.getMetricGroup())
                                .build(),
                        new BackendLog(),
                        Surroundings.REAL)
                .build();
    }

    @Override
    public boolean supportsAsyncKeyedStateBackend() {
        return true;
    }

    @Override
    public <K> AsyncKeyedStateBackend<K> createAsyncKeyedStateBackend(KeyedStateBackendParameters<K> parameters)
            throws IOException {
        return new DreyAsyncKeyedStateBackend<>(createKeyedStateBackend(parameters));
    }

    @Override
    public OperatorStateBackend createOperatorStateBackend(OperatorStateBackendParameters parameters) throws Exception {
        return new DefaultOperatorStateBackendBuilder(
                        parameters.getEnv().getUserCodeClassLoader().asClassLoader(),
                        parameters.getEnv().getExecutionConfig(),
                        true,
                        parameters.getStateHandles(),
                        parameters.getCancelStreamRegistry())
                .build();
    }

    @Override
    public String toString() {
        return "DreyStateBackend{" + settings + "}";
    }
}
