package io.drey.bench.storage;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;

/** Makes {@link SlowStorage} of Flink's configuration; Flink finds it by a service file. */
public final class SlowStorageFactory implements FileSystemFactory {
    static final String SCHEME = "slow";

    /** What all options of it begin with. */
    public static final String PREFIX = "fs.slow.";

    static final ConfigOption<MemorySize> BANDWIDTH = ConfigOptions.key(PREFIX + "bandwidth")
            .memoryType()
            .defaultValue(MemorySize.ofMebiBytes(100))
            .withDescription("Bytes that all writes and reads of the process get in a second.");

    static final ConfigOption<Duration> LATENCY = ConfigOptions.key(PREFIX + "latency")
            .durationType()
            .defaultValue(Duration.ZERO)
            .withDescription("How long it takes to open, to finish or to delete a file.");

    static final ConfigOption<Double> STALLED_PART = ConfigOptions.key(PREFIX + "stalled-part")
            .doubleType()
            .defaultValue(0.0)
            .withDescription("The part of written files that wait once, 0 to 1.");

    static final ConfigOption<Duration> STALL = ConfigOptions.key(PREFIX + "stall")
            .durationType()
            .defaultValue(Duration.ofSeconds(5))
            .withDescription("How long those wait.");

    private SlowStorage.Speed speed = speed(new Configuration());

    /** The same place, slow. */
    public static String uri(Path path) {
        return SCHEME + "://" + path.toAbsolutePath();
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public void configure(Configuration configuration) {
        speed = speed(configuration);
    }

    private static SlowStorage.Speed speed(Configuration configuration) {
        double part = configuration.get(STALLED_PART);
        if (!(part >= 0 && part <= 1)) {
            throw new IllegalConfigurationException(
                    "expected " + STALLED_PART.key() + " to be from 0 to 1, found " + part);
        }
        long bandwidth = configuration.get(BANDWIDTH).getBytes();
        if (bandwidth < 1) {
            throw new IllegalConfigurationException("expected " + BANDWIDTH.key() + " to be positive, found 0");
        }
        return new SlowStorage.Speed(bandwidth, configuration.get(LATENCY), part, configuration.get(STALL));
    }

    @Override
    public FileSystem create(URI uri) {
        return new SlowStorage(speed);
    }
}
