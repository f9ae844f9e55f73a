package io.drey.files.remote;

import io.drey.foundation.DetachedThread;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An open that may have to wait: where connections are bounded, by Flink's {@code fs.<scheme>.limit.*} or a client's
 * pool, until another stream is closed, maybe for ever. So while it waits, streams that nobody uses are closed: else all
 * who read could wait for these.
 */
final class WaitingOpen {
    /** Others take a round trip or two. */
    private static final long WAIT_MILLIS = 1_000;

    private static final long THREAD_IDLE_SECONDS = 10;
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    /** Null if there is no thread for it: then it waits as it would without this. */
    private final Future<?> relief;

    /** One begins; {@link #end} has to follow. */
    WaitingOpen(Runnable closeIdle) {
        relief = scheduled(closeIdle);
    }

    private static Future<?> scheduled(Runnable closeIdle) {
        try {
            // Before anything is queued: what is queued stays so if there is no thread.
            TIMER.prestartCoreThread();
            return TIMER.scheduleWithFixedDelay(closeIdle, WAIT_MILLIS, WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    private static ScheduledThreadPoolExecutor timer() {
        // It outlives the job of the task that starts it.
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, work -> DetachedThread.of("drey-streams", work));
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(THREAD_IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    void end() {
        if (relief != null) {
            relief.cancel(false);
        }
    }
}
