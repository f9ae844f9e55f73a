package io.drey.store.tuning;

/**
 * Decides how fast the flushes of one store are, unless an owner waits for one: a pure policy, told the time. A flush
 * that makes room ahead of need may take most of the time until the next one; a checkpoint is worth more hurry: less
 * than a third, and a second and a half at most. Either is over well before the owner has used up the room that is
 * left. The owner alone tells it what happens.
 *
 * <p>Where checkpoints are prepared, most of what one would flush is flushed before its barrier, over most of the time
 * until then; and what is left is little, and is flushed at once.
 */
public final class FlushPace {
    /** The reason for the speed of a flush. */
    public enum Reason {
        /** No time or no room is left, or nothing is known yet: as fast as it can. */
        AT_ONCE,
        /** It is over before the room that is left is used up. */
        ROOM,
        CHECKPOINT,
        /** It is over before the next checkpoint is expected. */
        PREPARATION,
        /** It takes most of the time until the next one. */
        AHEAD,
        /** So small that nobody notices it. */
        SMALL
    }

    /** Bytes per second to write, infinite for as fast as it can, with the reason. */
    public record Speed(double bytes, Reason reason) {}

    /** Purposes of a flush; another one are the nanoseconds within which it is wanted. */
    public static final long AT_ONCE = 0;

    public static final long CHECKPOINT = -1;
    public static final long ROOM = -2;

    private static final double AHEAD_PART = 0.7;
    private static final double CHECKPOINT_PART = 0.3;
    private static final double CHECKPOINT_SECONDS_MAX = 1.5;

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
     * @param purpose {@link #AT_ONCE}, {@link #CHECKPOINT}, {@link #ROOM}, or nanoseconds until a checkpoint is expected
     * @param roomBytes that may be written until the owner has to wait for the flush
     * @param writtenBytes since the last flush began
     */
    public Speed begin(long now, long bytes, long purpose, long roomBytes, long writtenBytes) {
        double interval = (now - last) / 1e9;
        last = now;
        intervalSeconds = intervalSeconds == 0
                ? interval
                : Math.min(interval, LAST_PART * interval + (1 - LAST_PART) * intervalSeconds);
        double seconds = seconds(purpose);
        double secondsOfRoom = AHEAD_PART * interval * Math.max(0, roomBytes) / Math.max(1, writtenBytes);
        if (Math.min(seconds, secondsOfRoom) <= 0) {
            return new Speed(Double.POSITIVE_INFINITY, Reason.AT_ONCE);
        }
        double bytesPerSecond = bytes / Math.min(seconds, secondsOfRoom);
        if (bytesPerSecond < BYTES_PER_SECOND_MIN) {
            return new Speed(BYTES_PER_SECOND_MIN, Reason.SMALL);
        }
        return new Speed(bytesPerSecond, secondsOfRoom < seconds ? Reason.ROOM : reason(purpose));
    }

    private double seconds(long purpose) {
        if (purpose >= AT_ONCE) {
            return AHEAD_PART * purpose / 1e9;
        }
        return purpose == CHECKPOINT
                ? Math.min(CHECKPOINT_SECONDS_MAX, CHECKPOINT_PART * intervalSeconds)
                : Math.min(SECONDS_MAX, AHEAD_PART * intervalSeconds);
    }

    private static Reason reason(long purpose) {
        if (purpose >= AT_ONCE) {
            return Reason.PREPARATION;
        }
        return purpose == CHECKPOINT ? Reason.CHECKPOINT : Reason.AHEAD;
    }
}
