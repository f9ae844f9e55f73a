package io.drey.flink.shuffle;

import org.apache.flink.runtime.io.network.api.StopMode;

/** The way in which a producer ended its data: kept with the commit, so that the last events need no region. */
final class EndMark {
    /** The producer announced no end of its data. */
    static final int NONE = 0;

    private static final int DRAIN = 1;
    private static final int NO_DRAIN = 2;

    private EndMark() {}

    static int of(StopMode mode) {
        return switch (mode) {
            case DRAIN -> DRAIN;
            case NO_DRAIN -> NO_DRAIN;
        };
    }

    static StopMode mode(int mark) {
        return switch (mark) {
            case DRAIN -> StopMode.DRAIN;
            case NO_DRAIN -> StopMode.NO_DRAIN;
            default -> throw new IllegalArgumentException("expected an end mark of 1 or 2, found " + mark);
        };
    }
}
