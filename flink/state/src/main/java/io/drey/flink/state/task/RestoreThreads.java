package io.drey.flink.state.task;

import io.drey.foundation.DetachedThread;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a process that read from checkpoint storages for restores that do not wait: each of many small pieces
 * is a round trip, and Flink has four threads for I/O for each processor. A restore has as many pieces here at a time as
 * its {@link io.drey.files.remote.Downloads.Limits} say. Restores where Flink has no thread of that kind use them too.
 */
public final class RestoreThreads {
    private static final int THREADS_MAX = 32;
    private static final long IDLE_SECONDS_MAX = 10;
    private static final ThreadPoolExecutor POOL = pool();

    private RestoreThreads() {}

    /** What finds all of them busy waits. */
    public static Executor get() {
        return POOL;
    }

    private static ThreadPoolExecutor pool() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS_MAX,
                THREADS_MAX,
                IDLE_SECONDS_MAX,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                // It outlives the job of the task that starts it.
                work -> DetachedThread.of("drey-restore", work));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
