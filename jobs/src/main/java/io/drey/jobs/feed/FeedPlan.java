package io.drey.jobs.feed;

import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The shares into which a feed is cut.
 *
 * @param run tells the run from others, to notice a checkpoint of another one; a text for people
 * @param splits number of splits; readers beyond it have nothing to read
 * @param repeat number of replicas
 * @param isBounded whether the job ends with the feed; else the source waits there
 */
public record FeedPlan(String run, int splits, int repeat, boolean isBounded) implements Serializable {
    /** All splits, at their beginning. */
    List<FeedSplit> first() {
        return IntStream.range(0, splits)
                .mapToObj(i -> new FeedSplit(run, i, splits, repeat, 0, 0, 0))
                .toList();
    }
}
