package io.drey.jobs.generate;

import io.drey.jobs.feed.Feed;
import io.drey.jobs.feed.FeedPlan;
import io.drey.jobs.feed.FeedSource;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Generated events as a source. It has one split, so that all events have one order; its watermarks are counted into
 * the stream, so that a replay is the same to the last bit.
 */
public final class GeneratedInput {
    private static final String NAME = "load";

    private GeneratedInput() {}

    private record GeneratedFeed<E>(EventGenerator<E> generator, long size) implements Feed<E> {
        @Override
        public int key(long position) {
            return 0;
        }

        @Override
        public long timestampMs(long position, int replica) {
            return EventTime.of(position);
        }

        @Override
        public E event(long position, int replica) {
            CreationTimes.created(position);
            return generator.event(position);
        }
    }

    private static final class CountedWatermarks<E> implements WatermarkGenerator<E> {
        @Override
        public void onEvent(E event, long timestampMs, WatermarkOutput output) {
            if (EventTime.isWatermark(timestampMs)) {
                output.emitWatermark(new Watermark(timestampMs));
            }
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }

    /** Adds the source to an environment, with parallelism 1. What is to be chained to it needs the same. */
    public static <E> DataStream<E> attach(
            StreamExecutionEnvironment env,
            LoadSettings settings,
            EventGenerator<E> generator,
            TypeInformation<E> type) {
        String run = settings.endingAt(LoadSettings.NEVER).toString();
        FeedPlan plan = new FeedPlan(run, 1, 1, false);
        WatermarkStrategy<E> watermarks = WatermarkStrategy.forGenerator(context -> new CountedWatermarks<>());
        long end = settings.end();
        return env.fromSource(
                        new FeedSource<>(() -> new GeneratedFeed<>(generator, end), plan, null), watermarks, NAME, type)
                .setParallelism(1)
                .uid(NAME);
    }
}
