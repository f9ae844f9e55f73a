package io.drey.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Drey in the lib/ of Flink's own distribution. Runs in the profile {@code flink-distribution} only, because it
 * downloads that.
 */
@Tag("flink-distribution")
class FlinkDistributionIT {

    private static final Duration SQL_LIMIT = Duration.ofSeconds(120);

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void outputIsExactAfterTheTaskManagerWasKilled() throws Exception {
        RecoveryScenario.play(
                BuiltFiles.workDirectory("distribution"),
                BuiltFiles.flinkDistribution().lib());
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void sqlClientAggregatesOnDrey() throws Exception {
        FlinkDistribution flink = BuiltFiles.flinkDistribution();
        Path directory = BuiltFiles.workDirectory("sql");
        Path script = directory.resolve("aggregate.sql");
        Files.writeString(script, """
            SET 'execution.runtime-mode' = 'streaming';
            SET 'execution.target' = 'remote';
            SET 'sql-client.execution.result-mode' = 'tableau';
            CREATE TEMPORARY TABLE numbers (n BIGINT) WITH (
              'connector' = 'datagen', 'number-of-rows' = '50000',
              'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '50000');
            SELECT COUNT(*) AS g, SUM(c) AS c, SUM(s) AS s
              FROM (SELECT MOD(n, 1000) AS k, COUNT(*) AS c, SUM(n) AS s FROM numbers GROUP BY MOD(n, 1000));
            """);
        try (FlinkCluster cluster = new FlinkCluster(directory, flink.lib())) {
            JavaProcess taskManager = cluster.startTaskManager();
            JavaProcess client = cluster.program(
                    "sql-client",
                    // As Flink's script does it: the client loads classes of all three, whatever it runs.
                    List.of(flink.opt("flink-sql-client"), flink.opt("flink-python"), BuiltFiles.sqlGateway()),
                    "org.apache.flink.table.client.SqlClient",
                    List.of(
                            "-f",
                            script.toString(),
                            "--jar",
                            flink.opt("flink-sql-client").toUri().toString()));
            Deadline.await(
                    "the SQL client to end", SQL_LIMIT, () -> !client.isAlive(), () -> "See the logs in " + directory);

            assertThat(client.exitCode()).as(client.tail()).isZero();
            assertThat(taskManager.output()).contains("DreyStateBackend");
            String lastRow = client.output()
                    .lines()
                    .filter(line -> line.startsWith("| +"))
                    .reduce("no row", (before, after) -> after);
            assertThat(lastRow.replace(" ", "")).isEqualTo("|+U|1000|50000|1250025000|");
        }
    }
}
