package io.drey.store.schedule;

/**
 * The amount per second of something that comes in lumps: the mean over the past, in which what is {@code seconds} old
 * counts 1/e. Right from the start, because it knows how much past there is. One thread at a time.
 */
public final class Rate {
    private final double nanos;
    private long last;
    private double sum;
    private double weight;

    public Rate(long now, double seconds) {
        this.nanos = seconds * 1e9;
        this.last = now;
    }

    public void add(long now, double amount) {
        advance(now);
        sum += amount;
    }

    /** The mean per second; 0 as long as no time has passed. */
    public double perSecond(long now) {
        advance(now);
        return weight <= 0 ? 0 : sum / weight * 1e9;
    }

    private void advance(long now) {
        if (now > last) {
            double kept = Math.exp((last - now) / nanos);
            sum *= kept;
            weight = weight * kept + nanos * (1 - kept);
            last = now;
        }
    }
}
