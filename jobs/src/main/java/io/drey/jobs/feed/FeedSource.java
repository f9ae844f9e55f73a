package io.drey.jobs.feed;

import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A Flink source that emits a feed as fast as it is taken. Its splits remember their place, so that after a failure each
 * event counts once; their number is fixed, so that a checkpoint can be restored with another parallelism.
 *
 * @param <E> the type of event
 */
public final class FeedSource<E> implements Source<E, FeedSplit, List<FeedSplit>> {
    private static final long serialVersionUID = 1L;

    /** The gauge of each reader with the number of events emitted from its splits since the job first started. */
    public static final String EVENTS_METRIC = "sourceEvents";

    /** The beginning of the message if a checkpoint does not fit the run. */
    public static final String OTHER_RUN = "The checkpoint belongs to another run";

    private final FeedFactory<E> factory;
    private final FeedPlan plan;
    private final FailAfter failAfter;

    /** @param failAfter a failure on purpose, or null */
    public FeedSource(FeedFactory<E> factory, FeedPlan plan, FailAfter failAfter) {
        this.factory = factory;
        this.plan = plan;
        this.failAfter = failAfter;
    }

    @Override
    public Boundedness getBoundedness() {
        return plan.isBounded() ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SplitEnumerator<FeedSplit, List<FeedSplit>> createEnumerator(SplitEnumeratorContext<FeedSplit> context) {
        return new FeedEnumerator(context, plan.first());
    }

    @Override
    public SplitEnumerator<FeedSplit, List<FeedSplit>> restoreEnumerator(
            SplitEnumeratorContext<FeedSplit> context, List<FeedSplit> pending) {
        return new FeedEnumerator(context, pending);
    }

    @Override
    public SourceReader<E, FeedSplit> createReader(SourceReaderContext context) {
        return new FeedReader<>(context, factory, plan, failAfter);
    }

    @Override
    public SimpleVersionedSerializer<FeedSplit> getSplitSerializer() {
        return FeedSplitCodec.ofOne();
    }

    @Override
    public SimpleVersionedSerializer<List<FeedSplit>> getEnumeratorCheckpointSerializer() {
        return new FeedSplitCodec();
    }
}
