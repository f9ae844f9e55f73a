package io.drey.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.oracle.Expectation;
import io.drey.jobs.oracle.Oracle;
import io.drey.jobs.tally.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The whole way of a user: Flink as separate processes, the jar that ships in its lib/, one line of configuration, a
 * job submitted by Flink's command line. The task manager is killed with -9 after a checkpoint; another one takes over;
 * every row of the result is compared with the oracle.
 */
final class RecoveryScenario {

    private static final String JOB = "last-seen";

    /** Enough replicas of the data set that the job is still at work when the task manager is killed. */
    private static final int REPEAT = 2;

    private static final Duration CHECKPOINT_LIMIT = Duration.ofSeconds(60);
    private static final Duration JOB_LIMIT = Duration.ofSeconds(180);
    private static final int CHECKPOINTS_BEFORE_KILL = 2;

    private static final Pattern TALLY = Pattern.compile("rows (\\d+), checksum ([0-9a-f]{16})");

    private RecoveryScenario() {}

    /**
     * Plays it.
     *
     * @param directory of all files, which stay there
     * @param flinkJars the Flink to run
     */
    static void play(Path directory, List<Path> flinkJars) throws Exception {
        Path output = directory.resolve("rows");
        try (FlinkCluster cluster = new FlinkCluster(directory, flinkJars)) {
            JavaProcess first = cluster.startTaskManager();
            JavaProcess client = cluster.client("client", submission(output));
            String job = killAfterCheckpoints(cluster, first, client);
            JavaProcess second = cluster.startTaskManager();

            Deadline.await("the job to end", JOB_LIMIT, () -> !client.isAlive(), () -> told(cluster, job));

            assertThat(client.exitCode()).as(client.tail()).isZero();
            assertThat(cluster.rest().status(job)).isEqualTo("FINISHED");
            assertThat(cluster.rest().restored(job))
                    .as("restores from a checkpoint")
                    .isPositive();
            assertThat(first.output()).contains("DreyStateBackend");
            assertThat(second.output()).contains("DreyStateBackend");
            assertTallyIsExact(client.output());
        }
        assertRowsAreExact(output);
    }

    private static List<String> submission(Path output) {
        return List.of(
                "run",
                "--class",
                "io.drey.jobs.JobMain",
                BuiltFiles.jobJar().toString(),
                JOB,
                "--repeat",
                String.valueOf(REPEAT),
                "--output",
                output.toUri().toString());
    }

    private static String killAfterCheckpoints(FlinkCluster cluster, JavaProcess taskManager, JavaProcess client)
            throws Exception {
        RestClient rest = cluster.rest();
        Deadline.await(
                "the job to be submitted",
                CHECKPOINT_LIMIT,
                () -> {
                    mustBeAtWork(client);
                    return rest.onlyJob().isPresent();
                },
                () -> "See the logs in " + cluster.directory());
        String job = rest.onlyJob().orElseThrow();
        Deadline.await(
                CHECKPOINTS_BEFORE_KILL + " checkpoints",
                CHECKPOINT_LIMIT,
                () -> {
                    mustBeAtWork(client);
                    return rest.completedCheckpoints(job) >= CHECKPOINTS_BEFORE_KILL;
                },
                () -> told(cluster, job));
        taskManager.kill();
        assertThat(rest.status(job))
                .as("the job when its task manager was killed; if it had finished before, raise REPEAT")
                .isNotEqualTo("FINISHED");
        return job;
    }

    private static void mustBeAtWork(JavaProcess client) throws IOException {
        if (!client.isAlive()) {
            throw new IllegalStateException("The job ended before its task manager was killed. " + client.tail());
        }
    }

    private static String told(FlinkCluster cluster, String job) {
        try {
            return "Job " + cluster.rest().status(job) + ", exceptions: "
                    + cluster.rest().exceptions(job) + ". See the logs in " + cluster.directory();
        } catch (IOException e) {
            return "The job manager does not answer (" + e + "). See the logs in " + cluster.directory();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "Interrupted. See the logs in " + cluster.directory();
        }
    }

    /** The tally that the job keeps in its state and returns to its client. */
    private static void assertTallyIsExact(String clientOutput) throws IOException {
        Matcher tally = TALLY.matcher(clientOutput);
        assertThat(tally.find())
                .as("a line with the tally in: %s", clientOutput)
                .isTrue();
        Expectation expected = Oracle.expect(JOB, null, REPEAT);
        assertThat(Long.parseLong(tally.group(1))).as("rows").isEqualTo(expected.count());
        assertThat(Long.parseUnsignedLong(tally.group(2), 16)).as("checksum").isEqualTo(expected.checksum());
    }

    /** The rows themselves, in the files that the job committed with its checkpoints: the same lines equally often. */
    private static void assertRowsAreExact(Path output) throws IOException {
        RowSum expected = new RowSum();
        Oracle.lines(JOB, null, REPEAT, expected::add);
        RowSum found = new RowSum();
        for (Path file : DirectoryTree.files(output)) {
            // Files that begin with a dot were in progress when the task manager died.
            if (!file.getFileName().toString().startsWith(".")) {
                try (Stream<String> lines = Files.lines(file)) {
                    lines.forEach(found::add);
                }
            }
        }
        assertThat(found.toString()).as("rows in %s", output).isEqualTo(expected.toString());
    }

    /** Number of lines and sum of their hashes: equal for equal multisets, and, but for chance, only for these. */
    private static final class RowSum {
        private long rows;
        private long sum;

        void add(String line) {
            rows++;
            sum += Digest.end(Digest.text(Digest.START, line));
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%d rows, checksum %016x", rows, sum);
        }
    }
}
