package io.drey.store;

import io.drey.store.compaction.CompactionJob;
import java.util.List;
import java.util.stream.Stream;

/** The compactions of a store that are under way: of the owner, but for what says otherwise. */
final class Compactions {
    private volatile CompactionJob main;
    private volatile CompactionJob beside;

    /** The one whose pace follows the store, or null. */
    CompactionJob main() {
        return main;
    }

    boolean isAny() {
        return main != null || beside != null;
    }

    boolean isOneBeside() {
        return beside != null;
    }

    void begin(CompactionJob job) {
        main = job;
    }

    /** A shorter one of younger runs. */
    void beginBeside(CompactionJob job) {
        beside = job;
    }

    /** The shorter one first; any thread. */
    List<CompactionJob> underWay() {
        return Stream.of(beside, main).filter(job -> job != null).toList();
    }

    void forget(CompactionJob job) {
        if (job == beside) {
            beside = null;
        } else {
            main = null;
        }
    }

    long bytesLeft() {
        return underWay().stream().mapToLong(CompactionJob::bytesLeft).sum();
    }

    /** A flush's thread: what they have written is worth less than a flush; whether there were any. */
    boolean giveWay() {
        List<CompactionJob> ended =
                underWay().stream().filter(job -> !job.isDone()).toList();
        try {
            for (CompactionJob job : ended) {
                job.giveWay();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return !ended.isEmpty();
    }

    /** The store closes, and they have ended: drops each, though one fails. */
    void drop() {
        RuntimeException failed = null;
        for (CompactionJob job : underWay()) {
            forget(job);
            try {
                job.drop();
            } catch (RuntimeException e) {
                failed = e;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
