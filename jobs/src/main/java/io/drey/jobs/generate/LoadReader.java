package io.drey.jobs.generate;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;

/**
 * Makes one event at each call of {@link #pollNext}, for ever: the hot path.
 *
 * @param <E> the type of event
 */
final class LoadReader<E> implements SourceReader<E, LoadSplit> {
    private final EventGenerator<E> generator;
    private final long fingerprint;

    /** Written by the task thread, read by whoever asks for the metric: only the last value matters. */
    private final AtomicLong position = new AtomicLong();

    private final CompletableFuture<Void> assigned = new CompletableFuture<>();
    private LoadSplit split;

    LoadReader(SourceReaderContext context, EventGenerator<E> generator, long fingerprint) {
        this.generator = generator;
        this.fingerprint = fingerprint;
        context.metricGroup().gauge(LoadSource.POSITION_METRIC, position::get);
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<E> output) {
        if (split == null) {
            return InputStatus.NOTHING_AVAILABLE;
        }
        long next = position.getPlain();
        output.collect(generator.event(next), EventTime.of(next));
        position.lazySet(next + 1);
        return InputStatus.MORE_AVAILABLE;
    }

    @Override
    public List<LoadSplit> snapshotState(long checkpointId) {
        return split == null ? List.of() : List.of(new LoadSplit(fingerprint, position.getPlain()));
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return assigned;
    }

    @Override
    public void addSplits(List<LoadSplit> splits) {
        for (LoadSplit added : splits) {
            if (split != null) {
                throw new IllegalStateException("A generated input has one split, found " + added + " after " + split);
            }
            if (added.fingerprint() != fingerprint) {
                throw new IllegalStateException("The checkpoint belongs to another run: use the same job, seed, size, "
                        + "keys and row sizes as the run that wrote it.");
            }
            split = added;
            position.lazySet(added.position());
        }
        assigned.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {}
}
