package io.drey.jobs.feed;

/**
 * Walks through the events of one split: positions upwards, at each position the replicas that belong to the split. The
 * cursor always stands on the next event to emit, or after the last.
 */
final class FeedCursor {
    private final Feed<?> feed;
    private final FeedSplit split;
    private long position;
    private int replica;
    private long emitted;

    FeedCursor(Feed<?> feed, FeedSplit split) {
        this.feed = feed;
        this.split = split;
        this.position = split.position();
        this.replica = split.replica();
        this.emitted = split.emitted();
        settle();
    }

    boolean exhausted() {
        return position >= feed.size();
    }

    long position() {
        return position;
    }

    int replica() {
        return replica;
    }

    long emitted() {
        return emitted;
    }

    /** Steps over the current event. */
    void advance() {
        emitted++;
        replica++;
        settle();
    }

    /** Moves forward to the first event of the split at or after the current place. */
    private void settle() {
        long size = feed.size();
        while (position < size) {
            int ahead = Math.floorMod(split.index() - feed.key(position) - replica, split.count());
            if (replica + ahead < split.repeat()) {
                replica += ahead;
                return;
            }
            position++;
            replica = 0;
        }
    }

    FeedSplit split() {
        return new FeedSplit(split.run(), split.index(), split.count(), split.repeat(), position, replica, emitted);
    }
}
