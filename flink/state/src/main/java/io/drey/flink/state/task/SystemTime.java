package io.drey.flink.state.task;

import java.util.concurrent.TimeUnit;

/** The time of the system, with one thread for the alarms of all backends. */
final class SystemTime implements Time {
    /** An alarm that has rung and was not set again rings so much later, unless it is cancelled. */
    private static final long PERIOD_NANOS = TimeUnit.HOURS.toNanos(1);

    private final SharedTimer<Runnable> alarms = new SharedTimer<>("drey-prepare", PERIOD_NANOS, Runnable::run);

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void set(Runnable alarm, long nanos) {
        alarms.set(alarm, nanos);
    }

    @Override
    public void cancel(Runnable alarm) {
        alarms.remove(alarm);
    }
}
