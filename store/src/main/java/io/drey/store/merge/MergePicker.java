package io.drey.store.merge;

import io.drey.store.version.Version;

/** Chooses what to merge next: a pure function of the version. */
public final class MergePicker {
    private MergePicker() {}

    /** The next merge, or null if none is due. */
    public static MergeChoice pick(Version version, MergeLimits limits) {
        throw new UnsupportedOperationException();
    }
}
