package io.drey.flink.state;

import io.drey.flink.state.task.Time;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The system's time, but slower: what a backend writes once more, or does not wait for, because it takes so long, is not
 * up to how slow a machine is.
 */
final class SlowTime implements Time {
    private static final int FACTOR = 20;

    private final long begin = System.nanoTime();
    private final AtomicLong passed = new AtomicLong();

    /** So much passes at once. */
    void pass(long nanos) {
        passed.addAndGet(nanos);
    }

    @Override
    public long nanos() {
        return (System.nanoTime() - begin) / FACTOR + passed.get();
    }

    @Override
    public void set(Runnable alarm, long nanos) {
        SYSTEM.set(alarm, begin + (nanos - passed.get()) * FACTOR);
    }

    @Override
    public void cancel(Runnable alarm) {
        SYSTEM.cancel(alarm);
    }
}
