package io.drey.checkpoint.upload;

/**
 * One upload of one file: the object in the storage, made or to be made, and the checkpoints that list it. These are
 * all between {@link #first} and {@link #last}. Guarded by its ledger.
 */
final class Upload<H> {
    /** The progress of an upload. */
    enum State {
        /** Nothing: whoever lists it may write it. */
        WANTED,
        /** A checkpoint under way writes it. */
        RUNNING,
        STORED,
        /** It was handed to the trash. */
        GONE
    }

    final String file;

    /** Full checkpoints that have begun before it: those after another one do not list it. */
    final long generation;

    /** Places of the first and the last checkpoint that list it. */
    long first;

    long last;

    /** The first place after {@link #last} that does not list it, as far as is known. */
    long end = Long.MAX_VALUE;

    State state = State.WANTED;
    H handle;
    boolean confirmed;

    /** Checkpoints that list it and were not withdrawn. */
    int listings;

    /** Whether no further checkpoint will list it. */
    boolean left;

    Upload(String file, long generation, long place) {
        this.file = file;
        this.generation = generation;
        this.first = place;
        this.last = place;
    }

    /**
     * A checkpoint lists it that is none of those between: what is stored is listed up to there. What is not is listed by
     * nobody any more, and its places begin anew: who comes between before it is stored would not wait for it, and
     * uploads another one.
     */
    Upload<H> listedAt(long place) {
        boolean isStored = state == State.STORED;
        first = isStored ? Math.min(first, place) : place;
        last = isStored ? Math.max(last, place) : place;
        return this;
    }
}
