package io.drey.jobs.lastseen;

import io.drey.jobs.tally.Digest;
import io.drey.jobs.tally.ResultRow;
import java.time.Instant;

/**
 * An update: an event type of an aircraft was seen later than before.
 *
 * @param previousMs when it was seen before, or {@link #NEVER}
 */
public record LastSeenRow(String aircraft, String type, long timestampMs, long previousMs) implements ResultRow {
    /** There is no earlier event of this type. */
    public static final long NEVER = Long.MIN_VALUE;

    @Override
    public long digest() {
        long hash = Digest.text(Digest.text(Digest.START, aircraft), type);
        return Digest.end(Digest.number(Digest.number(hash, timestampMs), previousMs));
    }

    @Override
    public String line() {
        String previous =
                previousMs == NEVER ? "never" : Instant.ofEpochMilli(previousMs).toString();
        return aircraft + "," + type + "," + Instant.ofEpochMilli(timestampMs) + "," + previous;
    }
}
