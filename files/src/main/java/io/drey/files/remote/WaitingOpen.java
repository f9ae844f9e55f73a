package io.drey.files.remote;

import io.drey.foundation.DetachedThread;
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

    private static final long IDLE_SECONDS_MAX = 10;
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final IdleStreams idle;
    private volatile boolean over;

    private WaitingOpen(IdleStreams idle) {
        this.idle = idle;
    }

    private static ScheduledThreadPoolExecutor timer() {
        // It outlives the job of the task that starts it.
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, work -> DetachedThread.of("drey-streams", work));
        timer.setKeepAliveTime(IDLE_SECONDS_MAX, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /** One begins; {@link #end} has to follow. */
    static WaitingOpen begin(IdleStreams idle) {
        WaitingOpen open = new WaitingOpen(idle);
        open.schedule();
        return open;
    }

    private void schedule() {
        try {
            TIMER.schedule(this::relieve, WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (OutOfMemoryError e) {
            // There is no thread for it: it waits as it would without this.
            over = true;
        }
    }

    private void relieve() {
        if (!over) {
            RemoteStreams.endAll(idle.pollAll(each -> true));
            schedule();
        }
    }

    void end() {
        over = true;
    }
}
