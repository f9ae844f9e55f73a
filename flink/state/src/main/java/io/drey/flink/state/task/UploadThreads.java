package io.drey.flink.state.task;

import io.drey.foundation.DetachedThread;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a process that write into checkpoint storages, for all tasks. Of their own, as a storage that does not
 * answer keeps them, and Flink's have more to do. Refuses what there is no thread for at once.
 */
public final class UploadThreads {
    /** More would not make a storage faster; the threads of checkpoints do the rest. */
    private static final int THREADS_MAX = 64;

    private static final long IDLE_SECONDS_MAX = 10;

    private static final ThreadPoolExecutor POOL = new ThreadPoolExecutor(
            0, THREADS_MAX, IDLE_SECONDS_MAX, TimeUnit.SECONDS, new SynchronousQueue<>(), UploadThreads::thread);

    private UploadThreads() {}

    /** Throws {@link java.util.concurrent.RejectedExecutionException} if all are busy. */
    public static Executor get() {
        return POOL;
    }

    private static Thread thread(Runnable work) {
        // It outlives the job of the task that starts it.
        return DetachedThread.of("drey-upload", work);
    }
}
