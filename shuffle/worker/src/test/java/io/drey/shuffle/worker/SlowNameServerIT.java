package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.Membership.Workers;
import io.drey.shuffle.worker.WorkerOptions.Key;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A worker in a process whose names are in a pipe: who looks one up waits until somebody writes into it. */
@EnabledOnOs(OS.LINUX)
final class SlowNameServerIT {
    private static final String SLOW_HOST = "localhost";

    @TempDir
    Path directory;

    private long silentMs = Long.MAX_VALUE;

    /** The worker's process, until it is killed: its directory, its registries. */
    public static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            try (ShuffleWorker worker =
                    ShuffleWorker.open(options(Path.of(args[0])).with(Key.REGISTRY, args[1]))) {
                worker.drainRequested().join();
            }
        }
    }

    private Process start(Path names, String registries) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-Djdk.net.hosts.file=" + names,
                        // Log4j's own asks for the name of this machine.
                        "-Dlog4j2.loggerContextFactory=org.apache.logging.log4j.simple.SimpleLoggerContextFactory",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        directory.resolve("other").toString(),
                        registries)
                .inheritIO()
                .start();
    }

    /** Opens the pipe, which is possible as soon as somebody reads it. */
    private static OutputStream whenANameIsLookedUp(Path names) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return new FileOutputStream(names.toFile());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .get(60, TimeUnit.SECONDS);
    }

    /** Whether the other worker was heard since this was asked last. */
    private boolean isHeardAnew(TestClient client, UUID registry) {
        long before = silentMs;
        try {
            client.send(FrameType.LIST, 0, client.newStream(), 0, 0, new ListWorkers(List.of()));
            for (Member each :
                    Workers.read(client.expect(FrameType.WORKERS).fields()).members()) {
                silentMs = each.report().id().equals(registry) ? silentMs : each.silentMs();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return silentMs < before;
    }

    @Test
    void aRegistryHearsOfAWorkerThatLooksUpTheNameOfAnotherRegistry() throws Exception {
        Path names = directory.resolve("names");
        assertThat(new ProcessBuilder("mkfifo", names.toString()).start().waitFor())
                .isZero();
        try (ShuffleWorker registry = ShuffleWorker.open(options(directory.resolve("registry")));
                TestClient client = new TestClient(registry.port())) {
            Process other = start(names, SLOW_HOST + ":1,127.0.0.1:" + registry.port());
            try (OutputStream answer = whenANameIsLookedUp(names)) {
                Until.isTrue("the worker to be heard", () -> isHeardAnew(client, registry.id()));
                Until.isTrue("the worker to be heard again", () -> isHeardAnew(client, registry.id()));
                // Name servers answer only now.
                answer.write('\n');
            } finally {
                other.destroyForcibly().waitFor();
            }
        }
    }
}
