package io.drey.bench.jmh.setup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;

/** The environment of one task with managed memory, without a cluster: Flink's own, from its test jar. */
public final class BackendEnvironment implements Closeable {
    private final MockEnvironment environment;

    public BackendEnvironment(Path folder, long managedBytes) throws IOException {
        Files.createDirectories(folder);
        environment = new MockEnvironmentBuilder()
                .setTaskName("benchmark")
                .setManagedMemorySize(managedBytes)
                .setTaskManagerRuntimeInfo(new TestingTaskManagerRuntimeInfo(new Configuration(), folder.toFile()))
                .build();
    }

    public MockEnvironment environment() {
        return environment;
    }

    @Override
    public void close() throws IOException {
        try {
            environment.close();
        } catch (Exception e) {
            throw new IOException("Flink's environment could not be closed", e);
        }
    }
}
