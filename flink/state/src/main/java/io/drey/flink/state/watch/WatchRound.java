package io.drey.flink.state.watch;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The one thread of a process that goes round its backends and looks at each; it begins with the first backend and ends
 * with the last.
 */
final class WatchRound implements Runnable {
    private static final long PERIOD_MS = 10_000;

    private static final Set<BackendWatch> WATCHED = new LinkedHashSet<>();
    private static Thread thread;

    private WatchRound() {}

    static void add(BackendWatch watch) {
        synchronized (WATCHED) {
            WATCHED.add(watch);
            if (thread == null) {
                // It outlives the job of the task that starts it, and must not hold what belongs to that.
                thread = new Thread(null, new WatchRound(), "drey-watch", 0, false);
                thread.setContextClassLoader(WatchRound.class.getClassLoader());
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    static void remove(BackendWatch watch) {
        synchronized (WATCHED) {
            WATCHED.remove(watch);
            WATCHED.notifyAll();
        }
    }

    @Override
    public void run() {
        try {
            for (List<BackendWatch> round = next(); !round.isEmpty(); round = next()) {
                round.forEach(watch -> watch.look(System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended();
        }
    }

    private static void ended() {
        synchronized (WATCHED) {
            if (thread == Thread.currentThread()) {
                thread = null;
            }
        }
    }

    /** The backends to look at, after a period; none if the last one has gone meanwhile, and the thread with it. */
    private static List<BackendWatch> next() throws InterruptedException {
        synchronized (WATCHED) {
            long until = System.nanoTime() + PERIOD_MS * 1_000_000;
            for (long left = PERIOD_MS;
                    left > 0 && !WATCHED.isEmpty();
                    left = (until - System.nanoTime()) / 1_000_000) {
                WATCHED.wait(left);
            }
            if (WATCHED.isEmpty()) {
                thread = null;
            }
            return List.copyOf(WATCHED);
        }
    }
}
