package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.worker.ShuffleWorker;
import io.drey.shuffle.worker.WorkerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for the shuffle service, against a worker in this process. */
final class ShuffleCommandTest {
    @TempDir
    Path directory;

    private final Shell shell = new Shell();

    private static WorkerOptions options(Path directory) {
        return WorkerOptions.of(directory).withPort(0).withMemory(16L << 20).withFreeBytesMin(0);
    }

    @Test
    void aWorkerIsSeenExcludedIncludedAndDrained() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory))) {
            String at = "127.0.0.1:" + worker.port();
            String id = worker.id().toString();
            assertThat(shell.run("shuffle", "status", "--at", at)).isZero();
            assertThat(shell.out()).contains(id, at, "alive, running");
            assertThat(shell.run("shuffle", "exclude", id, "--reason", "its disk is slow", "--at", at))
                    .isZero();
            shell.run("shuffle", "status", "--at", at);
            assertThat(shell.out()).contains("excluded: its disk is slow");
            shell.run("shuffle", "status", "--at", at, "--json");
            assertThat(shell.out()).contains("\"excluded\" : true", "\"port\" : " + worker.port());
            assertThat(shell.run("shuffle", "include", id, "--at", at)).isZero();
            shell.run("shuffle", "status", "--at", at);
            assertThat(shell.out()).doesNotContain("excluded");
            assertThat(shell.run("shuffle", "drain", UUID.randomUUID().toString(), "--at", at))
                    .isOne();
            assertThat(shell.err()).contains("does not know worker");
            assertThat(shell.run("shuffle", "drain", id, "--at", at)).isZero();
            worker.drainRequested().join();
        }
    }

    @Test
    void aWorkerInThePlaceOfTheOneToDrainIsNotDrained() throws Exception {
        try (ShuffleWorker registry = ShuffleWorker.open(options(directory.resolve("registry")))) {
            String at = "127.0.0.1:" + registry.port();
            UUID old;
            int port;
            try (ShuffleWorker replaced = ShuffleWorker.open(reportingTo(at, "disk", 0))) {
                old = replaced.id();
                port = replaced.port();
                awaitHeard(old, at);
            }
            try (ShuffleWorker worker = ShuffleWorker.open(reportingTo(at, "new-disk", port))) {
                awaitHeard(worker.id(), at);
                assertThat(shell.run("shuffle", "drain", old.toString(), "--at", at))
                        .isOne();
                assertThat(shell.err())
                        .contains("Expected worker " + old + " at 127.0.0.1:" + port + ", found worker " + worker.id())
                        .hasLineCount(1);
                assertThat(worker.drainRequested()).isNotDone();
                assertThat(shell.run("shuffle", "drain", worker.id().toString(), "--at", at))
                        .isZero();
                worker.drainRequested().join();
            }
        }
    }

    private WorkerOptions reportingTo(String registry, String disk, int port) {
        return options(directory.resolve(disk)).withPort(port).with(WorkerOptions.Key.REGISTRY, registry);
    }

    private void awaitHeard(UUID worker, String at) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (shell.run("shuffle", "status", "--at", at) != 0 || !shell.out().contains(worker.toString())) {
            assertThat(System.nanoTime()).as("heard of " + worker).isLessThan(end);
            Thread.sleep(5);
        }
    }

    @Test
    void aWorkerThatTheRegistryDoesNotKnowIsExcludedWithAWarning() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory))) {
            String at = "127.0.0.1:" + worker.port();
            String unknown = UUID.randomUUID().toString();
            for (String command : List.of("exclude", "include")) {
                assertThat(shell.run("shuffle", command, unknown, "--at", at)).isZero();
                assertThat(shell.out()).startsWithIgnoringCase(command + "d by the registry at " + at + ".");
                assertThat(shell.err())
                        .startsWith("drey: The registry at " + at + " does not know worker " + unknown + ".")
                        .hasLineCount(1);
                shell.run("shuffle", command, worker.id().toString(), "--at", at);
                assertThat(shell.err()).isEmpty();
            }
        }
    }

    /** Jobs ask all registries, and any exclusion counts. */
    @Test
    void whoIncludesAWorkerHearsThatAnotherRegistryMayExcludeIt() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory))) {
            String at = "127.0.0.1:" + worker.port();
            String id = worker.id().toString();
            assertThat(shell.run("shuffle", "exclude", id, "--at", at)).isZero();
            assertThat(shell.out()).isEqualTo("Excluded by the registry at " + at + ".\n");
            assertThat(shell.run("shuffle", "include", id, "--at", at)).isZero();
            assertThat(shell.out())
                    .isEqualTo(
                            "Included by the registry at " + at + ". One that another registry excludes stays so.\n");
        }
    }

    @Test
    void aWorkerThatIsNoRegistrySaysThatItKnowsNone() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(reportingTo("127.0.0.1:1", "disk", 0))) {
            String at = "127.0.0.1:" + worker.port();
            assertThat(shell.run("shuffle", "status", "--at", at)).isZero();
            assertThat(shell.out()).startsWith("The registry at " + at + " knows no worker.");
            assertThat(shell.run("shuffle", "status", "--at", at, "--json")).isZero();
            assertThat(shell.out().strip()).isEqualTo("[ ]");
        }
    }

    /** A worker does run there: it is the secret that is wrong. */
    @Test
    void anotherSecretThanTheWorkersIsASentenceAboutSecrets() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "of the worker");
        Path other = Files.writeString(directory.resolve("other"), "of another cluster");
        WorkerOptions secured =
                options(directory.resolve("disk")).with(WorkerOptions.Key.SECRET_FILE, secret.toString());
        try (ShuffleWorker worker = ShuffleWorker.open(secured)) {
            String at = "127.0.0.1:" + worker.port();
            assertThat(shell.run("shuffle", "status", "--at", at, "--secret-file", secret.toString()))
                    .isZero();
            assertThat(shell.run("shuffle", "status", "--at", at, "--secret-file", other.toString()))
                    .isOne();
            assertThat(shell.err())
                    .startsWith("drey: no connection to " + at + ": expected a worker that knows the secret")
                    .contains("give both the same secret")
                    .doesNotContain("is a worker running there?")
                    .hasLineCount(1);
            assertThat(shell.run("shuffle", "status", "--at", at)).isOne();
            assertThat(shell.err())
                    .contains("expected a worker without a secret", "give both the same secret")
                    .doesNotContain("is a worker running there?");
        }
    }

    @Test
    void anAuditFindsWhatNobodyKnows() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory))) {
            String at = "127.0.0.1:" + worker.port();
            assertThat(shell.run("shuffle", "audit", "--at", at)).isZero();
            assertThat(shell.out()).isEmpty();
            assertThat(shell.run("shuffle", "inspect", "--at", at)).isZero();
            assertThat(shell.out()).contains("The worker keeps nothing of any job.");
            Files.createDirectories(directory.resolve("job/exchange"));
            Files.writeString(directory.resolve("job/exchange/stray"), "x");
            assertThat(shell.run("shuffle", "audit", "--at", at)).isEqualTo(3);
            assertThat(shell.out()).contains("nobody knows of", "stray");
        }
    }

    @Test
    void anAnswerThatCannotBeReadIsASentence() throws Exception {
        Path deep = directory.resolve("d".repeat(250)).resolve("e".repeat(250));
        Path job = deep.resolve("j".repeat(250)).resolve("x".repeat(250));
        try (ShuffleWorker worker = ShuffleWorker.open(options(deep))) {
            Files.writeString(Files.createDirectories(job).resolve("s".repeat(250)), "x");
            String at = "127.0.0.1:" + worker.port();
            assertThat(shell.run("shuffle", "audit", "--at", at)).isOne();
            assertThat(shell.err())
                    .startsWith("drey: The answer of " + at + " cannot be read: ")
                    .hasLineCount(1);
        }
    }

    @Test
    void whatIsWrongIsASentence() {
        assertThat(shell.run("shuffle", "status", "--at", "nowhere")).isEqualTo(2);
        assertThat(shell.err()).contains("expected a host and a port");
        assertThat(shell.run("shuffle", "status", "--at", "127.0.0.1:1")).isOne();
        assertThat(shell.err()).contains("is a worker running there?");
        assertThat(shell.run("shuffle-worker", "-D", "colour=red")).isOne();
        assertThat(shell.err()).contains("expected an option of the worker, found 'colour'");
        assertThat(shell.run("shuffle-worker", "-D", "memory=1k")).isOne();
        assertThat(shell.err()).contains("option memory, found '1k'");
        for (String memory : List.of("", "k", "99999999999g")) {
            assertThat(shell.run("shuffle-worker", "-D", "memory=" + memory)).isOne();
            assertThat(shell.err())
                    .contains("option memory, found '" + memory + "'")
                    .hasLineCount(1);
        }
        assertThat(shell.run("shuffle")).isEqualTo(2);
    }

    /** As a variable of a script leaves it that is not set: the working directory is not meant. */
    @Test
    void aWorkerRefusesADirectoryWithoutAName() {
        for (String directories : List.of("", " ", ",", "shuffle,,other")) {
            assertThat(shell.run("shuffle-worker", "-D", "port=0", "-D", "directories=" + directories))
                    .isOne();
            assertThat(shell.err())
                    .contains("expected paths separated by commas as option directories, found '")
                    .hasLineCount(1);
        }
    }

    /** Of such a file Java says nothing but its name. */
    @Test
    void aFileThatIsNotThereIsNamedWithTheReason() {
        String missing = directory.resolve("missing").toString();
        assertThat(shell.run("shuffle-worker", "--config", missing)).isOne();
        assertThat(shell.err())
                .isEqualTo("drey: The configuration " + missing + " cannot be read: there is no such file.\n");
        assertThat(shell.run("shuffle", "status", "--secret-file", missing)).isOne();
        assertThat(shell.err()).isEqualTo("drey: The secret " + missing + " cannot be read: there is no such file.\n");
        assertThat(shell.run(
                        "shuffle-worker",
                        "-D",
                        "directories=" + directory.resolve("disk"),
                        "-D",
                        "port=0",
                        "-D",
                        "memory=16m",
                        "-D",
                        "secret-file=" + missing))
                .isOne();
        assertThat(shell.err())
                .contains("the secret of the cluster in " + missing, "NoSuchFileException")
                .hasLineCount(1);
    }

    @Test
    void aHostThatThereIsNotAndAFileThatIsNoConfigurationAreSentences(@TempDir Path directory) throws Exception {
        assertThat(shell.run("shuffle-worker", "-D", "host=no-such-host.invalid", "-D", "directories=" + directory))
                .isOne();
        assertThat(shell.err()).contains("no such host").hasLineCount(1);
        Path config = Files.writeString(directory.resolve("worker.properties"), "directories: C:\\users\\x\n");
        assertThat(shell.run("shuffle-worker", "--config", config.toString())).isOne();
        assertThat(shell.err()).contains("worker.properties cannot be read").hasLineCount(1);
    }
}
