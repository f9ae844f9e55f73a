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
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs whose checkpoints lie in an object store: state is exact after every kind of restore, and nothing stays behind.
 */
class ObjectStorageIT {
    /** Written for the first checkpoint by a store that is none of the job's. */
    private static final String LEFTOVER = "/shared/drey-1-7-00000000000000aa";

    private static ObjectServer server;

    @TempDir
    Path local;

    @BeforeAll
    static void startServer() throws Exception {
        server = new ObjectServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void forget() {
        CountingJob.WRONG.clear();
    }

    @Test
    void aJobThatFailsGoesOnExactlyAndItsJanitorDeletesWhatAKilledProcessLeft() throws Exception {
        try (ObjectCluster cluster = new ObjectCluster(server, "failing", local, false)) {
            String job = cluster.run(2);
            assertThat(server.objects(job + "/shared/drey-")).isNotEmpty();
            String leftover = "failing/" + job + LEFTOVER;
            leaveFile(cluster, leftover);
            CountingJob.FAIL.set(true);
            cluster.await("the restart", () -> CountingJob.RESTORED.get() == 2);
            cluster.awaitCompleted(1);
            cluster.awaitGone(leftover);
            cluster.awaitCompleted(2);
            cluster.cancel();
            assertThat(CountingJob.WRONG).isEmpty();
            cluster.awaitGone(job);
        }
    }

    /** What is older than a later checkpoint, by clocks that only know seconds. */
    private static void leaveFile(ObjectCluster cluster, String key) throws Exception {
        server.put(key, "12345");
        Thread.sleep(2_000);
        cluster.awaitCompleted(2);
    }

    @Test
    void aJobIsMovedByRetainedCheckpointsAndSavepointsToAnyParallelism() throws Exception {
        try (ObjectCluster cluster = new ObjectCluster(server, "moved", local, true)) {
            String first = cluster.run(2);
            String retained = cluster.cancel();
            assertThat(server.objects(first + "/shared/drey-")).isNotEmpty();

            String second = cluster.run(3, retained, RecoveryClaimMode.CLAIM);
            assertThat(server.objects(first + "/shared/drey-claim-")).hasSize(1);
            String savepoint = cluster.stop("savepoints", SavepointFormatType.NATIVE);

            cluster.run(1, savepoint, RecoveryClaimMode.NO_CLAIM);
            String canonical = cluster.stop("savepoints", SavepointFormatType.CANONICAL);

            Set<String> before = server.objects("savepoints/");
            cluster.run(2, canonical, RecoveryClaimMode.NO_CLAIM);
            cluster.cancel();
            assertThat(CountingJob.WRONG).isEmpty();
            assertThat(server.objects("savepoints/")).isEqualTo(before);
            assertThat(second).isNotEqualTo(first);
        }
    }

    @Test
    void filesAreSpreadOverRandomPathsWhereTheDirectoryAsksForIt() throws Exception {
        try (ObjectCluster cluster = new ObjectCluster(server, "_entropy_/spread", local, true)) {
            String job = cluster.run(2);
            CountingJob.FAIL.set(true);
            cluster.await("the restart", () -> CountingJob.RESTORED.get() == 2);
            cluster.awaitCompleted(2);
            String retained = cluster.cancel();
            assertThat(server.objects("/shared/drey-"))
                    .filteredOn(key -> key.contains(job))
                    .isNotEmpty()
                    .allSatisfy(key -> assertThat(key)
                            .matches("[0-9a-zA-Z]{4}/spread/" + job + "/shared/drey-\\d+-\\d+-[0-9a-f]{16}"));
            assertThat(server.objects("_entropy_")).isEmpty();
            cluster.run(3, retained, RecoveryClaimMode.CLAIM);
            cluster.cancel();
            assertThat(server.objects("drey-claim-")).noneMatch(key -> key.contains("spread"));
            assertThat(CountingJob.WRONG).isEmpty();
        }
    }

    @Test
    void theAuditFindsSpreadFilesWhereTheyAreListed() throws Exception {
        try (ObjectCluster cluster = new ObjectCluster(server, "_entropy_/audited", local, true)) {
            String job = cluster.run(2);
            cluster.cancel();
            assertThat(audit(0, "audited/" + job)).contains("  chk-").doesNotContain("damaged");
        }
    }

    @Test
    void theAuditFindsAndDeletesWhatNoCheckpointLists() throws Exception {
        try (ObjectCluster cluster = new ObjectCluster(server, "checked", local, true)) {
            String job = cluster.run(2);
            String leftover = "checked/" + job + LEFTOVER;
            leaveFile(cluster, leftover);
            cluster.cancel();
            Set<String> before = server.objects(job);
            assertThat(audit(3, "checked")).contains("1 file, 5.00 B garbage", LEFTOVER.substring(1));
            assertThat(server.objects(job)).isEqualTo(before);
            assertThat(audit(0, "checked/" + job, "--delete")).contains("1 file, 5.00 B, deleted.");
            before.remove(leftover);
            assertThat(server.objects(job)).isEqualTo(before);
            assertThat(audit(0, "checked")).contains("listed by chk-");
        }
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
