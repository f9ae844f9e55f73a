package io.drey.jobs.regularjoin;

import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.digest.StatelessFunction;
import io.drey.jobs.generate.GeneratedInput;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.generate.Payload;
import io.drey.jobs.tally.Digest;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * The job from its source to its rows. The planner finds no unique key on either side, so the join keeps a {@code
 * MapState<row, how often>} per side, with rows of hundreds of bytes as map keys.
 */
public final class RegularJoinLoad {
    private static final String NAME = "regular-join";
    private static final String TABLE = "changes";

    private static final TypeInformation<Row> CHANGES = Types.ROW_NAMED(
            new String[] {"is_left", "k", "n", "payload"},
            Types.BOOLEAN,
            Types.LONG,
            Types.LONG,
            Types.PRIMITIVE_ARRAY(Types.BYTE));

    /** The declared watermark is what lets the source's own ones pass; the join itself takes no time attribute. */
    private static final Schema SCHEMA = Schema.newBuilder()
            .column("is_left", DataTypes.BOOLEAN().notNull())
            .column("k", DataTypes.BIGINT().notNull())
            .column("n", DataTypes.BIGINT().notNull())
            .column("payload", DataTypes.BYTES().notNull())
            .columnByMetadata("event_time", DataTypes.TIMESTAMP_LTZ(3), "rowtime")
            .watermark("event_time", "SOURCE_WATERMARK()")
            .build();

    private static final String JOIN = "SELECT l.n, r.n, l.payload, r.payload"
            + " FROM (SELECT k, n, payload FROM changes WHERE is_left) AS l"
            + " JOIN (SELECT k, n, payload FROM changes WHERE NOT is_left) AS r ON l.k = r.k";

    /** Fields of a joined row. */
    private static final int LEFT_NUMBER = 0;

    private static final int RIGHT_NUMBER = 1;
    private static final int LEFT_PAYLOAD = 2;
    private static final int RIGHT_PAYLOAD = 3;

    /**
     * What Flink's default network memory can hold between the source and one input of the join, if all are in one
     * process: 13 buffers, some of them for bursts only, and 2 more for each parallel join.
     */
    private static final int BUFFERS = 13;

    private static final int BUFFERS_PER_SUBTASK = 2;
    private static final long BUFFER_BYTES = 32 << 10;

    /** Of a row in the network, without its payload. */
    private static final int ROW_OVERHEAD_BYTES = 40;

    private RegularJoinLoad() {}

    /** After so many events as many rows are alive: each inserts one. */
    public static long fillEvents(LoadSettings settings) {
        return settings.alive();
    }

    /** The rows: one for each pair of matching rows that appears or disappears. */
    public static DataStream<OutputRow> rows(StreamExecutionEnvironment env, LoadSettings settings) {
        checkSlack(settings, env.getParallelism());
        JoinGenerator generator = new JoinGenerator(settings);
        DataStream<Row> changes = GeneratedInput.attach(env, settings, generator, CHANGES);
        if (settings.stateless()) {
            return changes.keyBy(change -> change.<Long>getFieldAs(JoinGenerator.KEY), Types.LONG)
                    .process(new StatelessFunction<>(RegularJoinLoad::changeDigest), OutputRow.TYPE)
                    .name(NAME)
                    .uid(NAME);
        }
        return join(env, changes)
                .map(row -> output(generator, row))
                .returns(OutputRow.TYPE)
                .name(NAME)
                .uid(NAME);
    }

    /**
     * One input of the join may be read ahead of the other by what the network holds. Were that more than the
     * generator's slack, rows could be retracted before their match arrives.
     */
    private static void checkSlack(LoadSettings settings, int parallelism) {
        long rowBytes = ((long) settings.rowBytesMin() + settings.rowBytesMax()) / 2 + ROW_OVERHEAD_BYTES;
        long networkBytes = (BUFFERS + (long) BUFFERS_PER_SUBTASK * parallelism) * BUFFER_BYTES;
        // Every other event goes to the same input.
        long slackBytes = JoinGenerator.slackEvents(settings) / 2 * rowBytes;
        if (slackBytes < networkBytes) {
            throw new IllegalArgumentException("The job " + NAME + " needs about "
                    + (settings.alive() * networkBytes / slackBytes + 1) + " rows alive or larger rows at parallelism "
                    + parallelism + ", found " + settings.alive() + " rows alive: its output would depend on timing.");
        }
    }

    private static DataStream<Row> join(StreamExecutionEnvironment env, DataStream<Row> changes) {
        StreamTableEnvironment tables = StreamTableEnvironment.create(env);
        ChangelogMode mode = ChangelogMode.newBuilder()
                .addContainedKind(RowKind.INSERT)
                .addContainedKind(RowKind.DELETE)
                .build();
        Table input = tables.fromChangelogStream(changes, SCHEMA, mode);
        tables.createTemporaryView(TABLE, input);
        return tables.toChangelogStream(tables.sqlQuery(JOIN));
    }

    private static OutputRow output(JoinGenerator generator, Row pair) {
        long left = pair.<Long>getFieldAs(LEFT_NUMBER);
        long right = pair.<Long>getFieldAs(RIGHT_NUMBER);
        boolean appears = pair.getKind() == RowKind.INSERT;
        return new OutputRow(
                appears ? generator.appearsMs(left, right) : generator.disappearsMs(left, right), pairDigest(pair));
    }

    static long pairDigest(Row pair) {
        long hash = Digest.number(Digest.START, pair.getKind() == RowKind.INSERT ? 1 : 0);
        hash = Digest.number(hash, pair.<Long>getFieldAs(LEFT_NUMBER));
        hash = Digest.number(hash, pair.<Long>getFieldAs(RIGHT_NUMBER));
        hash = Digest.number(hash, Payload.digest(pair.getFieldAs(LEFT_PAYLOAD)));
        return Digest.end(Digest.number(hash, Payload.digest(pair.getFieldAs(RIGHT_PAYLOAD))));
    }

    private static long changeDigest(Row change) {
        long hash = Digest.number(Digest.START, change.<Long>getFieldAs(JoinGenerator.NUMBER));
        return Digest.end(Digest.number(hash, Payload.digest(change.getFieldAs(JoinGenerator.PAYLOAD))));
    }
}
