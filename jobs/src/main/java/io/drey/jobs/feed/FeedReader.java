package io.drey.jobs.feed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;

/**
 * Emits the events of its splits, always from the split that is furthest behind, so that the splits of a reader advance
 * together and the disorder stays that of the feed. One call of {@link #pollNext} emits one event: the hot path, which
 * allocates the event and nothing else.
 *
 * @param <E> the type of event
 */
final class FeedReader<E> implements SourceReader<E, FeedSplit> {
    private final FeedFactory<E> factory;
    private final FeedPlan plan;
    private final FailAfter failAfter;
    private final AtomicLong failureCounter;

    /** Written by the task thread, read by whoever asks for the metric: only the last value matters. */
    private final AtomicLong emitted = new AtomicLong();

    private final List<FeedCursor> cursors = new ArrayList<>();
    private CompletableFuture<Void> available = new CompletableFuture<>();
    private boolean noMoreSplits;
    private Feed<E> feed;
    private FeedCursor current;
    private long currentPosition;

    FeedReader(SourceReaderContext context, FeedFactory<E> factory, FeedPlan plan, FailAfter failAfter) {
        this.factory = factory;
        this.plan = plan;
        this.failAfter = failAfter;
        this.failureCounter = failAfter == null ? null : failAfter.counter();
        context.metricGroup().gauge(FeedSource.EVENTS_METRIC, emitted::get);
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<E> output) {
        FeedCursor cursor = current;
        if (cursor == null || cursor.position() != currentPosition) {
            cursor = furthestBehind();
            if (cursor == null) {
                return nothingToRead();
            }
            current = cursor;
            currentPosition = cursor.position();
        }
        int replica = cursor.replica();
        output.collect(feed.event(currentPosition, replica), feed.timestampMs(currentPosition, replica));
        cursor.advance();
        emitted.lazySet(emitted.getPlain() + 1);
        if (failAfter != null) {
            failAfter.count(failureCounter);
        }
        return InputStatus.MORE_AVAILABLE;
    }

    private FeedCursor furthestBehind() {
        FeedCursor behind = null;
        for (int i = 0; i < cursors.size(); i++) {
            FeedCursor cursor = cursors.get(i);
            if (!cursor.exhausted() && (behind == null || cursor.position() < behind.position())) {
                behind = cursor;
            }
        }
        return behind;
    }

    private InputStatus nothingToRead() {
        if (noMoreSplits && plan.isBounded()) {
            return InputStatus.END_OF_INPUT;
        }
        if (available.isDone()) {
            available = new CompletableFuture<>();
        }
        return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public List<FeedSplit> snapshotState(long checkpointId) {
        List<FeedSplit> splits = new ArrayList<>(cursors.size());
        for (FeedCursor cursor : cursors) {
            splits.add(cursor.split());
        }
        return splits;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return available;
    }

    @Override
    public void addSplits(List<FeedSplit> splits) {
        if (feed == null) {
            feed = openFeed();
        }
        long before = emitted.getPlain();
        for (FeedSplit split : splits) {
            if (!split.run().equals(plan.run())) {
                throw new IllegalStateException(FeedSource.OTHER_RUN + ": it has " + split.run() + ", this run has "
                        + plan.run() + ". Use the same job, input and settings.");
            }
            cursors.add(new FeedCursor(feed, split));
            before += split.emitted();
        }
        emitted.lazySet(before);
        current = null;
        available.complete(null);
    }

    private Feed<E> openFeed() {
        try {
            return factory.create();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void notifyNoMoreSplits() {
        noMoreSplits = true;
        available.complete(null);
    }

    @Override
    public void close() {}
}
