package io.drey.flink.shuffle;

import static org.apache.flink.configuration.ConfigOptions.key;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;

/** Options of the plugin in Flink's configuration; docs/reference/shuffle-options.md tells of each. */
final class DreyShuffleOptions {
    static final String PREFIX = "drey.shuffle.";

    static final ConfigOption<List<String>> REGISTRY = key(PREFIX + "registry")
            .stringType()
            .asList()
            .defaultValues("localhost:9470")
            .withDescription("Registries of shuffle workers, host:port each.");

    static final ConfigOption<Fallback> FALLBACK = key(PREFIX + "fallback")
            .enumType(Fallback.class)
            .defaultValue(Fallback.NETTY)
            .withDescription("What happens to a blocking exchange when no worker is known.");

    static final ConfigOption<Duration> WORKER_WAIT = key(PREFIX + "worker-wait")
            .durationType()
            .defaultValue(Duration.ofSeconds(60))
            .withDescription("How long readers and writers wait for workers that do not answer.");

    static final ConfigOption<String> SECRET_FILE = key(PREFIX + "secret-file")
            .stringType()
            .noDefaultValue()
            .withDescription("A file with the secret that workers ask for.");

    static final ConfigOption<Integer> CLIENT_THREADS = key(PREFIX + "client.threads")
            .intType()
            .defaultValue(1)
            .withDescription("Threads of a process that read, and as many that write.");

    private DreyShuffleOptions() {}

    /** Values of {@link #FALLBACK}. */
    enum Fallback {
        NETTY,
        FAIL
    }
}
