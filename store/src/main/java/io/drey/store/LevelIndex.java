package io.drey.store;

import io.drey.store.run.Slice;
import java.util.List;

/** The slices of one level, found by prefix. Immutable. */
final class LevelIndex {
    private final Slice[] slices;
    private final long[] firstPrefixes;
    private final long[] lastPrefixes;

    LevelIndex(List<Slice> level) {
        slices = level.toArray(new Slice[0]);
        firstPrefixes = new long[slices.length];
        lastPrefixes = new long[slices.length];
        for (int i = 0; i < slices.length; i++) {
            firstPrefixes[i] = slices[i].firstPrefix();
            lastPrefixes[i] = slices[i].lastPrefix();
        }
    }

    /** The index after the last slice that may hold a prefix. */
    int end(long prefix) {
        int low = 0;
        int high = slices.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(firstPrefixes[middle], prefix) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Whether the i-th slice still reaches up to a prefix; those before it may then hold it too. */
    boolean reaches(int i, long prefix) {
        return i >= 0 && Long.compareUnsigned(lastPrefixes[i], prefix) >= 0;
    }

    Slice slice(int i) {
        return slices[i];
    }
}
