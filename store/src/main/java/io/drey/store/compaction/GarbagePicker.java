package io.drey.store.compaction;

import io.drey.store.version.LogUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses value logs to be emptied: a pure function of what is used of them.
 *
 * <ol>
 *   <li>None while all logs together are no larger than {@link #SPACE_MAX} times what is in use of them.
 *   <li>Then those with the largest part of garbage, until without them the logs were no larger than {@link
 *       #SPACE_GOAL} times that: a byte that is moved frees most there.
 *   <li>And the smallest of the small ones, half of the most that there may be, if there are more. Each flush with a
 *       value makes a log, however small; where little dies they would never go. A log of more than half the size at
 *       which it is finished is not small: joined with others it would come back as it was, for ever.
 * </ol>
 *
 * By the first two a log with little garbage is never chosen, as the others come before it and are enough: so emptying
 * logs comes to an end. Values that have outlived those written with them come to lie together in this way. The age of a log says
 * nothing beyond that: where values die in the order of their writing the oldest log is the next one to die as a whole,
 * elsewhere it is the last one.
 */
final class GarbagePicker {
    /** Bytes of value logs for a live byte at which logs are emptied. */
    static final double SPACE_MAX = 1.25;

    /** The same at which enough of them are. */
    static final double SPACE_GOAL = 1.15;

    private GarbagePicker() {}

    /**
     * Those that are emptied because they are small, beside those with garbage, the smallest first.
     *
     * @param garbage those that are emptied for that
     * @param smallMax small logs that there may be
     * @param bytesMax size at which a log is finished
     */
    static List<LogUsage.Use> small(List<LogUsage.Use> uses, List<LogUsage.Use> garbage, int smallMax, long bytesMax) {
        Set<LogUsage.Use> gone = new HashSet<>(garbage);
        // The usual case costs nothing: this is asked whenever work is looked for.
        List<LogUsage.Use> small = (uses.size() > smallMax ? uses : List.<LogUsage.Use>of())
                .stream()
                        .filter(use -> use.valueBytes() < bytesMax / 2 && !gone.contains(use))
                        .sorted(Comparator.comparingLong(LogUsage.Use::valueBytes))
                        .toList();
        return small.size() > smallMax ? small.subList(0, smallMax / 2) : List.of();
    }

    /** Those that are emptied for their garbage, the best first. */
    static List<LogUsage.Use> garbage(List<LogUsage.Use> uses) {
        long bytes = uses.stream().mapToLong(LogUsage.Use::valueBytes).sum();
        long live = uses.stream().mapToLong(LogUsage.Use::liveBytes).sum();
        List<LogUsage.Use> chosen = new ArrayList<>();
        if (bytes <= SPACE_MAX * live) {
            return chosen;
        }
        List<LogUsage.Use> candidates = new ArrayList<>(uses);
        candidates.sort(Comparator.comparingDouble(GarbagePicker::garbagePart).reversed());
        for (LogUsage.Use use : candidates) {
            if (bytes <= SPACE_GOAL * live) {
                break;
            }
            chosen.add(use);
            bytes -= use.garbageBytes();
        }
        return chosen;
    }

    private static double garbagePart(LogUsage.Use use) {
        return (double) use.garbageBytes() / use.valueBytes();
    }
}
