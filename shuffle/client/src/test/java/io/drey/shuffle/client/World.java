package io.drey.shuffle.client;

import io.netty.util.concurrent.Ticker;
import java.util.Comparator;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The one thread, clock and source of chance of a history: things happen at their time, one after the other. */
final class World implements Ticker {
    static final long MS = 1_000_000;
    static final long SECOND = 1_000 * MS;

    private static final long JITTER_NANOS = 50_000;

    private record Event(long at, long number, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final SplittableRandom random;
    private long now;
    private long number;
    private SimulatedLoop running;
    private Throwable failure;

    World(long seed) {
        random = new SplittableRandom(seed);
    }

    SplittableRandom random() {
        return random;
    }

    boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    /** From the one, inclusive, to the other, exclusive. */
    long between(long least, long end) {
        return random.nextLong(least, end);
    }

    long now() {
        return now;
    }

    /** How long it takes until somebody looks. */
    long jitter() {
        return random.nextLong(JITTER_NANOS);
    }

    void after(long nanos, Runnable action) {
        events.add(new Event(now + nanos, number++, action));
    }

    /** Lets things happen until a time. */
    void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at() <= end) {
            Event next = events.poll();
            now = next.at();
            next.action().run();
            check();
        }
        now = Math.max(now, end);
    }

    /** Something that has to be right is not. */
    void fail(Throwable cause) {
        failure = failure == null ? cause : failure;
    }

    private void check() {
        if (failure != null) {
            throw new AssertionError(String.format(Locale.ROOT, "after %d ms: %s", now / MS, failure), failure);
        }
    }

    /** Things that happened and are to happen: the same for the same seed. */
    long digest() {
        return number * 31 + now;
    }

    /** The loop whose thread this is now; null if it is that of none. */
    SimulatedLoop running() {
        return running;
    }

    void running(SimulatedLoop loop) {
        running = loop;
    }

    @Override
    public long initialNanoTime() {
        return 0;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void sleep(long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("nothing may sleep in a simulation");
    }
}
