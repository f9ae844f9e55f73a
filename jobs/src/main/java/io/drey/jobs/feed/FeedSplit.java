package io.drey.jobs.feed;

import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A share of a feed and how far it has been read. Event {@code p} of replica {@code r} belongs to split {@code
 * (key(p) + r) mod count}, so that all events of a key are in one split, whatever the parallelism.
 *
 * @param run tells the run from others
 * @param index which split, from 0
 * @param count number of splits
 * @param repeat number of replicas
 * @param position the next event is at this position or later
 * @param replica the next event at that position is of this replica or a later one
 * @param emitted events emitted so far
 */
record FeedSplit(String run, int index, int count, int repeat, long position, int replica, long emitted)
        implements SourceSplit {
    @Override
    public String splitId() {
        return index + "/" + count;
    }
}
