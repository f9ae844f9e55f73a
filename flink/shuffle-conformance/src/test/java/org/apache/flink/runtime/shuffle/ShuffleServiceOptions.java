package org.apache.flink.runtime.shuffle;

import static org.apache.flink.configuration.ConfigOptions.key;

import org.apache.flink.configuration.ConfigOption;

/**
 * A twin of Flink's class with another default, first on the class path: clusters of Flink's suites get our service.
 */
public class ShuffleServiceOptions {
    public static final ConfigOption<String> SHUFFLE_SERVICE_FACTORY_CLASS = key("shuffle-service-factory.class")
            .stringType()
            .defaultValue("io.drey.flink.conformance.shuffle.EmbeddedShuffleServiceFactory");

    private ShuffleServiceOptions() {}
}
