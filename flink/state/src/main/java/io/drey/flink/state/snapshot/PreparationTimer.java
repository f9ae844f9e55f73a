package io.drey.flink.state.snapshot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The one thread of a process that tells its backends when to prepare for a checkpoint; it begins with the first one
 * that wants to know and ends with the last.
 */
final class PreparationTimer implements Runnable {
    /** Until then one whose time has come says when it comes again, or does not want to know. */
    private static final long IDLE_NANOS = TimeUnit.HOURS.toNanos(1);

    private static final Map<CheckpointPreparation, Long> DUE = new LinkedHashMap<>();
    private static Thread thread;

    private PreparationTimer() {}

    /** Tells a backend at a time, in place of any that it has said before. */
    static void set(CheckpointPreparation preparation, long nanos) {
        synchronized (DUE) {
            DUE.put(preparation, nanos);
            if (thread == null) {
                // It outlives the job of the task that starts it, and must not hold what belongs to that.
                thread = new Thread(null, new PreparationTimer(), "drey-prepare", 0, false);
                thread.setContextClassLoader(PreparationTimer.class.getClassLoader());
                thread.setDaemon(true);
                thread.start();
            }
            DUE.notifyAll();
        }
    }

    static void remove(CheckpointPreparation preparation) {
        synchronized (DUE) {
            DUE.remove(preparation);
            DUE.notifyAll();
        }
    }

    @Override
    public void run() {
        try {
            for (List<CheckpointPreparation> due = next(); !due.isEmpty(); due = next()) {
                due.forEach(CheckpointPreparation::due);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (DUE) {
                if (thread == Thread.currentThread()) {
                    thread = null;
                }
            }
        }
    }

    /** Those whose time has come, which say the next one themselves; none if the last backend has gone. */
    private static List<CheckpointPreparation> next() throws InterruptedException {
        synchronized (DUE) {
            while (!DUE.isEmpty()) {
                long now = System.nanoTime();
                long soonest = Long.MAX_VALUE;
                List<CheckpointPreparation> due = new ArrayList<>();
                for (Map.Entry<CheckpointPreparation, Long> entry : DUE.entrySet()) {
                    long left = entry.getValue() - now;
                    if (left <= 0) {
                        due.add(entry.getKey());
                        entry.setValue(now + IDLE_NANOS);
                    }
                    soonest = Math.min(soonest, left);
                }
                if (!due.isEmpty()) {
                    return due;
                }
                DUE.wait(soonest / 1_000_000 + 1);
            }
            thread = null;
            return List.of();
        }
    }
}
