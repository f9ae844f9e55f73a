package io.drey.store.merge;

import io.drey.store.version.LogUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses value logs to be emptied: a pure function of what is used of them.
 *
 * <ol>
 *   <li>None while all logs together are no larger than {@link #SPACE_MAX} times what lives in them.
 *   <li>Then those with the best (garbage x age / live), until without them the logs were no larger than {@link #SPACE_GOAL}
 *       times what lives. Old logs come first because what has lived long in them will go on living, while a young log may
 *       soon be dead as a whole; one that is nearly dead costs next to nothing.
 * </ol>
 *
 * Age is counted in generations, and so in what was written since. A log without garbage is never chosen, so that emptying logs comes to an end: what it writes has none.
 */
final class GarbagePicker {
    /** Bytes of value logs for a live byte at which logs are emptied. */
    static final double SPACE_MAX = 1.3;

    /** The same at which enough of them are. */
    static final double SPACE_GOAL = 1.15;

    /** The same at which emptying logs goes before sweeps. */
    static final double SPACE_URGENT = 1.5;

    /** A log with less garbage than this part of it is left alone. */
    private static final double GARBAGE_MIN = 0.05;

    private GarbagePicker() {}

    /** Whether logs are so large that they are to be emptied before anything else. */
    static boolean isUrgent(LogUsage usage) {
        return usage.valueBytes() > SPACE_URGENT * usage.liveBytes();
    }

    /** The logs to be emptied, the best first. */
    static List<LogUsage.Use> pick(LogUsage usage) {
        long bytes = usage.valueBytes();
        long live = usage.liveBytes();
        List<LogUsage.Use> chosen = new ArrayList<>();
        if (bytes <= SPACE_MAX * live) {
            return chosen;
        }
        List<LogUsage.Use> candidates = new ArrayList<>();
        for (LogUsage.Use use : usage.uses()) {
            if (use.garbageBytes() > use.log().valueBytes() * GARBAGE_MIN) {
                candidates.add(use);
            }
        }
        long youngest = usage.uses().stream()
                .mapToLong(use -> use.log().generation())
                .max()
                .orElse(0);
        candidates.sort(Comparator.comparingDouble((LogUsage.Use use) -> score(use, youngest))
                .reversed());
        for (LogUsage.Use use : candidates) {
            if (bytes <= SPACE_GOAL * live) {
                break;
            }
            chosen.add(use);
            bytes -= use.garbageBytes();
        }
        return chosen;
    }

    private static double score(LogUsage.Use use, long youngest) {
        double age = 1 + youngest - use.log().generation();
        return use.garbageBytes() * age / Math.max(1, use.liveBytes());
    }
}
