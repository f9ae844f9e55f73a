package io.drey.flink.state;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** An executor that runs what it was given when the test says so, in the test's thread, or lets the test run it. */
public final class QueuedTasks extends AbstractExecutorService {
    private final ArrayList<Runnable> tasks = new ArrayList<>();

    @Override
    public synchronized void execute(Runnable task) {
        tasks.add(task);
    }

    private synchronized Runnable poll() {
        return tasks.isEmpty() ? null : tasks.remove(0);
    }

    public synchronized int size() {
        return tasks.size();
    }

    /** Takes back what it was given after the first so many of now, for the test to run. */
    public synchronized List<Runnable> takeBack(int after) {
        List<Runnable> late = tasks.subList(after, tasks.size());
        List<Runnable> taken = List.copyOf(late);
        late.clear();
        return taken;
    }

    /** Runs up to so many tasks; whether there were as many. */
    public boolean run(int count) {
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
