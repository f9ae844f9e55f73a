package io.drey.bench.jmh.setup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;

/**
 * The environment of one task with managed memory, without a cluster: Flink's own, from its test jar. It has the
 * mailbox of the thread that makes it, as a task has: without one, backends would have to lock each operation.
 */
public final class BackendEnvironment implements Closeable {
    private static final int MAILBOX_PRIORITY = 0;

    private final MockEnvironment environment;

    public BackendEnvironment(Path folder, long managedBytes) throws IOException {
        Files.createDirectories(folder);
        environment = new MockEnvironmentBuilder()
                .setTaskName("benchmark")
                .setManagedMemorySize(managedBytes)
                .setTaskManagerRuntimeInfo(new TestingTaskManagerRuntimeInfo(new Configuration(), folder.toFile()))
                .build();
        environment.setMainMailboxExecutor(new MailboxExecutorImpl(
                new TaskMailboxImpl(Thread.currentThread()), MAILBOX_PRIORITY, StreamTaskActionExecutor.IMMEDIATE));
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
