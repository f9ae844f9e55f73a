package io.drey.bench.shuffle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.bench.result.ShuffleComparison;
import io.drey.bench.tpch.Tpch;
import io.drey.jobs.generate.Payload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** The queries of TPC-H one after the other: exchanges as Flink plans them, broadcast, hash, adaptive. */
final class TpchLoad implements ShuffleLoad {
    private static final int PARALLELISM = 2;
    private static final double SCALE = 1;
    private static final double SCALE_QUICK = 0.02;

    /** Keeps equal rows of different queries apart. */
    private static final long PRIME = 31;

    @Override
    public String text() {
        return "tpch";
    }

    @Override
    public ShuffleComparison.Job facts(boolean quick) {
        return new ShuffleComparison.Job(
                text(),
                "the 22 queries of TPC-H, planned and run one after the other",
                "Tables of scale " + scale(quick) + " as text, parallelism " + PARALLELISM);
    }

    private static double scale(boolean quick) {
        return quick ? SCALE_QUICK : SCALE;
    }

    @Override
    public int slots(boolean quick) {
        return PARALLELISM;
    }

    @Override
    public int warmUps(boolean quick) {
        return 1;
    }

    @Override
    public void prepare(Path input, boolean quick) throws IOException {
        Tpch.generate(input, scale(quick), PARALLELISM);
    }

    @Override
    public Outcome run(FlinkProcesses cluster, boolean quick, Surroundings surroundings) throws Exception {
        TableEnvironment environment = cluster.sql(PARALLELISM);
        Tpch.create(environment, surroundings.input());
        List<String> queries = Tpch.queries();
        long begin = System.nanoTime();
        long rows = 0;
        long digest = 0;
        for (String query : queries) {
            digest *= PRIME;
            for (Row row : rows(environment.executeSql(query))) {
                rows++;
                digest += Payload.digest(row.toString().getBytes(UTF_8));
            }
        }
        return new Outcome((System.nanoTime() - begin) / 1e9, rows, Long.toHexString(digest));
    }

    private static List<Row> rows(TableResult result) throws Exception {
        CloseableIterator<Row> found = result.collect();
        CompletableFuture<List<Row>> rows = CompletableFuture.supplyAsync(() -> {
            List<Row> all = new ArrayList<>();
            found.forEachRemaining(all::add);
            return all;
        });
        try {
            return PatientWait.await(ms -> rows.get(ms, TimeUnit.MILLISECONDS));
        } finally {
            // It ends the query if that is still under way.
            found.close();
        }
    }
}
