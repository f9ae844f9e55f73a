package io.drey.flink.state.simulation;

import io.drey.testkit.Coroutine;
import java.util.Set;
import java.util.TreeSet;

/** What a task gave to other threads, which pauses in its midst. */
final class Errand {
    /** What for. */
    enum Kind {
        ROUND_ONE,
        ROUND_TWO,
        /** After a completed checkpoint: a look of the janitor, maybe. */
        LOOK,
        /** To write one file of a checkpoint, or of a round. */
        ATTEMPT
    }

    final Kind kind;

    /** To the storage. */
    final SimulatedStorage.Role role;

    /** Files that it has written, as long as it does not end at once. */
    private final Set<String> written = new TreeSet<>();

    private final Coroutine work;
    private boolean begun;

    Errand(Kind kind, SimulatedStorage.Role role, Runnable work) {
        this.kind = kind;
        this.role = role;
        this.work = new Coroutine(work::run);
    }

    /** Goes on until it has paused so often, or ends. */
    void resume(int pauses) {
        begun = true;
        work.resume(pauses);
        if (work.failure() != null) {
            throw new AssertionError("expected work in a thread of Flink's to catch all, found", work.failure());
        }
    }

    boolean hasBegun() {
        return begun;
    }

    boolean isDone() {
        return work.isDone();
    }

    /** It has written files. */
    void wrote(Set<String> paths) {
        written.addAll(paths);
    }

    /** Whether it has ended and nothing is left of what it wrote. */
    boolean isLost(SimulatedStorage storage) {
        return isDone() && !written.isEmpty() && written.stream().noneMatch(storage::has);
    }
}
