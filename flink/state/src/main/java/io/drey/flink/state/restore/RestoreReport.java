package io.drey.flink.state.restore;

import java.util.List;

/**
 * What a store was opened on, and what that took.
 *
 * @param source the kind of it
 * @param checkpoints numbers of the checkpoints; empty if there are none or they are not known
 * @param files files fetched
 * @param bytes of these, or of canonical savepoints
 * @param times of the parts of it
 */
public record RestoreReport(Source source, List<Long> checkpoints, int files, long bytes, Times times) {
    /** What a backend is opened on. */
    public enum Source {
        NOTHING,
        CHECKPOINT,
        LOCAL_COPY,
        CANONICAL_SAVEPOINT
    }

    /**
     * Nanoseconds of the parts.
     *
     * @param manifests to read what the checkpoints consist of
     * @param files to fetch files
     * @param store to open the store on them, or to fill it with the rows of a canonical savepoint
     */
    public record Times(long manifests, long files, long store) {
        public long all() {
            return manifests + files + store;
        }
    }
}
