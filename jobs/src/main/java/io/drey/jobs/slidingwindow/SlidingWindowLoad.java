package io.drey.jobs.slidingwindow;

import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.digest.StatelessFunction;
import io.drey.jobs.generate.GeneratedInput;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.tally.Digest;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** The job from its source to its rows: an aggregate and a timer per key in each of twelve open windows. */
public final class SlidingWindowLoad {
    /** A window is so many slides long, and so many windows are open. */
    static final int PANES = 12;

    private static final TypeInformation<Reading> EVENTS = TypeInformation.of(Reading.class);
    private static final TypeInformation<Pane> PANE = TypeInformation.of(Pane.class);
    private static final String NAME = "sliding-window";

    private static final class Emit extends ProcessWindowFunction<Pane, OutputRow, Long, TimeWindow> {
        private static final long serialVersionUID = 1L;

        @Override
        public void process(Long sensor, Context context, Iterable<Pane> panes, Collector<OutputRow> out) {
            TimeWindow window = context.window();
            for (Pane pane : panes) {
                out.collect(new OutputRow(window.maxTimestamp(), pane.digest(sensor, window.getStart())));
            }
        }
    }

    private SlidingWindowLoad() {}

    /** After so many events every sensor has a pane in all windows but the newest. */
    public static long fillEvents(LoadSettings settings) {
        return ReadingGenerator.sensors(settings);
    }

    /** The rows: one for each sensor and window. */
    public static DataStream<OutputRow> rows(StreamExecutionEnvironment env, LoadSettings settings) {
        KeyedStream<Reading, Long> readings = GeneratedInput.attach(
                        env, settings, new ReadingGenerator(settings), EVENTS)
                .keyBy(reading -> reading.sensor, Types.LONG);
        SingleOutputStreamOperator<OutputRow> rows = settings.stateless()
                ? readings.process(new StatelessFunction<>(SlidingWindowLoad::digest), OutputRow.TYPE)
                : windows(readings, Duration.ofMillis(ReadingGenerator.sensors(settings)));
        return rows.name(NAME).uid(NAME);
    }

    private static SingleOutputStreamOperator<OutputRow> windows(KeyedStream<Reading, Long> readings, Duration slide) {
        return readings.window(SlidingEventTimeWindows.of(slide.multipliedBy(PANES), slide))
                .aggregate(new Pane.Aggregate(), new Emit(), PANE, PANE, OutputRow.TYPE);
    }

    private static long digest(Reading reading) {
        return Digest.end(Digest.number(Digest.number(Digest.START, reading.sensor), reading.value));
    }
}
