package io.drey.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the {@code config.yaml} of a small Flink on this machine, as its user would, with Drey in one line. */
final class FlinkConfiguration {

    static final int SLOTS = 2;

    /** The file with the configuration of the logs. */
    static final String LOGGING = "process-log4j2.properties";

    private final Map<String, String> options = new LinkedHashMap<>();

    /**
     * @param directory where checkpoints go
     * @param rpcPort of the job manager
     * @param restPort of the job manager
     */
    FlinkConfiguration(Path directory, int rpcPort, int restPort) {
        options.put("state.backend.type", "io.drey.flink.state.DreyStateBackendFactory");

        options.put(
                "execution.checkpointing.dir",
                directory.resolve("checkpoints").toUri().toString());
        options.put(
                "execution.checkpointing.savepoint-dir",
                directory.resolve("savepoints").toUri().toString());
        options.put("execution.checkpointing.interval", "500 ms");
        options.put("execution.checkpointing.incremental", "true");
        options.put("restart-strategy.type", "fixed-delay");
        options.put("restart-strategy.fixed-delay.attempts", "20");
        options.put("restart-strategy.fixed-delay.delay", "500 ms");
        options.put("parallelism.default", String.valueOf(SLOTS));

        options.put("jobmanager.rpc.address", "localhost");
        options.put("jobmanager.rpc.port", String.valueOf(rpcPort));
        options.put("jobmanager.bind-host", "localhost");
        options.put("rest.address", "localhost");
        options.put("rest.bind-address", "localhost");
        options.put("rest.port", String.valueOf(restPort));
        options.put("taskmanager.host", "localhost");
        options.put("taskmanager.bind-host", "localhost");
        // A dead task manager is to be noticed at once.
        options.put("heartbeat.interval", "500 ms");
        options.put("heartbeat.timeout", "10 s");

        // What Flink's start script computes from the size of the process.
        options.put("taskmanager.numberOfTaskSlots", String.valueOf(SLOTS));
        options.put("taskmanager.cpu.cores", String.valueOf(SLOTS));
        options.put("taskmanager.memory.framework.heap.size", "128 mb");
        options.put("taskmanager.memory.framework.off-heap.size", "128 mb");
        options.put("taskmanager.memory.task.heap.size", "256 mb");
        options.put("taskmanager.memory.task.off-heap.size", "0 b");
        options.put("taskmanager.memory.network.min", "64 mb");
        options.put("taskmanager.memory.network.max", "64 mb");
        options.put("taskmanager.memory.managed.size", "64 mb");
        options.put("taskmanager.memory.jvm-metaspace.size", "192 mb");
        options.put("taskmanager.memory.jvm-overhead.min", "64 mb");
        options.put("taskmanager.memory.jvm-overhead.max", "64 mb");
    }

    /** Sets more options, or other values. */
    void set(Map<String, String> more) {
        options.putAll(more);
    }

    /** Writes it and a configuration for the logs beside it. */
    void write(Path configurationDirectory) throws IOException {
        Files.createDirectories(configurationDirectory);
        try (InputStream logging = FlinkConfiguration.class.getResourceAsStream("/" + LOGGING)) {
            if (logging == null) {
                throw new IllegalStateException(LOGGING + " is not on the class path of the tests");
            }
            Files.write(configurationDirectory.resolve(LOGGING), logging.readAllBytes());
        }
        Files.writeString(
                configurationDirectory.resolve("config.yaml"),
                options.entrySet().stream()
                        .map(option -> option.getKey() + ": \"" + option.getValue() + "\"\n")
                        .collect(Collectors.joining()));
    }
}
