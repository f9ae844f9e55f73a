package io.drey.flink.state.task;

import io.drey.foundation.DetachedThread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a process that tells members, of all its tasks, when their time has come. It begins with the first
 * member and ends with the last. Thread safe.
 */
public final class SharedTimer<T> implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SharedTimer.class);

    private final String name;
    private final long periodNanos;
    private final Consumer<T> due;
    private final Map<T, Long> times = new LinkedHashMap<>();
    private Thread thread;

    /**
     * A timer without members.
     *
     * @param name of its thread
     * @param periodNanos after which a member's time comes again, unless another one is set
     * @param due is told, in that thread, whose time has come
     */
    public SharedTimer(String name, long periodNanos, Consumer<T> due) {
        this.name = name;
        this.periodNanos = periodNanos;
        this.due = due;
    }

    /** A member whose time comes after the period, again and again. */
    public void add(T member) {
        set(member, System.nanoTime() + periodNanos);
    }

    /**
     * A member whose time comes then, in place of any that was set before.
     *
     * @param nanos by {@link System#nanoTime}
     */
    public void set(T member, long nanos) {
        synchronized (times) {
            if (thread == null) {
                // Before the member stays: there may be no thread to be had.
                thread = started();
            }
            times.put(member, nanos);
            times.notifyAll();
        }
    }

    /** It outlives the job of the task that starts it, and must not hold what belongs to that. */
    private Thread started() {
        Thread started = DetachedThread.of(name, this);
        started.start();
        return started;
    }

    public void remove(T member) {
        synchronized (times) {
            times.remove(member);
            times.notifyAll();
        }
    }

    List<T> members() {
        synchronized (times) {
            return List.copyOf(times.keySet());
        }
    }

    @Override
    public void run() {
        try {
            for (List<T> members = next(); !members.isEmpty(); members = next()) {
                members.forEach(this::tell);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (times) {
                if (thread == Thread.currentThread()) {
                    thread = null;
                }
            }
        }
    }

    /** What one throws does not keep others, of other tasks, from being told. */
    private void tell(T member) {
        try {
            due.accept(member);
        } catch (RuntimeException | Error e) {
            LOG.error("A member of {} failed; it is told again when its time comes.", name, e);
        }
    }

    /** Those whose time has come; none if the last member has gone, and the thread with it. */
    private List<T> next() throws InterruptedException {
        synchronized (times) {
            while (!times.isEmpty()) {
                long now = System.nanoTime();
                long soonest = Long.MAX_VALUE;
                List<T> members = new ArrayList<>();
                for (Map.Entry<T, Long> entry : times.entrySet()) {
                    long left = entry.getValue() - now;
                    if (left <= 0) {
                        members.add(entry.getKey());
                        entry.setValue(now + periodNanos);
                    }
                    soonest = Math.min(soonest, left);
                }
                if (!members.isEmpty()) {
                    return members;
                }
                times.wait(TimeUnit.NANOSECONDS.toMillis(soonest) + 1);
            }
            thread = null;
            return List.of();
        }
    }
}
