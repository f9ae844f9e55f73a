package io.drey.store.compaction;

import io.drey.store.run.RunInfo;
import io.drey.store.run.RunView;
import io.drey.store.tuning.CompactionYield;
import io.drey.store.version.LogUsage;
import io.drey.store.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Chooses what to compact next: a pure function of the version, of the sizes of its runs and of what major compactions
 * free.
 *
 * <ol>
 *   <li>A <em>major compaction</em> is in progress if a young view begins after the first prefix: what was before is in
 *       the last level already. It takes part together with all older ones; younger ones are <em>fresh</em>.
 *   <li>Fresh views that are neighbours in age and of about a size are compacted with each other ({@link TierPicker}),
 *       so that a lookup has few runs to ask; unless a major compaction of them is due, at once or after the one in
 *       progress, that would write the same again.
 *   <li>A major compaction in progress goes on with its next range.
 *   <li>A major compaction of all young views begins when they, or what they free, are large beside what lives, or when
 *       lookups suffer by them.
 *   <li>Levels that a rescale left are compacted into one when there are too many.
 * </ol>
 *
 * Views whose files are still to come are left until all are here, and so is what is older: a part of a job that waits
 * for a storage far away keeps the flushes of all stores from their turn.
 *
 * <p>Young views for which the disk has no room are left. A major compaction goes by ranges of prefixes. A range ends where a run of the last level begins, so that runs are
 * replaced whole, unless that makes the job much too large, also for the room there is; ranges without young entries are left out, and with them
 * the runs that cover them.
 */
public final class CompactionPicker {
    /** Levels that a rescale may leave; they do not share keys, so each costs a lookup next to nothing. */
    static final int LEVELS_MAX = 4;

    /** What compacting an entry costs at least, in bytes that could be copied instead. */
    private static final double ENTRY_BYTES_MIN = 32;

    /**
     * A job that would be larger than wanted by this factor does a part of its range: what is left is then no small
     * job.
     */
    private static final double LARGE_JOB = 1.5;

    /** A job of a major compaction takes this part of the room at most: so a disk that is nearly full gets freer. */
    private static final int ROOM_FRACTION = 2;

    private CompactionPicker() {}

    /**
     * The next compaction, or null if none is due.
     *
     * @param logs what the version uses of value logs
     * @param readsSuffer makes a major compaction due whatever the sizes
     * @param roomBytes that are free for what it writes
     */
    public static CompactionChoice pick(
            Version version,
            LogUsage logs,
            CompactionLimits limits,
            CompactionYield freed,
            boolean readsSuffer,
            long roomBytes) {
        List<RunView> young = version.young();
        boolean isWhole = version.isWhole();
        int fresh = isWhole ? freshCount(young) : wholeCount(young);
        long[] bytes = young.stream().mapToLong(RunView::bytes).toArray();
        boolean isMajorDue =
                isWhole && isMajorDue(LongStream.of(bytes).limit(fresh).sum(), version, logs, limits, freed);
        TierPicker.Window window = TierPicker.pick(bytes, fresh, limits, isMajorDue, version.levelBytes());
        CompactionChoice tier = window == null ? null : compactYoung(young, window);
        if (tier != null && tier.bytes() <= roomBytes) {
            return tier;
        }
        if (!isWhole) {
            return null;
        }
        if (fresh < young.size()) {
            return majorCompaction(version, young.subList(fresh, young.size()), limits, roomBytes);
        }
        if ((readsSuffer && fresh > 0) || isMajorDue) {
            return majorCompaction(version, young, limits, roomBytes);
        }
        return version.levels().size() > LEVELS_MAX ? majorCompaction(version, List.of(), limits, roomBytes) : null;
    }

    /**
     * What to compact beside a compaction under way that will take longer, or null: where fresh runs are many, those of
     * about a size that are younger than all of its own, if they have fewer bytes than it has left. So the owner need
     * not wait for its end.
     *
     * @param bytesLeft that the compaction under way has still to read
     */
    public static CompactionChoice pickBeside(
            Version version,
            LogUsage logs,
            CompactionLimits limits,
            CompactionYield freed,
            CompactionChoice underWay,
            long bytesLeft) {
        List<RunView> young = version.young();
        int fresh = freshCount(young);
        if (!limits.isMany(fresh)) {
            return null;
        }
        int younger = 0;
        while (younger < fresh && !underWay.busyWith(young.get(younger).run())) {
            younger++;
        }
        long[] bytes = young.stream().mapToLong(RunView::bytes).toArray();
        boolean isMajorDue = isMajorDue(LongStream.of(bytes).limit(younger).sum(), version, logs, limits, freed);
        TierPicker.Window window = TierPicker.pickTier(bytes, younger, limits, isMajorDue, version.levelBytes());
        CompactionChoice choice = window == null ? null : compactYoung(young, window);
        return choice != null && choice.bytes() < bytesLeft ? choice : null;
    }

    private static CompactionChoice compactYoung(List<RunView> young, TierPicker.Window window) {
        return new CompactionChoice(
                young.subList(window.from(), window.from() + window.count()),
                List.of(),
                0,
                RunView.NO_END,
                CompactionChoice.Kind.YOUNG);
    }

    /** How many views are younger than those of a major compaction in progress; all if there is none. */
    public static int freshCount(List<RunView> young) {
        int fresh = 0;
        while (fresh < young.size() && young.get(fresh).prefixFrom() == 0) {
            fresh++;
        }
        return fresh;
    }

    /**
     * How many fresh views the key groups have that are in most of them: a lookup asks no more. Parents of a restore
     * have key groups of their own.
     */
    public static int freshDepth(List<RunView> young) {
        TreeMap<Integer, Integer> changes = new TreeMap<>();
        for (RunView view : young.subList(0, freshCount(young))) {
            RunInfo info = view.run().info();
            int first = Math.max(view.keyGroupFrom(), info.keyGroupMin());
            int last = Math.min(view.keyGroupTo(), info.keyGroupMax());
            if (first <= last) {
                changes.merge(first, 1, Integer::sum);
                changes.merge(last + 1, -1, Integer::sum);
            }
        }
        int most = 0;
        int depth = 0;
        for (int change : changes.values()) {
            depth += change;
            most = Math.max(most, depth);
        }
        return most;
    }

    /** How many of the youngest views are here. */
    private static int wholeCount(List<RunView> young) {
        return (int) young.stream()
                .limit(freshCount(young))
                .takeWhile(view -> view.run().isWhole())
                .count();
    }

    private static boolean isMajorDue(
            long freshBytes, Version version, LogUsage logs, CompactionLimits limits, CompactionYield freed) {
        long values = logs.liveBytes();
        return limits.isMajorDue(freshBytes, version.levelBytes(), values, freed.expected(freshBytes, values));
    }

    /** The next range of a major compaction of these young views, or, without any, of all levels but the first. */
    private static CompactionChoice majorCompaction(
            Version version, List<RunView> participants, CompactionLimits limits, long roomBytes) {
        List<RunView> old = version.levels().stream().flatMap(List::stream).toList();
        List<RunView> moving = participants.isEmpty()
                ? version.levels().stream().skip(1).flatMap(List::stream).toList()
                : participants;
        List<RunView> all = new ArrayList<>(participants);
        all.addAll(old);
        long jobBytes = Math.min(limits.jobBytes(workIn(all, 0, RunView.NO_END)), roomBytes / ROOM_FRACTION);
        long from = start(moving, old, participants);
        long to = from;
        long bytes = 0;
        for (long end : ends(from, old)) {
            long more = workIn(all, to, end);
            boolean first = to == from;
            if (first && more > LARGE_JOB * jobBytes) {
                return new CompactionChoice(
                        participants,
                        version.levels(),
                        from,
                        split(all, from, end, more, jobBytes),
                        CompactionChoice.Kind.MAJOR);
            }
            if (!first && (bytes + more > jobBytes || bytesIn(moving, to, end) == 0)) {
                break;
            }
            bytes += more;
            to = end;
        }
        return new CompactionChoice(participants, version.levels(), from, to, CompactionChoice.Kind.MAJOR);
    }

    /**
     * Where the first entry to move may be, or where a run of a level that covers it begins, if not moved past: a view has
     * entries there, so that no range from there is empty.
     */
    private static long start(List<RunView> moving, List<RunView> old, List<RunView> participants) {
        long first = minUnsigned(moving.stream().mapToLong(RunView::firstPrefix).toArray());
        long done = participants.isEmpty()
                ? 0
                : minUnsigned(
                        participants.stream().mapToLong(RunView::prefixFrom).toArray());
        long from = first;
        for (RunView view : old) {
            RunView left = view.clipPrefixes(done, RunView.NO_END);
            if (!left.isEmpty()
                    && Long.compareUnsigned(left.firstPrefix(), from) < 0
                    && Long.compareUnsigned(left.lastPrefix(), first) >= 0) {
                from = left.firstPrefix();
            }
        }
        return from;
    }

    /** Where a range from here may end: at the begins of the old views behind it, in order, and at the very end. */
    private static long[] ends(long from, List<RunView> old) {
        long[] begins = old.stream()
                .mapToLong(RunView::firstPrefix)
                .filter(prefix -> Long.compareUnsigned(prefix, from) > 0)
                .map(prefix -> prefix + Long.MIN_VALUE)
                .distinct()
                .sorted()
                .toArray();
        long[] ends = new long[begins.length + 1];
        for (int i = 0; i < begins.length; i++) {
            ends[i] = begins[i] - Long.MIN_VALUE;
        }
        ends[begins.length] = RunView.NO_END;
        return ends;
    }

    /**
     * An end inside the range, so that the job has about the size wanted: measured on the view with most bytes in it.
     */
    private static long split(List<RunView> all, long from, long end, long bytes, long bytesWanted) {
        RunView largest = null;
        for (RunView view : all) {
            RunView clipped = view.clipPrefixes(from, end);
            if (largest == null || clipped.bytes() > largest.bytes()) {
                largest = clipped;
            }
        }
        return largest.prefixAfter(from, (long) ((double) bytesWanted / bytes * largest.bytes()));
    }

    private static long bytesIn(List<RunView> views, long from, long to) {
        long bytes = 0;
        for (RunView view : views) {
            bytes += view.clipPrefixes(from, to).bytes();
        }
        return bytes;
    }

    /** What compacting a range costs, in bytes: an entry counts for some at least, however well it compresses. */
    private static long workIn(List<RunView> views, long from, long to) {
        double work = 0;
        for (RunView view : views) {
            long bytes = view.clipPrefixes(from, to).bytes();
            if (bytes > 0) {
                double all = RunView.of(view.run()).bytes();
                work += bytes * Math.max(1, view.run().info().entries() * ENTRY_BYTES_MIN / all);
            }
        }
        return (long) work;
    }

    private static long minUnsigned(long[] values) {
        long min = values[0];
        for (long value : values) {
            min = Long.compareUnsigned(value, min) < 0 ? value : min;
        }
        return min;
    }
}
