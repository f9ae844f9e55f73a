package io.drey.flink.shuffle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.flink.shuffle.DreyShuffleOptions.Fallback;
import io.drey.foundation.Hash;
import io.drey.shuffle.client.ClientOptions;
import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.message.Handshake;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.flink.api.common.BatchShuffleMode;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.jobmanager.HighAvailabilityMode;

/**
 * The options, checked.
 *
 * @param cluster tells the jobs of this cluster from another one's, where Flink derives ids of jobs from options; or empty
 * @param isHybrid whether the cluster's exchanges are hybrid: then all of them are Netty's
 */
record ShuffleSettings(ClientOptions client, Fallback fallback, String cluster, boolean isHybrid) {
    private static final int THREADS_MAX = 64;
    private static final Duration WAIT_MIN = Duration.ofSeconds(1);
    private static final Duration WAIT_MAX = Duration.ofHours(1);

    /** Of two clusters with high availability, one has another value. Kubernetes' options are not on the class path. */
    private static final List<ConfigOption<String>> OF_CLUSTER = List.of(
            HighAvailabilityOptions.HA_CLUSTER_ID,
            HighAvailabilityOptions.HA_STORAGE_PATH,
            HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM,
            HighAvailabilityOptions.HA_ZOOKEEPER_ROOT,
            ConfigOptions.key("kubernetes.namespace").stringType().noDefaultValue(),
            ConfigOptions.key("kubernetes.cluster-id").stringType().noDefaultValue());

    static ShuffleSettings of(Configuration configuration) {
        long segment = configuration.get(TaskManagerOptions.MEMORY_SEGMENT_SIZE).getBytes();
        if (segment > BlockFormat.PAYLOAD_BYTES_MAX) {
            throw wrong(
                    TaskManagerOptions.MEMORY_SEGMENT_SIZE.key(),
                    "at most " + BlockFormat.PAYLOAD_BYTES_MAX + " bytes with shuffle workers",
                    segment);
        }
        List<InetSocketAddress> registries = new ArrayList<>();
        // Flink itself separates by semicolons; workers and users by commas.
        for (String some : configuration.get(DreyShuffleOptions.REGISTRY)) {
            for (String address : some.split(",", -1)) {
                registries.add(address(address.trim()));
            }
        }
        int threads = configuration.get(DreyShuffleOptions.CLIENT_THREADS);
        if (threads < 1 || threads > THREADS_MAX) {
            throw wrong(DreyShuffleOptions.CLIENT_THREADS.key(), "1 to " + THREADS_MAX, threads);
        }
        Duration wait = configuration.get(DreyShuffleOptions.WORKER_WAIT);
        if (wait.compareTo(WAIT_MIN) < 0 || wait.compareTo(WAIT_MAX) > 0) {
            throw wrong(DreyShuffleOptions.WORKER_WAIT.key(), WAIT_MIN + " to " + WAIT_MAX, wait);
        }
        ClientOptions client = new ClientOptions(registries, secret(configuration), threads, wait);
        BatchShuffleMode mode = configuration.get(ExecutionOptions.BATCH_SHUFFLE_MODE);
        boolean isHybrid = mode == BatchShuffleMode.ALL_EXCHANGES_HYBRID_FULL
                || mode == BatchShuffleMode.ALL_EXCHANGES_HYBRID_SELECTIVE;
        return new ShuffleSettings(
                client, configuration.get(DreyShuffleOptions.FALLBACK), cluster(configuration), isHybrid);
    }

    /** The same in each of the cluster's job managers. */
    private static String cluster(Configuration configuration) {
        if (!HighAvailabilityMode.isHighAvailabilityModeActivated(configuration)) {
            return "";
        }
        long hash = 0;
        for (ConfigOption<String> option : OF_CLUSTER) {
            byte[] value = configuration.getOptional(option).orElse("").getBytes(UTF_8);
            hash = Hash.combine(hash, Hash.hash(value, 0, value.length, value.length));
        }
        return String.format(Locale.ROOT, "%016x", hash);
    }

    /** A name is looked up each time a connection is made, so that a registry may move. */
    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        try {
            if (colon > 0) {
                return InetSocketAddress.createUnresolved(
                        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
            }
        } catch (IllegalArgumentException e) {
            throw wrong(DreyShuffleOptions.REGISTRY.key(), "host:port,host:port,...", text);
        }
        throw wrong(DreyShuffleOptions.REGISTRY.key(), "host:port,host:port,...", text);
    }

    private static String secret(Configuration configuration) {
        String file = configuration.get(DreyShuffleOptions.SECRET_FILE);
        try {
            return file == null ? null : Handshake.secret(Files.readAllBytes(Path.of(file)), file);
        } catch (IOException e) {
            throw new IllegalConfigurationException(
                    DreyShuffleOptions.SECRET_FILE.key() + ": expected a file that can be read, found " + file + " ("
                            // The message may be the path alone.
                            + (e instanceof FileSystemException ? e : e.getMessage()) + ")",
                    e);
        }
    }

    private static IllegalConfigurationException wrong(String key, String expected, Object found) {
        return new IllegalConfigurationException(key + ": expected " + expected + ", found " + found);
    }
}
