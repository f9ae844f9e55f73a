package io.drey.flink.state;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** An executor that runs what it was given when the test says so, in the test's thread. */
final class QueuedTasks extends AbstractExecutorService {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public synchronized void execute(Runnable task) {
        tasks.add(task);
    }

    private synchronized Runnable poll() {
        return tasks.poll();
    }

    /** Runs up to so many tasks; whether there were as many. */
    boolean run(int count) {
        for (int i = 0; i < count; i++) {
            Runnable task = poll();
            if (task == null) {
                return false;
            }
            task.run();
        }
        return true;
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
