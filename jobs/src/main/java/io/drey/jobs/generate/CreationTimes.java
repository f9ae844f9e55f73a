package io.drey.jobs.generate;

/**
 * The times at which events of the only generated job in this process were created: of every sixteenth, which stands
 * for those after it. Static, because the source and who asks share nothing else. The source writes an event's time
 * before it emits it, and who has met something made of that event asks: so it comes after, by what Flink hands events
 * over with.
 */
public final class CreationTimes {
    private static final int EVENTS_BITS = 4;

    /** Many more than are on their way between a source and a sink. */
    private static final int TIMES = 1 << 18;

    private static final long[] NANOS = new long[TIMES];

    private CreationTimes() {}

    /** An event is about to be emitted. Hot path. */
    static void created(long position) {
        if ((position & ((1 << EVENTS_BITS) - 1)) == 0) {
            NANOS[(int) (position >>> EVENTS_BITS) & (TIMES - 1)] = System.nanoTime();
        }
    }

    /**
     * When the event with an event time was created, at the earliest, by {@link System#nanoTime}; 0 if that is not
     * known, as of the first ones after a restore.
     */
    public static long nanos(long eventTimeMs) {
        return NANOS[(int) ((eventTimeMs - EventTime.START_MS) >>> EVENTS_BITS) & (TIMES - 1)];
    }
}
