package io.drey.checkpoint.retention;

/** Who may need a file of a job's directory. */
public enum Need {
    /** A retained checkpoint, here or of a job that claimed some. */
    LISTED,
    /** Itself: it says that another job's checkpoints list files here. */
    CLAIM,
    /** Its name does not say: Flink or an early version of Drey gave it. */
    FOREIGN,
    /** It lies in the directory of a retained checkpoint, and goes with that. */
    WITH_CHECKPOINT,
    /** Something here cannot be read, so that nobody can say. */
    DOUBTFUL,
    /** Maybe a checkpoint that is under way: none that could tell has completed since it was written. */
    UNDER_WAY,
    /** Nobody, but it is younger than what may be deleted. */
    YOUNG,
    /** Nobody, for ever. */
    GARBAGE
}
