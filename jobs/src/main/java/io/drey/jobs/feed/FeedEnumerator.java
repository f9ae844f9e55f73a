package io.drey.jobs.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;

/** Hands split {@code i} to reader {@code i mod parallelism} as soon as that reader is there. */
final class FeedEnumerator implements SplitEnumerator<FeedSplit, List<FeedSplit>> {
    private final SplitEnumeratorContext<FeedSplit> context;
    private final List<FeedSplit> pending;

    FeedEnumerator(SplitEnumeratorContext<FeedSplit> context, List<FeedSplit> pending) {
        this.context = context;
        this.pending = new ArrayList<>(pending);
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String hostName) {}

    @Override
    public void addSplitsBack(List<FeedSplit> splits, int subtask) {
        pending.addAll(splits);
        if (context.registeredReaders().containsKey(subtask)) {
            addReader(subtask);
        }
    }

    @Override
    public void addReader(int subtask) {
        List<FeedSplit> own = new ArrayList<>();
        for (FeedSplit split : pending) {
            if (split.index() % context.currentParallelism() == subtask) {
                own.add(split);
            }
        }
        pending.removeAll(own);
        if (!own.isEmpty()) {
            Map<Integer, List<FeedSplit>> assignment = new HashMap<>();
            assignment.put(subtask, own);
            context.assignSplits(new SplitsAssignment<>(assignment));
        }
        context.signalNoMoreSplits(subtask);
    }

    @Override
    public List<FeedSplit> snapshotState(long checkpointId) {
        return List.copyOf(pending);
    }

    @Override
    public void close() {}
}
