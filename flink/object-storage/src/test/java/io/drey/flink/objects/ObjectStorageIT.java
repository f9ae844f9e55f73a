package io.drey.flink.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs whose checkpoints lie in an object store: state is exact after every kind of restore, and nothing stays behind.
 */
@EnabledForJreRange(
        max = JRE.JAVA_23,
        disabledReason = "the Hadoop in Flink's S3 file systems needs Subject.getSubject")
class ObjectStorageIT {
    /** Written for the first checkpoint by a store that is none of the job's. */
    private static final String LEFTOVER = "/shared/drey-1-7-00000000000000aa";

    @TempDir
    static Path local;

    private static ObjectServer server;
    private static ObjectCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        server = new ObjectServer();
        cluster = new ObjectCluster(server, local);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
        server.close();
    }

    @BeforeEach
    void forget() {
        server.clear();
        CountingJob.WRONG.clear();
    }

    private static void failOnce() throws Exception {
        CountingJob.FAIL.set(true);
        cluster.await("the restart", () -> CountingJob.RESTORED.get() == 2);
        cluster.awaitCompleted(2);
    }

    /** What is older than a later checkpoint, by clocks that only know seconds. */
    private static void leaveFile(String key) throws Exception {
        server.put(key, "12345");
        Thread.sleep(2_000);
        cluster.awaitCompleted(1);
    }

    @Test
    void aJobThatFailsGoesOnExactlyAndItsJanitorDeletesWhatAKilledProcessLeft() throws Exception {
        String job = cluster.run("failing", false);
        assertThat(server.objects(job + "/shared/drey-")).isNotEmpty();
        String leftover = "failing/" + job + LEFTOVER;
        leaveFile(leftover);
        failOnce();
        cluster.awaitGone(leftover);
        cluster.cancel();
        assertThat(CountingJob.WRONG).isEmpty();
        cluster.awaitGone(job);
    }

    @Test
    void aJobIsMovedByRetainedCheckpointsAndSavepointsToAnyParallelism() throws Exception {
        String first = cluster.run("moved", true);
        String retained = cluster.cancel();
        assertThat(server.objects(first + "/shared/drey-")).isNotEmpty();

        String second = cluster.run("moved", true, 3, retained, RecoveryClaimMode.CLAIM);
        assertThat(second).isNotEqualTo(first);
        assertThat(server.objects(first + "/shared/drey-claim-")).hasSize(1);
        String savepoint = cluster.stop("savepoints", SavepointFormatType.NATIVE);

        cluster.run("moved", true, 1, savepoint, RecoveryClaimMode.NO_CLAIM);
        String canonical = cluster.stop("savepoints", SavepointFormatType.CANONICAL);

        Set<String> before = server.objects("savepoints/");
        cluster.run("moved", true, 2, canonical, RecoveryClaimMode.NO_CLAIM);
        cluster.cancel();
        assertThat(CountingJob.WRONG).isEmpty();
        assertThat(server.objects("savepoints/")).isEqualTo(before);
    }

    @Test
    void filesAreSpreadOverRandomPathsWhereTheDirectoryAsksForItAndTheAuditFindsThem() throws Exception {
        String job = cluster.run("_entropy_/spread", true);
        failOnce();
        String retained = cluster.cancel();
        assertThat(server.objects(job + "/shared/drey-"))
                .isNotEmpty()
                .allSatisfy(key -> assertThat(key)
                        .matches("[0-9a-zA-Z]{4}/spread/" + job + "/shared/drey-\\d+-\\d+-[0-9a-f]{16}"));
        assertThat(server.objects("_entropy_")).isEmpty();
        assertThat(audit(0, "spread/" + job)).contains("  chk-").doesNotContain("damaged");

        String second = cluster.run("_entropy_/spread", false, 3, retained, RecoveryClaimMode.CLAIM);
        cluster.cancel();
        assertThat(CountingJob.WRONG).isEmpty();
        cluster.awaitGone(second);
    }

    @Test
    void theAuditFindsAndDeletesWhatNoCheckpointLists() throws Exception {
        String job = cluster.run("audited", true);
        String leftover = "audited/" + job + LEFTOVER;
        leaveFile(leftover);
        cluster.cancel();
        assertThat(audit(3, "audited")).contains("1 file, 5.00 B garbage", LEFTOVER.substring(1));
        // What was under way when the job was cancelled has gone by now.
        Set<String> before = server.objects(job);
        assertThat(before).contains(leftover);
        assertThat(audit(0, "audited/" + job, "--delete")).contains("1 file, 5.00 B, deleted.", "listed by chk-");
        before.remove(leftover);
        assertThat(server.objects(job)).isEqualTo(before);
    }

    /** Runs the command as users do: Flink's plugins and configuration by the environment. */
    private String audit(int exit, String path, String... more) throws IOException, InterruptedException {
        Path configuration = Files.createDirectories(local.resolve("conf"));
        List<String> lines = new ArrayList<>();
        server.options().toMap().forEach((key, value) -> lines.add(key + ": '" + value + "'"));
        Files.write(configuration.resolve("config.yaml"), lines);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.drey.cli.Drey",
                "checkpoints",
                "audit",
                ObjectCluster.uri(path),
                "--older-than",
                "1ms"));
        command.addAll(List.of(more));
        File out = local.resolve("audit.out").toFile();
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out);
        builder.environment()
                .put("FLINK_PLUGINS_DIR", ObjectCluster.PLUGINS.toAbsolutePath().toString());
        builder.environment().put("FLINK_CONF_DIR", configuration.toString());
        int found = builder.start().waitFor();
        String text = Files.readString(out.toPath());
        assertThat(found).as(text).isEqualTo(exit);
        return text;
    }
}
