package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.bench.flink.EmbeddedFlink;
import io.drey.cli.inspect.InspectedJob;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks into the state of SQL statements: number {@code n} below {@link #EVENTS} is of item {@code n % 10}. */
class InspectSqlIT {
    private static final int EVENTS = 100;
    private static final int ITEMS = 10;
    private static final long WAIT_SECONDS_MAX = 60;
    private static final AtomicLong SEEN = new AtomicLong();

    @TempDir
    static Path scratch;

    private static final List<Path> SAVEPOINTS = new ArrayList<>();

    private final Shell shell = new Shell();

    private static final class Event implements MapFunction<Long, Row> {
        private static final long serialVersionUID = 1L;

        @Override
        public Row map(Long n) throws InterruptedException {
            if (n >= EVENTS) {
                Thread.sleep(10);
            }
            return Row.of((int) (n % ITEMS), "item " + n % ITEMS, n);
        }
    }

    private static final class Count<T> implements MapFunction<T, T> {
        private static final long serialVersionUID = 1L;

        @Override
        public T map(T row) {
            SEEN.incrementAndGet();
            return row;
        }
    }

    private static Path savepoint(Path directory, SavepointFormatType format) throws Exception {
        Configuration configuration =
                InspectedJob.configuration(1, "io.drey.flink.state.DreyStateBackendFactory", directory);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        StreamTableEnvironment tables = StreamTableEnvironment.create(env);
        tables.getConfig().setIdleStateRetention(Duration.ofDays(1));
        DataStream<Row> events = env.fromSequence(0, Long.MAX_VALUE)
                .map(new Event())
                .returns(Types.ROW_NAMED(new String[] {"item", "name", "n"}, Types.INT, Types.STRING, Types.LONG))
                .filter(event -> event.<Long>getFieldAs(2) < EVENTS);
        tables.createTemporaryView("events", tables.fromDataStream(events));
        List<String> statements = List.of(
                "SELECT item, COUNT(*) AS c, MAX(name) AS name FROM events GROUP BY item",
                "SELECT item, name, SUM(CAST(n AS DECIMAL(10, 2))) AS s FROM events GROUP BY item, name",
                "SELECT a.item, b.n FROM events a JOIN events b ON a.n = b.n",
                "SELECT item, c FROM (SELECT item, c, ROW_NUMBER() OVER (PARTITION BY MOD(item, 2) ORDER BY c DESC)"
                        + " AS place FROM (SELECT item, COUNT(*) AS c FROM events GROUP BY item)) WHERE place <= 2");
        SEEN.set(0);
        for (String statement : statements.subList(0, statements.size() - 1)) {
            tables.toChangelogStream(tables.sqlQuery(statement))
                    .map(new Count<>())
                    .sinkTo(new DiscardingSink<>());
        }
        tables.toChangelogStream(tables.sqlQuery(statements.get(statements.size() - 1)))
                .sinkTo(new DiscardingSink<>());
        // Of an aggregate each event but the first of a key changes two rows.
        long rows = 2 * (2 * EVENTS - ITEMS) + EVENTS;
        EmbeddedFlink flink = new EmbeddedFlink(configuration, env, "sql");
        try {
            CompletableFuture<JobResult> result = flink.submit();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
            while (SEEN.get() < rows) {
                if (System.nanoTime() > end || result.isDone()) {
                    throw new IllegalStateException("found " + SEEN.get() + " of " + rows + " rows");
                }
                Thread.sleep(20);
            }
            return Path.of(flink.stop(directory, format).get(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
        } finally {
            flink.close();
        }
    }

    @BeforeAll
    static void runJobs() throws Exception {
        SAVEPOINTS.add(savepoint(scratch.resolve("native"), SavepointFormatType.NATIVE));
        SAVEPOINTS.add(savepoint(scratch.resolve("canonical"), SavepointFormatType.CANONICAL));
    }

    private List<JsonNode> lines(String... arguments) throws IOException {
        assertThat(shell.run(arguments)).as(shell.err()).isZero();
        List<JsonNode> lines = new ArrayList<>();
        for (String line : shell.out().lines().toList()) {
            lines.add(new ObjectMapper().readTree(line));
        }
        return lines;
    }

    @Test
    void keysAndValuesOfStatementsAreShownByTheirFields() throws IOException {
        for (Path savepoint : SAVEPOINTS) {
            Map<String, List<String>> byState = new TreeMap<>();
            for (JsonNode line : lines("inspect", savepoint.toString(), "--export", "jsonl")) {
                byState.computeIfAbsent(line.get("state").asText(), any -> new ArrayList<>())
                        .add(line.path("key") + " " + line.path("mapKey") + " " + line.path("value"));
            }
            assertThat(byState.keySet())
                    .containsExactlyInAnyOrder("accState", "left-records", "right-records", "data-state", "sorted-map");
            assertThat(byState.get("accState"))
                    .hasSize(3 * ITEMS)
                    .contains("7  [10,\"item 7\"]", "[7,\"item 7\"]  [520.0]", "7  [10]");
            assertThat(byState.get("left-records")).hasSize(EVENTS).contains("35 [5,35] 1");
            assertThat(byState.get("right-records")).hasSize(EVENTS).contains("35 [35] 1");
            assertThat(byState.get("data-state")).contains("1 [10] [[1,10,1],[3,10,1],[5,10,1],[7,10,1],[9,10,1]]");
            assertThat(byState.get("sorted-map")).containsExactlyInAnyOrder("0  {\"[10]\":5}", "1  {\"[10]\":5}");
        }
    }

    @Test
    void aKeyOfSqlIsFoundByItsFields() throws IOException {
        for (Path savepoint : SAVEPOINTS) {
            assertThat(lines("inspect", savepoint.toString(), "--key", "5", "--state", "accState"))
                    .extracting(line -> line.get("value").toString())
                    .contains("[10,\"item 5\"]");
            assertThat(lines("inspect", savepoint.toString(), "--key", "[5, \"item 5\"]"))
                    .hasSize(1);
            assertThat(shell.out()).contains("\"key\":[5,\"item 5\"],\"value\":[500.00]}");
        }
    }

    @Test
    void aKeyThatIsNotThereIsASentence() {
        assertThat(shell.run("inspect", SAVEPOINTS.get(0).toString(), "--key", "[5,\"item 6\"]"))
                .isZero();
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err())
                .contains("No entry has the key [5,\"item 6\"]", "--sample")
                .hasLineCount(1);
    }
}
