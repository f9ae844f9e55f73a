package io.drey.store.compaction;

import io.drey.store.file.FileId;
import io.drey.store.run.RunView;
import io.drey.store.value.ValueLog;
import io.drey.store.value.ValueLogSet;
import io.drey.store.version.LogUsage;
import io.drey.store.version.Version;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses how to empty value logs with much garbage, or too many small ones: a pure function of the version and of the
 * compaction that is due otherwise. There is no table of where values went: runs with pointers are small beside the
 * values, and are written anew.
 *
 * <ol>
 *   <li>{@link GarbagePicker} names the logs, if any.
 *   <li>A compaction of young runs that is due goes first: lookups wait for it.
 *   <li>A major compaction that is due moves the values on its way, those that it leaves alive.
 *   <li>Else a view is written anew in its place, one at a time: that which points to most bytes of the logs with
 *       garbage, or, if there are none, that which loses most of its small logs by it. A view that a major compaction
 *       has begun with is left to the major compaction.
 * </ol>
 *
 * This comes to an end: what is written anew points to no garbage, and of small logs each step leaves fewer pairs of a
 * view and a log that it points to. (Which logs are the smallest changes with each step.)
 */
public final class RelocationPicker {
    /** Small logs of a store, above which the smallest are emptied: each is an open file. */
    private static final int SMALL_MAX = 256;

    /** And so many more for each view that points to some: written anew it may make one, and more have to go at once. */
    private static final int SMALL_PER_VIEW = 8;

    private RelocationPicker() {}

    /**
     * The next compaction, or null if none is due.
     *
     * @param usage what the version uses of value logs
     * @param due the compaction that is due otherwise, or null
     * @param sizes of value logs that are written
     * @param roomBytes that are free for what it writes: fewer logs are emptied if all do not fit
     */
    public static CompactionChoice pick(
            Version version, LogUsage usage, CompactionChoice due, ValueLogSet.Sizes sizes, long roomBytes) {
        if (due != null && !due.majorCompaction()) {
            return due;
        }
        int smallMax = SMALL_MAX + SMALL_PER_VIEW * usage.views();
        List<LogUsage.Use> garbage = GarbagePicker.garbage(usage.uses());
        List<LogUsage.Use> small = GarbagePicker.small(usage.uses(), garbage, smallMax, sizes.bytesMax());
        if (due != null) {
            List<LogUsage.Use> all =
                    Stream.concat(garbage.stream(), small.stream()).toList();
            CompactionChoice emptying = withRoom(usage, all, due::emptying, roomBytes);
            return emptying == null ? due : emptying;
        }
        CompactionChoice choice =
                withRoom(usage, garbage, logs -> rewrite(version, logs, LogUsage::bytesInto), roomBytes);
        return choice != null
                ? choice
                : withRoom(
                        usage,
                        small,
                        logs -> rewrite(version, logs, (view, ids) -> logsLess(view, ids, sizes)),
                        roomBytes);
    }

    private static CompactionChoice withRoom(
            LogUsage usage,
            List<LogUsage.Use> chosen,
            Function<List<ValueLog>, CompactionChoice> choices,
            long roomBytes) {
        List<ValueLog> logs = chosen.stream().map(usage::log).toList();
        while (!logs.isEmpty()) {
            CompactionChoice choice = choices.apply(logs);
            if (choice != null && choice.bytes() <= roomBytes) {
                return choice;
            }
            logs = logs.subList(0, logs.size() / 2);
        }
        return null;
    }

    /**
     * By how many a view points to fewer small logs once it is written anew: each of its tables may leave one, that of
     * the least size at which it is not shared.
     */
    private static long logsLess(RunView view, Set<FileId> small, ValueLogSet.Sizes sizes) {
        long before = view.run().info().logs().stream()
                .filter(share -> small.contains(share.log()))
                .count();
        long made = LogUsage.bytesInto(view, small) / Math.max(1, sizes.bytesMin()) + 1;
        return before - Math.min(view.run().info().tables().size(), made);
    }

    /** The view that it is worth most to write anew, or null. */
    private static CompactionChoice rewrite(
            Version version, List<ValueLog> logs, ToLongBiFunction<RunView, Set<FileId>> worth) {
        Set<FileId> ids = logs.stream().map(ValueLog::id).collect(Collectors.toSet());
        CompactionChoice best = null;
        long most = 0;
        for (RunView view : version.young()) {
            long here = worth.applyAsLong(view, ids);
            if (here > most && view.prefixFrom() == 0) {
                most = here;
                best = new CompactionChoice(List.of(view), List.of(), 0, RunView.NO_END, CompactionChoice.Kind.YOUNG);
            }
        }
        for (List<RunView> level : version.levels()) {
            for (RunView view : level) {
                long here = worth.applyAsLong(view, ids);
                if (here > most) {
                    most = here;
                    // One more than the greatest prefix is the end of all.
                    best = new CompactionChoice(
                            List.of(),
                            version.levels(),
                            view.firstPrefix(),
                            view.lastPrefix() + 1,
                            CompactionChoice.Kind.MAJOR);
                }
            }
        }
        return best == null ? null : best.emptying(logs);
    }
}
