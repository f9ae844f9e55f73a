package io.drey.jobs.deduplicate;

import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.digest.StatelessFunction;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.GeneratedInput;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.tally.Digest;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * The job from its source to its rows. The planner recognizes the query as its operator Deduplicate, which keeps a
 * {@code ValueState<Boolean>} per key and reads it at every event: absent and written for a new key, present for
 * another.
 */
public final class DeduplicateLoad {
    private static final String NAME = "deduplicate";
    private static final String TABLE = "events";

    private static final TypeInformation<Row> EVENTS = Types.ROW_NAMED(new String[] {"k", "n"}, Types.LONG, Types.LONG);

    /** The declared watermark is what lets the source's own ones pass. */
    private static final Schema SCHEMA = Schema.newBuilder()
            .column("k", DataTypes.BIGINT().notNull())
            .column("n", DataTypes.BIGINT().notNull())
            .columnByMetadata("event_time", DataTypes.TIMESTAMP_LTZ(3), "rowtime")
            .columnByExpression("arrival", "PROCTIME()")
            .watermark("event_time", "SOURCE_WATERMARK()")
            .build();

    private static final String FIRST = "SELECT k, n FROM"
            + " (SELECT k, n, ROW_NUMBER() OVER (PARTITION BY k ORDER BY arrival ASC) AS place FROM events)"
            + " WHERE place = 1";

    /**
     * Every access pays for the time to live, but nothing lives so long: it is of processing time, and the output must
     * not depend on when a job runs or is restored.
     */
    private static final Duration TIME_TO_LIVE = Duration.ofDays(3650);

    private DeduplicateLoad() {}

    /** After so many events as many keys are known: each brings one. */
    public static long fillEvents(LoadSettings settings) {
        return settings.alive();
    }

    /** The rows: the first event of every key. */
    public static DataStream<OutputRow> rows(StreamExecutionEnvironment env, LoadSettings settings) {
        DataStream<Row> events = GeneratedInput.attach(env, settings, new DuplicateGenerator(settings), EVENTS);
        if (settings.stateless()) {
            return events.keyBy(event -> event.<Long>getFieldAs(DuplicateGenerator.KEY), Types.LONG)
                    .process(new StatelessFunction<>(DeduplicateLoad::digest), OutputRow.TYPE)
                    .name(NAME)
                    .uid(NAME);
        }
        return firsts(env, events)
                .map(DeduplicateLoad::output)
                .returns(OutputRow.TYPE)
                .name(NAME)
                .uid(NAME);
    }

    private static DataStream<Row> firsts(StreamExecutionEnvironment env, DataStream<Row> events) {
        StreamTableEnvironment tables = StreamTableEnvironment.create(env);
        tables.getConfig().setIdleStateRetention(TIME_TO_LIVE);
        tables.createTemporaryView(TABLE, tables.fromDataStream(events, SCHEMA));
        return tables.toDataStream(tables.sqlQuery(FIRST));
    }

    private static OutputRow output(Row first) {
        return new OutputRow(EventTime.of(first.<Long>getFieldAs(DuplicateGenerator.POSITION)), digest(first));
    }

    static long digest(Row event) {
        long hash = Digest.number(Digest.START, event.<Long>getFieldAs(DuplicateGenerator.KEY));
        return Digest.end(Digest.number(hash, event.<Long>getFieldAs(DuplicateGenerator.POSITION)));
    }
}
