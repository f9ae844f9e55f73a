package io.drey.store.log.record;

/**
 * The epochs of a log. A freeze ends the current one: its records stay as they are until they are flushed into a run
 * and the run is installed. Then they are clean: they may change again, or be evicted. One thread.
 */
public final class Epochs {
    private int current = 1;
    private int flushed;

    public int current() {
        return current;
    }

    /** The youngest epoch whose records are all in installed runs. */
    public int flushed() {
        return flushed;
    }

    /** Whether a record of that birth is being flushed and must not change. */
    public boolean isFrozen(int birth) {
        return birth > flushed && birth < current;
    }

    /** Whether a record of that birth is in no installed run yet. */
    public boolean isDirty(int birth) {
        return birth > flushed;
    }

    /** Whether any frozen epoch waits for its run. */
    public boolean isFlushing() {
        return flushed < current - 1;
    }

    /** Ends the current epoch and returns its number. */
    public int freeze() {
        if (current == Integer.MAX_VALUE) {
            throw new IllegalStateException("expected fewer than 2^31 flushes, found no epoch left: restart the task");
        }
        return current++;
    }

    /** The run of the oldest frozen epoch was installed. */
    public void installed(int epoch) {
        if (epoch != flushed + 1 || epoch >= current) {
            throw new IllegalStateException("expected epoch " + (flushed + 1) + " to be installed, found " + epoch);
        }
        flushed = epoch;
    }
}
