package io.drey.jobs.feed;

import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A share of a replayed feed and how far it has been read. Event {@code p} of replica {@code r} belongs to split
 * {@code (key(p) + r) mod count}, so that all events of a key are in one split, whatever the parallelism.
 *
 * @param index which split, from 0
 * @param count number of splits
 * @param repeat number of replicas
 * @param feedSize number of events of one replica, to notice a checkpoint of another data set
 * @param position the next event is at this position or later
 * @param replica the next event at that position is of this replica or a later one
 * @param emitted events emitted so far
 */
record FeedSplit(int index, int count, int repeat, int feedSize, int position, int replica, long emitted)
        implements SourceSplit {
    @Override
    public String splitId() {
        return index + "/" + count;
    }
}
