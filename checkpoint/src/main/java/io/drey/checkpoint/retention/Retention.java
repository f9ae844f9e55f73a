package io.drey.checkpoint.retention;

import io.drey.checkpoint.retention.JobDirectory.RetainedCheckpoint;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;

/**
 * Decides who may need a file of a job's directory. A file is garbage if no retained checkpoint mentions it and one
 * proves that none will: its number is not below that of the checkpoint that the file was written for, and it completed
 * after the file was written.
 *
 * <p>Why that is enough: all files in the directory are of one job, whose executions follow each other. If the file and
 * the proving checkpoint are of the same execution, then the chain rule of uploads holds: the checkpoint completed
 * without listing the file, so no later one lists it, and those before it cannot complete any more. If the file's
 * execution was an earlier one, then only checkpoints restored from one that lists it could list it, and that one would
 * be retained, and mention it, until the first of them completes. It cannot have been a later one: all its files were
 * written after the proving checkpoint completed. Numbers alone do not tell: a job that goes back to an older
 * checkpoint gives the same numbers again.
 *
 * <p>A log writes some of its changes before it sees a checkpoint, and cannot number them. The next one of its
 * execution lists them, or they are not needed any more: so any that completes later proves it. A day later, as there
 * time alone tells, and storages have clocks that differ.
 */
public final class Retention {
    /** Possible users of a file of a job's directory. */
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

    private static final long DAY_MS = 24 * 60 * 60_000L;

    private final JobDirectory directory;
    private final long provingMax;
    private final long writtenBeforeMs;

    /**
     * @param provingMax the highest number of a checkpoint that may prove something: one that knows its own execution
     *     does not trust the numbers of earlier ones, nor the clock
     * @param writtenBeforeMs files that were written later are not deleted
     */
    public Retention(JobDirectory directory, long provingMax, long writtenBeforeMs) {
        this.directory = directory;
        this.provingMax = provingMax;
        this.writtenBeforeMs = writtenBeforeMs;
    }

    public Need need(StoredFile file) {
        if (directory.mentions(file.name())) {
            return Need.LISTED;
        }
        if (Claim.isName(file.name())) {
            return Need.CLAIM;
        }
        long first = first(file);
        if (first < 0) {
            return Need.FOREIGN;
        }
        if (!file.isShared() && directory.retained().stream().anyMatch(checkpoint -> checkpoint.id() == first)) {
            return Need.WITH_CHECKPOINT;
        }
        if (!directory.doubts().isEmpty()) {
            return Need.DOUBTFUL;
        }
        if (!isProvenBy(first, file.modifiedMs())) {
            return Need.UNDER_WAY;
        }
        if (file.directory()) {
            return ofDirectory(file);
        }
        return file.modifiedMs() < writtenBeforeMs ? Need.GARBAGE : Need.YOUNG;
    }

    /** A directory goes after all that is in it. */
    private Need ofDirectory(StoredFile file) {
        Need need = file.modifiedMs() < writtenBeforeMs ? Need.GARBAGE : Need.YOUNG;
        for (StoredFile inside : directory.files()) {
            if (inside.place().equals(file.name())) {
                Need other = need(inside);
                need = other == Need.GARBAGE ? need : other;
            }
        }
        return need;
    }

    /** The first checkpoint that may need it, or -1 if its name and place do not say. */
    private static long first(StoredFile file) {
        if (file.isShared()) {
            SharedName name = file.directory() ? null : SharedName.parse(file.name());
            return name == null ? -1 : name.first();
        }
        boolean inside = !file.place().isEmpty();
        return file.directory() == inside ? -1 : RetainedCheckpoint.id(inside ? file.place() : file.name());
    }

    private boolean isProvenBy(long first, long modifiedMs) {
        boolean numbered = first != SharedName.UNKNOWN_FIRST;
        long provingMin = numbered ? first : 0;
        long provenMs = modifiedMs + (numbered ? 0 : DAY_MS);
        for (RetainedCheckpoint checkpoint : directory.retained()) {
            if (checkpoint.id() >= provingMin
                    && checkpoint.id() <= provingMax
                    && modifiedMs > 0
                    && checkpoint.completedMs() > provenMs) {
                return true;
            }
        }
        return false;
    }
}
