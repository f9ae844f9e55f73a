package io.drey.flink.state.simulation;

import io.drey.testkit.Coroutine;

/** What a task gave to other threads, which pauses in its midst. */
final class Errand {
    /** What for. */
    enum Kind {
        ROUND_ONE,
        ROUND_TWO,
        /** After a completed checkpoint: a look of the janitor, maybe. */
        LOOK
    }

    final Kind kind;
    private final Coroutine work;
    private boolean begun;

    Errand(Kind kind, Runnable work) {
        this.kind = kind;
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
}
