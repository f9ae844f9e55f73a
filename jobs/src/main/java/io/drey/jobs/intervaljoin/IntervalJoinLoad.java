package io.drey.jobs.intervaljoin;

import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.generate.GeneratedInput;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.generate.Payload;
import io.drey.jobs.tally.Digest;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.util.Collector;

/** The job from its source to its rows: what Flink's interval join keeps for both sides. */
public final class IntervalJoinLoad {
    private static final TypeInformation<SideRow> EVENTS = TypeInformation.of(SideRow.class);
    private static final String NAME = "interval-join";

    private static final class Join extends ProcessJoinFunction<SideRow, SideRow, OutputRow> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(SideRow left, SideRow right, Context context, Collector<OutputRow> out) {
            out.collect(new OutputRow(Math.max(left.happenedMs, right.happenedMs), digest(left, right)));
        }
    }

    private static final class Stateless extends KeyedCoProcessFunction<Long, SideRow, SideRow, OutputRow> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement1(SideRow left, Context context, Collector<OutputRow> out) {
            emit(left, out);
        }

        @Override
        public void processElement2(SideRow right, Context context, Collector<OutputRow> out) {
            emit(right, out);
        }

        private static void emit(SideRow row, Collector<OutputRow> out) {
            out.collect(new OutputRow(row.happenedMs, Digest.end(digest(Digest.START, row))));
        }
    }

    private IntervalJoinLoad() {}

    /** After so many events the first rows leave their interval. */
    public static long fillEvents(LoadSettings settings) {
        return SideGenerator.intervalMs(settings);
    }

    /** The rows: one for each pair. */
    public static DataStream<OutputRow> rows(StreamExecutionEnvironment env, LoadSettings settings) {
        DataStream<SideRow> both = GeneratedInput.attach(env, settings, new SideGenerator(settings), EVENTS);
        KeyedStream<SideRow, Long> left = side(both, true, "left");
        KeyedStream<SideRow, Long> right = side(both, false, "right");
        Duration interval = Duration.ofMillis(SideGenerator.intervalMs(settings));
        SingleOutputStreamOperator<OutputRow> rows = settings.stateless()
                ? left.connect(right).process(new Stateless(), OutputRow.TYPE)
                : left.intervalJoin(right).between(interval.negated(), interval).process(new Join(), OutputRow.TYPE);
        return rows.name(NAME).uid(NAME);
    }

    /** In the task of the source, as its parallelism is that of the source. */
    private static KeyedStream<SideRow, Long> side(DataStream<SideRow> both, boolean left, String name) {
        return both.filter(row -> row.left == left)
                .setParallelism(1)
                .name(name)
                .uid(name)
                .keyBy(row -> row.key, Types.LONG);
    }

    static long digest(SideRow left, SideRow right) {
        return Digest.end(digest(digest(Digest.START, left), right));
    }

    private static long digest(long hash, SideRow row) {
        long h = Digest.number(Digest.number(hash, row.key), row.left ? 1L : 0L);
        return Digest.number(Digest.number(h, row.happenedMs), Payload.digest(row.payload));
    }
}
