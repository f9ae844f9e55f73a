package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.flink.EmbeddedFlink;
import io.drey.cli.inspect.InspectedJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SQL with asynchronous state leaves Drey: by a native savepoint to Drey without asynchronous state, then by a
 * canonical one. Event {@code n} is of item {@code n % 10}. Each of the three jobs takes the next {@link #EVENTS}.
 */
class AsynchronousSqlIT {
    private static final int EVENTS = 100;
    private static final int ITEMS = 10;
    private static final long WAIT_SECONDS_MAX = 60;

    private static final List<String> STATEMENTS = List.of(
            "SELECT 'sum', item, SUM(n), MAX(name) FROM events GROUP BY item",
            "SELECT 'join', a.item, a.n, b.name FROM events a JOIN events b ON a.n = b.n + 10",
            "SELECT 'left', a.item, a.n, b.name FROM events a LEFT JOIN events b ON a.n = b.n - 110",
            "SELECT 'last', item, n, name FROM (SELECT item, n, name, ROW_NUMBER() OVER (PARTITION BY item ORDER BY n"
                    + " DESC) AS place FROM events) WHERE place <= 2");

    /** The next event. A job that ends by a savepoint has finished those before. */
    private static final AtomicLong NEXT = new AtomicLong();

    /** The results so far: how often a row is there. */
    private static final Map<String, Integer> ROWS = new ConcurrentSkipListMap<>();

    @TempDir
    Path directory;

    private static final class Event implements MapFunction<Long, Row> {
        private static final long serialVersionUID = 1L;

        private final long end;

        private Event(long end) {
            this.end = end;
        }

        @Override
        public Row map(Long any) throws InterruptedException {
            long n = NEXT.get();
            if (n >= end) {
                Thread.sleep(10);
                return Row.of(-1, "", -1L);
            }
            NEXT.incrementAndGet();
            return Row.of((int) (n % ITEMS), "item " + n, n);
        }
    }

    private static final class Result implements MapFunction<Row, Row> {
        private static final long serialVersionUID = 1L;

        @Override
        public Row map(Row row) {
            boolean leaves = switch (row.getKind()) {
                case INSERT, UPDATE_AFTER -> false;
                case UPDATE_BEFORE, DELETE -> true;
            };
            String text = row.getField(0) + " " + row.getField(1) + " " + row.getField(2) + " " + row.getField(3);
            ROWS.merge(text, leaves ? -1 : 1, (before, more) -> before + more == 0 ? null : before + more);
            return row;
        }
    }

    private static Map<String, Integer> expected(int events) {
        Map<String, Integer> rows = new TreeMap<>();
        for (int item = 0; item < ITEMS; item++) {
            long sum = 0;
            String name = "";
            for (int n = item; n < events; n += ITEMS) {
                sum += n;
                name = name.compareTo("item " + n) < 0 ? "item " + n : name;
                if (n >= 10) {
                    rows.put("join " + item + " " + n + " item " + (n - 10), 1);
                }
                rows.put("left " + item + " " + n + (n + 110 < events ? " item " + (n + 110) : " null"), 1);
                if (n + 2 * ITEMS >= events) {
                    rows.put("last " + item + " " + n + " item " + n, 1);
                }
            }
            rows.put("sum " + item + " " + sum + " " + name, 1);
        }
        return rows;
    }

    /** @return the savepoint with which the job stops when its results of all events before {@code end} are right */
    private Path run(String backend, boolean asynchronous, Path restored, int end, SavepointFormatType format)
            throws Exception {
        Configuration configuration = InspectedJob.configuration(1, backend, directory);
        configuration.set(ExecutionConfigOptions.TABLE_EXEC_ASYNC_STATE_ENABLED, asynchronous);
        if (restored != null) {
            configuration.set(
                    StateRecoveryOptions.SAVEPOINT_PATH, restored.toUri().toString());
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        StreamTableEnvironment tables = StreamTableEnvironment.create(env);
        tables.getConfig().setIdleStateRetention(Duration.ofDays(1));
        DataStream<Row> events = env.fromSequence(0, Long.MAX_VALUE)
                .map(new Event(end))
                .returns(Types.ROW_NAMED(new String[] {"item", "name", "n"}, Types.INT, Types.STRING, Types.LONG))
                .filter(event -> event.<Long>getFieldAs(2) >= 0);
        tables.createTemporaryView("events", tables.fromDataStream(events));
        for (String statement : STATEMENTS) {
            tables.toChangelogStream(tables.sqlQuery(statement))
                    .map(new Result())
                    .sinkTo(new DiscardingSink<>());
        }
        boolean found = env.getStreamGraph(false).getStreamNodes().stream()
                .map(node -> node.getOperatorFactory().getStreamOperatorClass(Row.class.getClassLoader()))
                .anyMatch(operator -> operator.getSimpleName().startsWith("Async"));
        assertThat(found).isEqualTo(asynchronous);
        try (EmbeddedFlink flink = new EmbeddedFlink(configuration, env, "sql")) {
            CompletableFuture<JobResult> result = flink.submit();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
            while (!ROWS.equals(expected(end)) && !result.isDone() && System.nanoTime() < until) {
                Thread.sleep(20);
            }
            assertThat(ROWS).isEqualTo(expected(end));
            return Path.of(flink.stop(directory, format).get(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
        }
    }

    @Test
    void aStatementWithAsynchronousStateLeavesDreyWithItsState() throws Exception {
        String drey = "io.drey.flink.state.DreyStateBackendFactory";

        Path first = run(drey, true, null, EVENTS, SavepointFormatType.NATIVE);
        Path second = run(drey, false, first, 2 * EVENTS, SavepointFormatType.CANONICAL);
        run("hashmap", false, second, 3 * EVENTS, SavepointFormatType.CANONICAL);
    }
}
