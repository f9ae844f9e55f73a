package io.drey.flink.state.restore;

import java.util.List;

/**
 * The source that a store was opened on, and the time of it.
 *
 * @param source the kind of it
 * @param checkpoints numbers of the checkpoints, each with the version that wrote it if it says so; empty if there are
 *     none or they are not known
 * @param files files fetched
 * @param bytes of these, or of canonical savepoints
 * @param bytesLeft of these that are still in the checkpoint storage
 * @param times of the parts of it
 */
public record RestoreReport(
        Source source, List<String> checkpoints, int files, long bytes, long bytesLeft, Times times) {
    /** The kinds of sources. */
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
