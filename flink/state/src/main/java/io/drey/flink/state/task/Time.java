package io.drey.flink.state.task;

import java.util.concurrent.CountDownLatch;

/** Time as a backend sees it: the system's, or one that somebody else moves. Thread safe. */
public interface Time {
    /** The system's. */
    Time SYSTEM = new SystemTime();

    /** Nanoseconds, of which only differences mean something. */
    long nanos();

    /** Runs an alarm once that time has come, in any thread, in place of the time set for it before. */
    void set(Runnable alarm, long nanos);

    /** The alarm does not run any more, unless it does just now. */
    void cancel(Runnable alarm);

    /** Waits until the latch is open; false if it is not after so many nanoseconds. */
    boolean await(CountDownLatch latch, long nanos) throws InterruptedException;
}
