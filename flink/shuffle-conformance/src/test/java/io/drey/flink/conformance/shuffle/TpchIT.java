package io.drey.flink.conformance.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.tpch.Tpch;
import io.drey.testkit.Effort;
import io.drey.testkit.TestSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.io.network.NettyShuffleServiceFactory;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The 22 queries of TPC-H as batch SQL, where Flink plans the exchanges: broadcast, hash, adaptive. Amounts are
 * decimals, so results are exact: the same rows with our shuffle, without which jobs fail, as with Flink's.
 */
@Tag(Effort.TAG)
@Tag(Effort.LONG_TAG)
class TpchIT {
    private static final int QUERIES = 22;
    private static final int PARALLELISM = 4;

    /** Rows of a table go to as many files as tasks read them. */
    private static final int FILES = PARALLELISM;

    private static final List<String> SHUFFLES =
            List.of(NettyShuffleServiceFactory.class.getName(), EmbeddedShuffleServiceFactory.class.getName());

    private static final List<String> TIMES = List.of("ms with Netty", "ms with Drey");

    private final TestSummary summary = new TestSummary(TpchIT.class);

    @TempDir
    private Path directory;

    @Test
    void everyQueryHasTheRowsItHasWithFlinksShuffle() throws Exception {
        summary.add("rows generated", Tpch.generate(directory, Effort.of(10, 20, 1_000) / 1_000.0, FILES));
        List<String> queries = Tpch.queries();
        assertThat(queries).hasSize(QUERIES);
        List<TableEnvironment> environments = new ArrayList<>();
        for (String shuffle : SHUFFLES) {
            environments.add(environment(shuffle));
        }
        for (int i = 0; i < QUERIES; i++) {
            // Who runs first, in a process that has not compiled it yet, is the slower one.
            int first = i % SHUFFLES.size();
            List<String> one = rows(environments.get(first), queries.get(i), TIMES.get(first));
            List<String> other = rows(environments.get(1 - first), queries.get(i), TIMES.get(1 - first));
            assertThat(other).as("rows of query %d", i + 1).isEqualTo(one);
            summary.add("queries with rows", one.isEmpty() ? 0 : 1);
        }
        assertThat(summary.of("queries with rows")).isGreaterThan(QUERIES / 2);
        summary.print();
    }

    private TableEnvironment environment(String shuffle) throws IOException {
        Configuration configuration = new Configuration();
        configuration.setString("execution.target", "local");
        configuration.setString("shuffle-service-factory.class", shuffle);
        configuration.setString("parallelism.default", String.valueOf(PARALLELISM));
        configuration.setString("rest.bind-port", "0");
        configuration.setString("taskmanager.memory.network.min", "128m");
        configuration.setString("taskmanager.memory.network.max", "128m");
        configuration.setString("taskmanager.memory.managed.size", "256m");
        configuration.setString("taskmanager.network.sort-shuffle.min-buffers", "32");
        TableEnvironment environment = TableEnvironment.create(EnvironmentSettings.newInstance()
                .inBatchMode()
                .withConfiguration(configuration)
                .build());
        Tpch.create(environment, directory);
        return environment;
    }

    private List<String> rows(TableEnvironment environment, String query, String time) throws Exception {
        List<String> rows = new ArrayList<>();
        long begin = System.nanoTime();
        CloseableIterator<Row> found = environment.executeSql(query).collect();
        try {
            found.forEachRemaining(row -> rows.add(row.toString()));
        } finally {
            found.close();
        }
        summary.add(time, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        rows.sort(null);
        return rows;
    }
}
