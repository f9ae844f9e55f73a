package io.drey.flink.state.task;

import io.drey.checkpoint.upload.Writes;

/** Time as a backend sees it: the system's, or one that somebody else moves. Thread safe. */
public interface Time extends Writes.Clock {
    /** The system's. */
    Time SYSTEM = new SystemTime();

    /** Runs an alarm once that time has come, in any thread, in place of the time set for it before. */
    void set(Runnable alarm, long nanos);

    /** The alarm does not run any more, unless it does just now. */
    void cancel(Runnable alarm);
}
