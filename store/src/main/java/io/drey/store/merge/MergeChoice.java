package io.drey.store.merge;

import io.drey.store.run.Run;
import io.drey.store.run.Slice;
import io.drey.store.version.Version;
import java.util.List;

/**
 * What to merge and where the result goes.
 *
 * @param inputs youngest first; the slices of each are sorted and free of overlaps, and clipped to the range
 * @param prefixFrom first prefix merged
 * @param prefixTo first prefix not merged, or {@link Slice#NO_END}
 * @param sweep whether the result goes into the last level; else it takes the place of its inputs among the young
 * @param bottom whether nothing older than the inputs can hold their keys
 */
public record MergeChoice(List<List<Slice>> inputs, long prefixFrom, long prefixTo, boolean sweep, boolean bottom) {
    public MergeChoice {
        inputs = inputs.stream().map(List::copyOf).toList();
    }

    /**
     * The version in which the outputs stand for the inputs. It may be a later one than the choice was made from, as
     * long as only younger runs came to it and no other merge took these inputs.
     */
    public Version apply(Version version, List<Run> outputs) {
        throw new UnsupportedOperationException();
    }
}
