package io.drey.keyed.cache;

/**
 * Decides whether the values of one state go through the object cache, by hit ratio and by the cost of a copy, anew
 * after every window of lookups. Stands apart from the cache because it is arithmetic only. One thread; hot path.
 *
 * <ol>
 *   <li>Open: looked up and kept. A window with too few hits, after one to warm up, starts draining.
 *   <li>Draining: looked up, but nothing new is kept, while the cache gives up the state's values a few at a time.
 *   <li>Shut: not even looked up, for a number of windows that doubles each time; then open again.
 *   <li>Off for good: values that cannot be copied.
 * </ol>
 *
 * A hit of a read and an update saves deserializing and serializing, and costs two copies. A miss costs two copies too,
 * {@link #MISS_NANOS}, and about half a deserialization more for writing back a value that the processor's caches have
 * lost by then. So hits pay from a ratio on that follows from these costs: from 0.2 on for what is expensive to
 * deserialize and cheap to copy, from nearly 1 on for a number, which the log holds as well as the cache.
 */
public final class CacheAdmission {
    /** Below this part of hits the cache only costs. */
    static final double HIT_RATIO_MIN = 0.2;

    /** What keeping a value costs besides its copy, whatever its size. */
    static final long MISS_NANOS = 100;

    private static final int SHUT_WINDOWS_MIN = 16;
    private static final int SHUT_WINDOWS_MAX = 128;

    /** Measurements of which the shortest count, because the longest are of a thread that had to wait. */
    private static final int SAMPLES = 64;

    private enum Mode {
        OPEN,
        DRAINING,
        SHUT,
        OFF
    }

    private final int window;
    private Mode mode = Mode.OPEN;
    private boolean warm;
    private int lookups;
    private int hits;
    private int shutWindows = SHUT_WINDOWS_MIN;
    private long skipsLeft;
    private long deserializeNanos;
    private long copyNanos;
    private long deserializeNanosMin = Long.MAX_VALUE;
    private long copyNanosMin = Long.MAX_VALUE;
    private int samples;
    private boolean measured;

    /** @param window lookups after which the choice is made anew: enough to fill the cache */
    public CacheAdmission(int window) {
        this.window = window;
    }

    /** Whether to look for a value in the cache. Counts the values that are not looked for. */
    public boolean looksUp() {
        if (mode == Mode.OPEN || mode == Mode.DRAINING) {
            return true;
        }
        if (mode == Mode.SHUT && --skipsLeft <= 0) {
            open();
            return true;
        }
        return false;
    }

    /** Whether to keep a value that was not in the cache. */
    public boolean keeps() {
        return mode == Mode.OPEN;
    }

    /** Whether nothing of the state is in the cache, nor looked for there, at least for some time. */
    public boolean isBypassed() {
        return mode == Mode.SHUT || mode == Mode.OFF;
    }

    public boolean isDraining() {
        return mode == Mode.DRAINING;
    }

    /** Nothing of the state is in the cache any more. */
    public void drained() {
        mode = Mode.SHUT;
        skipsLeft = (long) shutWindows * window;
        shutWindows = Math.min(SHUT_WINDOWS_MAX, 2 * shutWindows);
    }

    /** The values cannot be copied; nothing of the state is in the cache any more. */
    public void off() {
        mode = Mode.OFF;
    }

    /** Another serializer: all that was learned is void. */
    public void restart() {
        shutWindows = SHUT_WINDOWS_MIN;
        deserializeNanosMin = Long.MAX_VALUE;
        copyNanosMin = Long.MAX_VALUE;
        samples = 0;
        measured = false;
        open();
    }

    private void open() {
        mode = Mode.OPEN;
        warm = false;
        lookups = 0;
        hits = 0;
    }

    /** The first lookup under a key and namespace was one of these. */
    public void looked(boolean hit) {
        hits += hit ? 1 : 0;
        if (++lookups >= window && mode == Mode.OPEN) {
            choose();
        }
    }

    private void choose() {
        if (hits >= hitRatioNeeded() * lookups) {
            shutWindows = SHUT_WINDOWS_MIN;
        } else if (warm) {
            mode = Mode.DRAINING;
        }
        warm = true;
        lookups = 0;
        hits = 0;
    }

    /** What it took to deserialize a value, and to copy it for the cache. */
    public void measured(long deserializing, long copying) {
        deserializeNanosMin = Math.min(deserializeNanosMin, Math.max(0, deserializing));
        copyNanosMin = Math.min(copyNanosMin, Math.max(0, copying));
        if (++samples == SAMPLES) {
            deserializeNanos = deserializeNanosMin;
            copyNanos = copyNanosMin;
            deserializeNanosMin = Long.MAX_VALUE;
            copyNanosMin = Long.MAX_VALUE;
            samples = 0;
            measured = true;
        }
    }

    /** Part of lookups that must be hits. */
    double hitRatioNeeded() {
        if (!measured) {
            return HIT_RATIO_MIN;
        }
        double lossOfMiss = 2.0 * copyNanos + MISS_NANOS + deserializeNanos / 2.0;
        double gainOfHit = 2.0 * (deserializeNanos - copyNanos);
        return Math.max(HIT_RATIO_MIN, lossOfMiss / (lossOfMiss + Math.max(0, gainOfHit)));
    }
}
