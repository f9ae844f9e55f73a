package io.drey.flink.state.metric;

import java.util.function.LongSupplier;
import org.apache.flink.metrics.Gauge;

/**
 * The part that the first of two growing counts had in their sum lately: since a reading that is at least {@value
 * #WINDOW_MS} ms old and, while readings come more often than that, less than twice as old. A ratio of all time would
 * hide a change. NaN while nothing was counted. Thread safe.
 */
final class RecentRatio implements Gauge<Double> {
    static final long WINDOW_MS = 10_000;
    private static final long WINDOW_NANOS = WINDOW_MS * 1_000_000;

    private final LongSupplier part;
    private final LongSupplier other;
    private final LongSupplier nanoClock;
    private long sincePart;
    private long sinceOther;
    private long middleNanos;
    private long middlePart;
    private long middleOther;

    /** The first count's part of the sum of both. */
    public RecentRatio(LongSupplier part, LongSupplier other) {
        this(part, other, System::nanoTime);
    }

    RecentRatio(LongSupplier part, LongSupplier other, LongSupplier nanoClock) {
        this.part = part;
        this.other = other;
        this.nanoClock = nanoClock;
        this.middleNanos = nanoClock.getAsLong();
    }

    @Override
    public synchronized Double getValue() {
        long now = nanoClock.getAsLong();
        long parts = part.getAsLong();
        long others = other.getAsLong();
        if (now - middleNanos >= WINDOW_NANOS) {
            sincePart = middlePart;
            sinceOther = middleOther;
            middleNanos = now;
            middlePart = parts;
            middleOther = others;
        }
        long recent = parts - sincePart;
        return (double) recent / (recent + others - sinceOther);
    }
}
