package io.drey.jobs.generate;

/** The clock of all generated jobs: one event every millisecond of event time, and none is late. */
public final class EventTime {
    /** Event time of position 0, in milliseconds since 1970. */
    public static final long START_MS = 1_600_000_000_000L;

    /** After so many events comes a watermark: by count, so that a replay has the same ones. */
    public static final int EVENTS_PER_WATERMARK = 100;

    private EventTime() {}

    /** Event time of a position in milliseconds since 1970. */
    public static long of(long position) {
        return START_MS + position;
    }

    /** Whether the watermark {@code timestampMs} follows the event with this time. */
    static boolean isWatermark(long timestampMs) {
        return (timestampMs - START_MS + 1) % EVENTS_PER_WATERMARK == 0;
    }
}
