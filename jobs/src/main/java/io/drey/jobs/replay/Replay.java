package io.drey.jobs.replay;

import io.drey.jobs.data.DataLocation;
import io.drey.jobs.data.DataSet;
import io.drey.jobs.feed.FailAfter;
import io.drey.jobs.feed.FeedPlan;
import io.drey.jobs.feed.FeedSource;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.function.Function;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The data set as a source, replayed by a number of replicas side by side.
 *
 * @param input the place of the data set
 * @param repeat number of replicas
 * @param failAfter a failure on purpose, or null
 */
public record Replay(DataLocation input, int repeat, FailAfter failAfter) {
    /** Readers beyond this number would have nothing to read. */
    public static final int PARALLELISM_MAX = 32;

    /** Replicas in splits stay ints, and shifted times stay near the others. */
    public static final int REPEAT_MAX = 1_000_000;

    /** So far apart readers of one replica may be, of more in proportion: at 20 ms, that is several 100 k events/s. */
    private static final Duration DRIFT_ONE_REPLICA = Duration.ofDays(2);

    private static final Duration DRIFT_MIN = Duration.ofHours(1);
    private static final Duration ALIGNMENT_INTERVAL = Duration.ofMillis(20);
    private static final String NAME = "replay";

    public Replay {
        if (repeat < 1 || repeat > REPEAT_MAX) {
            throw new IllegalArgumentException("repeat must be from 1 to " + REPEAT_MAX + ", is " + repeat);
        }
    }

    /**
     * Makes a feed of the data set; travels with the job.
     *
     * @param <E> the type of event
     */
    public interface FeedOf<E> extends Function<DataSet, ReplayFeed<E>>, Serializable {}

    /**
     * The events of a feed, which the caller gets to see first.
     *
     * @param feed what {@code feedOf} makes of the data set, made here so that wrong input fails here
     */
    public <E> DataStream<E> attach(
            StreamExecutionEnvironment env, ReplayFeed<E> feed, FeedOf<E> feedOf, TypeInformation<E> type) {
        if (env.getParallelism() > PARALLELISM_MAX) {
            throw new IllegalArgumentException("The parallelism must be at most " + PARALLELISM_MAX + ".");
        }
        String run = "--repeat " + repeat + " over " + feed.size() + " events";
        DataLocation location = input;
        FeedSource<E> source = new FeedSource<>(
                () -> feedOf.apply(DataSet.load(location)),
                new FeedPlan(run, PARALLELISM_MAX, repeat, true),
                failAfter);
        return env.fromSource(source, watermarks(feed), NAME, type).uid(NAME);
    }

    /** The feed, read now. */
    public <E> ReplayFeed<E> feed(FeedOf<E> feedOf) throws IOException {
        return feedOf.apply(DataSet.load(input));
    }

    /**
     * The latest replica runs ahead of the earliest by the shift of the former. Where state waits for watermarks, readers
     * are kept together, as what one reads ahead waits for the others.
     */
    private <E> WatermarkStrategy<E> watermarks(ReplayFeed<E> feed) {
        WatermarkStrategy<E> strategy =
                ReplayWatermarks.strategy(feed.outOfOrderness().plusMillis(Replica.shiftMs(repeat - 1)));
        if (!feed.waitsForWatermarks()) {
            return strategy;
        }
        Duration drift = DRIFT_ONE_REPLICA.dividedBy(repeat);
        return strategy.withWatermarkAlignment(
                NAME, drift.compareTo(DRIFT_MIN) < 0 ? DRIFT_MIN : drift, ALIGNMENT_INTERVAL);
    }
}
