package io.drey.flink.state.simulation;

import io.drey.flink.state.task.Time;
import io.drey.testkit.Coroutine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/** Time that a test moves, with alarms that ring when the test lets them. Who waits pauses if it is a coroutine. */
public final class SimulatedTime implements Time {
    /** Who waits for less only looks now and then. */
    private static final long WAIT_NANOS_MIN = 100_000_000;

    private final LongSupplier clock;
    private final Map<Runnable, Long> alarms = new LinkedHashMap<>();
    private long expired;

    /** @param clock nanoseconds, of which some have to pass whenever somebody looks */
    public SimulatedTime(LongSupplier clock) {
        this.clock = clock;
    }

    @Override
    public long nanos() {
        return clock.getAsLong();
    }

    @Override
    public void set(Runnable alarm, long nanos) {
        alarms.put(alarm, nanos);
    }

    @Override
    public void cancel(Runnable alarm) {
        alarms.remove(alarm);
    }

    /** When the next alarm is to ring, {@link Long#MAX_VALUE} if there is none. */
    public long next() {
        return alarms.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
    }

    /** Rings all alarms whose time has come, each once. */
    public void ring() {
        long now = nanos();
        List<Runnable> due = alarms.entrySet().stream()
                .filter(alarm -> alarm.getValue() <= now)
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(alarms::remove);
        due.forEach(Runnable::run);
    }

    /** Waits that ended before what they waited for. */
    long expired() {
        return expired;
    }

    @Override
    public boolean await(CountDownLatch latch, long nanos) {
        long limit = nanos() + nanos;
        while (latch.getCount() > 0) {
            if (nanos() >= limit) {
                expired += nanos < WAIT_NANOS_MIN ? 0 : 1;
                Coroutine.rest();
                return false;
            }
            Coroutine.pause();
        }
        return true;
    }
}
