package io.drey.store.tuning;

/**
 * Decides how fast the flushes of one store are that make room ahead of need: a pure policy, told the time. One may take
 * most of the time until the next one, and is over well before the owner has used up the room that is left. Flushes
 * that somebody waits for, as checkpoints do, go as fast as they can. The owner alone tells it what happens.
 */
public final class FlushPace {
    /** The reason for the speed of a flush. */
    public enum Reason {
        /** Somebody waits for it, or no time or room is left, or nothing is known yet: as fast as it can. */
        AT_ONCE,
        /** It is over before the room that is left is used up. */
        ROOM,
        /** It takes most of the time until the next one. */
        AHEAD,
        /** So small that nobody notices it. */
        SMALL
    }

    /** Bytes per second to write, infinite for as fast as it can, with the reason. */
    public record Speed(double bytes, Reason reason) {}

    private static final double AHEAD_PART = 0.7;

    /** Small flushes are over soon: nobody notices them. */
    private static final double BYTES_PER_SECOND_MIN = 16 << 20;

    /** What the next interval is expected to be like: part of the last one, the rest of those before. */
    private static final double LAST_PART = 0.5;

    /** An owner may write faster than it did lately. */
    private static final double SECONDS_MAX = 10;

    private long last;
    private double intervalSeconds;

    public FlushPace(long now) {
        last = now;
    }

    /**
     * A flush begins: how fast it should write. It writes fewer bytes than it flushes, half to a quarter, and is over
     * sooner by that: a margin that it needs, because an owner writes most right after a freeze, when nothing it
     * changes can be changed in place.
     *
     * @param bytes of memory that it flushes, about
     * @param ahead whether it makes room ahead of need: nobody waits for it
     * @param roomBytes that may be written until the owner has to wait for the flush
     * @param writtenBytes since the last flush began
     */
    public Speed begin(long now, long bytes, boolean ahead, long roomBytes, long writtenBytes) {
        double interval = (now - last) / 1e9;
        last = now;
        intervalSeconds = intervalSeconds == 0
                ? interval
                : Math.min(interval, LAST_PART * interval + (1 - LAST_PART) * intervalSeconds);
        double seconds = ahead ? Math.min(SECONDS_MAX, AHEAD_PART * intervalSeconds) : 0;
        double secondsOfRoom = AHEAD_PART * interval * Math.max(0, roomBytes) / Math.max(1, writtenBytes);
        if (Math.min(seconds, secondsOfRoom) <= 0) {
            return new Speed(Double.POSITIVE_INFINITY, Reason.AT_ONCE);
        }
        double bytesPerSecond = bytes / Math.min(seconds, secondsOfRoom);
        if (bytesPerSecond < BYTES_PER_SECOND_MIN) {
            return new Speed(BYTES_PER_SECOND_MIN, Reason.SMALL);
        }
        return new Speed(bytesPerSecond, secondsOfRoom < seconds ? Reason.ROOM : Reason.AHEAD);
    }
}
