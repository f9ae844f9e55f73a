package io.drey.store.log;

/**
 * The epochs of a log. A freeze ends the current one: its records stay as they are until they are sealed into a run and
 * the run is installed. Then they are clean: they may change again, or be evicted. One thread.
 */
final class Epochs {
    private int current = 1;
    private int sealed;

    int current() {
        return current;
    }

    /** The youngest epoch whose records are all in installed runs. */
    int sealed() {
        return sealed;
    }

    /** Whether a record of that birth is being sealed and must not change. */
    boolean isFrozen(int birth) {
        return birth > sealed && birth < current;
    }

    /** Whether a record of that birth is in no installed run yet. */
    boolean isDirty(int birth) {
        return birth > sealed;
    }

    /** Whether any frozen epoch waits for its run. */
    boolean isSealing() {
        return sealed < current - 1;
    }

    /** Ends the current epoch and returns its number. */
    int freeze() {
        if (current == Integer.MAX_VALUE) {
            throw new IllegalStateException("expected fewer than 2^31 seals, found no epoch left: restart the task");
        }
        return current++;
    }

    /** The run of the oldest frozen epoch was installed. */
    void installed(int epoch) {
        if (epoch != sealed + 1 || epoch >= current) {
            throw new IllegalStateException("expected epoch " + (sealed + 1) + " to be installed, found " + epoch);
        }
        sealed = epoch;
    }
}
