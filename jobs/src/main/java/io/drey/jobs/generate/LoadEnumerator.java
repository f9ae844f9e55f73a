package io.drey.jobs.generate;

import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/** Hands the only split to the only reader. */
final class LoadEnumerator implements SplitEnumerator<LoadSplit, PendingSplit> {
    private final SplitEnumeratorContext<LoadSplit> context;

    /** Or null if the reader has it. */
    private LoadSplit pending;

    LoadEnumerator(SplitEnumeratorContext<LoadSplit> context, PendingSplit pending) {
        this.context = context;
        this.pending = pending.split();
    }

    @Override
    public void start() {
        if (context.currentParallelism() != 1) {
            throw new IllegalStateException(
                    "A generated input has one reader, found a source of parallelism " + context.currentParallelism());
        }
    }

    @Override
    public void handleSplitRequest(int subtask, String hostName) {}

    @Override
    public void addSplitsBack(List<LoadSplit> splits, int subtask) {
        for (LoadSplit split : splits) {
            pending = split;
        }
        if (context.registeredReaders().containsKey(subtask)) {
            addReader(subtask);
        }
    }

    @Override
    public void addReader(int subtask) {
        if (pending != null) {
            context.assignSplit(pending, subtask);
            pending = null;
        }
    }

    @Override
    public PendingSplit snapshotState(long checkpointId) {
        return new PendingSplit(pending);
    }

    @Override
    public void close() {}
}
