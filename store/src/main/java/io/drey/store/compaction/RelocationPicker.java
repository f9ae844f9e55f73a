package io.drey.store.compaction;

import io.drey.store.file.FileId;
import io.drey.store.run.RunView;
import io.drey.store.value.ValueLog;
import io.drey.store.version.LogUsage;
import io.drey.store.version.Version;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses how to empty value logs with much garbage, or too many small ones: a pure function of the version and of the compaction that is due
 * otherwise. There is no table of where values went: runs with pointers are small beside the values, and are written
 * anew.
 *
 * <ol>
 *   <li>{@link GarbagePicker} names the logs, if any.
 *   <li>A compaction of young runs that is due goes first: lookups wait for it.
 *   <li>A major compaction that is due moves the values on its way, those that it leaves alive.
 *   <li>Else the view that points to most bytes of these logs is written anew in its place, one at a time. A view that
 *       a major compaction has begun with is left to the major compaction.
 * </ol>
 *
 * Each of these leaves fewer views that point to the logs named, so they are dropped in the end.
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
     * @param logBytesMax size at which a log is finished
     * @param roomBytes that are free for what it writes: fewer logs are emptied if all do not fit
     */
    public static CompactionChoice pick(
            Version version, LogUsage usage, CompactionChoice due, long logBytesMax, long roomBytes) {
        int smallMax = SMALL_MAX + SMALL_PER_VIEW * usage.views();
        List<LogUsage.Use> chosen = GarbagePicker.pick(usage.uses(), smallMax, logBytesMax);
        if (chosen.isEmpty() || (due != null && !due.majorCompaction())) {
            return due;
        }
        List<ValueLog> logs = chosen.stream().map(usage::log).toList();
        while (!logs.isEmpty()) {
            CompactionChoice choice = due == null ? rewrite(version, logs) : due.emptying(logs);
            if (choice != null && choice.bytes() <= roomBytes) {
                return choice;
            }
            logs = logs.subList(0, logs.size() / 2);
        }
        return due;
    }

    private static CompactionChoice rewrite(Version version, List<ValueLog> logs) {
        Set<FileId> ids = logs.stream().map(ValueLog::id).collect(Collectors.toSet());
        CompactionChoice best = null;
        long most = 0;
        for (RunView view : version.young()) {
            long bytes = LogUsage.bytesInto(view, ids);
            if (bytes > most && view.prefixFrom() == 0) {
                most = bytes;
                best = new CompactionChoice(List.of(view), List.of(), 0, RunView.NO_END, CompactionChoice.Kind.YOUNG);
            }
        }
        for (List<RunView> level : version.levels()) {
            for (RunView view : level) {
                long bytes = LogUsage.bytesInto(view, ids);
                if (bytes > most) {
                    most = bytes;
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
