package io.drey.store.read;

import io.drey.store.run.RunView;
import java.util.List;

/** The views of one level, found by prefix. Immutable. */
final class LevelIndex {
    private final RunView[] views;
    private final long[] firstPrefixes;
    private final long[] lastPrefixes;

    LevelIndex(List<RunView> level) {
        views = level.toArray(new RunView[0]);
        firstPrefixes = new long[views.length];
        lastPrefixes = new long[views.length];
        for (int i = 0; i < views.length; i++) {
            firstPrefixes[i] = views[i].firstPrefix();
            lastPrefixes[i] = views[i].lastPrefix();
        }
    }

    /** The index after the last view that may hold a prefix. */
    int end(long prefix) {
        int low = 0;
        int high = views.length;
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

    /** Whether the i-th view still reaches up to a prefix; those before it may then hold it too. */
    boolean reaches(int i, long prefix) {
        return i >= 0 && Long.compareUnsigned(lastPrefixes[i], prefix) >= 0;
    }

    RunView view(int i) {
        return views[i];
    }
}
