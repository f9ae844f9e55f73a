package io.drey.store.run;

import io.drey.store.entry.Expiry;
import java.util.Arrays;

/**
 * Last accesses of the entries of a table, in a few numbers: a sample of fixed size, whose distance doubles when it is
 * full.
 */
final class AccessSummary {
    static final int SAMPLES_MAX = 64;

    private final long[] samples = new long[SAMPLES_MAX];
    private int count;
    private long distance;
    private long untilSample;
    private long untimed;
    private long latest;

    AccessSummary() {
        clear();
    }

    void clear() {
        count = 0;
        distance = 1;
        untilSample = 1;
        untimed = 0;
        latest = Expiry.NOTHING;
    }

    void add(long lastAccess) {
        latest = Math.max(latest, lastAccess);
        if (lastAccess == Expiry.NEVER) {
            untimed++;
        } else if (--untilSample == 0) {
            sample(lastAccess);
            untilSample = distance;
        }
    }

    private void sample(long lastAccess) {
        if (count == SAMPLES_MAX) {
            count = SAMPLES_MAX / 2;
            distance *= 2;
            for (int i = 0; i < count; i++) {
                samples[i] = samples[2 * i];
            }
        }
        samples[count++] = lastAccess;
    }

    long untimed() {
        return untimed;
    }

    long latest() {
        return latest;
    }

    /** At least half of the samples are at most this; sorts them, so it ends a table. */
    long median() {
        Arrays.sort(samples, 0, count);
        return count == 0 ? Expiry.NOTHING : samples[(count - 1) / 2];
    }
}
