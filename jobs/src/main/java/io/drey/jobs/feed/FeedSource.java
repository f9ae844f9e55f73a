package io.drey.jobs.feed;

import io.drey.jobs.data.DataLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A bounded Flink source that replays a feed as fast as it is taken. Its splits remember their place, so that after a
 * failure each event counts once; their number is fixed, so that a checkpoint can be restored with another parallelism.
 *
 * @param <E> the type of event
 */
public final class FeedSource<E> implements Source<E, FeedSplit, List<FeedSplit>> {
    private static final long serialVersionUID = 1L;

    /** The gauge of each reader with the number of events emitted from its splits since the job first started. */
    public static final String EVENTS_METRIC = "feedEvents";

    /** How the message begins if a checkpoint does not fit the run. */
    public static final String OTHER_RUN = "The checkpoint belongs to another run";

    /** Readers beyond this number would have nothing to read. */
    public static final int PARALLELISM_MAX = 32;

    /** Positions of replicas in splits stay ints, and shifted times stay near the others. */
    public static final int REPEAT_MAX = 1_000_000;

    /** So far apart readers of one replica may be, of more in proportion: at 20 ms, that is several 100 k events/s. */
    private static final Duration DRIFT_ONE_REPLICA = Duration.ofDays(2);

    private static final Duration DRIFT_MIN = Duration.ofHours(1);
    private static final Duration ALIGNMENT_INTERVAL = Duration.ofMillis(20);

    private final DataLocation location;
    private final FeedFactory<E> factory;
    private final int repeat;
    private final int feedSize;
    private final FailAfter failAfter;

    /**
     * @param repeat number of replicas
     * @param feedSize events of one replica
     * @param failAfter a failure on purpose, or null
     */
    public FeedSource(DataLocation location, FeedFactory<E> factory, int repeat, int feedSize, FailAfter failAfter) {
        if (repeat < 1 || repeat > REPEAT_MAX) {
            throw new IllegalArgumentException("repeat must be from 1 to " + REPEAT_MAX + ", is " + repeat);
        }
        this.location = location;
        this.factory = factory;
        this.repeat = repeat;
        this.feedSize = feedSize;
        this.failAfter = failAfter;
    }

    /**
     * The watermarks for this source. The latest replica runs ahead of the earliest by the shift of the former. Where
     * state waits for watermarks, readers are kept together, as what one reads ahead waits for the others.
     */
    public WatermarkStrategy<E> watermarks(Feed<E> feed) {
        WatermarkStrategy<E> strategy =
                FeedWatermarks.strategy(feed.outOfOrderness().plusMillis(Replica.shiftMs(repeat - 1)));
        if (!feed.waitsForWatermarks()) {
            return strategy;
        }
        Duration drift = DRIFT_ONE_REPLICA.dividedBy(repeat);
        return strategy.withWatermarkAlignment(
                "replay", drift.compareTo(DRIFT_MIN) < 0 ? DRIFT_MIN : drift, ALIGNMENT_INTERVAL);
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SplitEnumerator<FeedSplit, List<FeedSplit>> createEnumerator(SplitEnumeratorContext<FeedSplit> context) {
        List<FeedSplit> splits = new ArrayList<>();
        for (int i = 0; i < PARALLELISM_MAX; i++) {
            splits.add(new FeedSplit(i, PARALLELISM_MAX, repeat, feedSize, 0, 0, 0));
        }
        return new FeedEnumerator(context, splits);
    }

    @Override
    public SplitEnumerator<FeedSplit, List<FeedSplit>> restoreEnumerator(
            SplitEnumeratorContext<FeedSplit> context, List<FeedSplit> pending) {
        return new FeedEnumerator(context, pending);
    }

    @Override
    public SourceReader<E, FeedSplit> createReader(SourceReaderContext context) {
        return new FeedReader<>(context, location, factory, repeat, failAfter);
    }

    @Override
    public SimpleVersionedSerializer<FeedSplit> getSplitSerializer() {
        return new FeedSplitCodec();
    }

    @Override
    public SimpleVersionedSerializer<List<FeedSplit>> getEnumeratorCheckpointSerializer() {
        return new PendingSplitsCodec();
    }
}
