package io.drey.store.compaction;

import io.drey.store.entry.Expiries;
import io.drey.store.entry.Expiry;
import io.drey.store.run.RunView;
import io.drey.store.run.TableCount;
import io.drey.store.version.Version;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses what to do about views with entries that have expired: a pure function but for the time.
 *
 * <ol>
 *   <li>Views of which nothing is alive are dropped without being read: any view of a level, and, when no level is
 *       left, the oldest young ones.
 *   <li>When no other compaction is due, views of a level of which half of the entries have expired are rewritten. What
 *       that writes has nothing that had expired, so it is not chosen again before half of the rest has.
 * </ol>
 *
 * A compaction in progress is safe from both: what it is {@link CompactionChoice#busyWith} stays until it has ended.
 */
public final class ExpiryPicker {
    private ExpiryPicker() {}

    /**
     * The views to drop, or null if there are none.
     *
     * @param inProgress the compactions under way
     */
    public static CompactionChoice drop(Version version, Expiries expiries, List<CompactionChoice> inProgress) {
        List<List<RunView>> levels = new ArrayList<>();
        boolean isLevelLeft = false;
        for (List<RunView> level : version.levels()) {
            List<RunView> gone = new ArrayList<>();
            for (RunView view : level) {
                if (isDroppable(view, expiries, inProgress)) {
                    gone.add(view);
                }
            }
            isLevelLeft |= gone.size() < level.size();
            if (!gone.isEmpty()) {
                levels.add(gone);
            }
        }
        List<RunView> young = version.young();
        int kept = young.size();
        while (!isLevelLeft && kept > 0 && isDroppable(young.get(kept - 1), expiries, inProgress)) {
            kept--;
        }
        List<RunView> goneYoung = young.subList(kept, young.size());
        return goneYoung.isEmpty() && levels.isEmpty() ? null : CompactionChoice.drop(goneYoung, levels);
    }

    private static boolean isDroppable(RunView view, Expiries expiries, List<CompactionChoice> inProgress) {
        return isExpired(view, expiries) && inProgress.stream().noneMatch(choice -> choice.busyWith(view.run()));
    }

    private static boolean isExpired(RunView view, Expiries expiries) {
        for (TableCount table : view.run().info().tables()) {
            if (table.latestAccess() > expiries.expiredUntil(table.table())) {
                return false;
            }
        }
        return true;
    }

    /** The next compaction of neighbours in a level that rewrites them, of so many bytes if one view is not more. */
    public static CompactionChoice rewrite(Version version, Expiries expiries, CompactionLimits limits, long room) {
        long bytesMax = Math.min(limits.jobBytesMax(), room);
        for (List<RunView> level : version.levels()) {
            for (int first = 0; first < level.size(); first++) {
                if (isHalfExpired(level.get(first), expiries)) {
                    return choice(version, level, first, expiries, bytesMax);
                }
            }
        }
        return null;
    }

    private static CompactionChoice choice(
            Version version, List<RunView> level, int first, Expiries expiries, long bytesMax) {
        int last = first;
        long bytes = level.get(first).bytes();
        while (last + 1 < level.size()
                && isHalfExpired(level.get(last + 1), expiries)
                && bytes + level.get(last + 1).bytes() <= bytesMax) {
            last++;
            bytes += level.get(last).bytes();
        }
        long from = level.get(first).firstPrefix();
        return new CompactionChoice(
                List.of(), version.levels(), from, level.get(last).lastPrefix() + 1, CompactionChoice.Kind.MAJOR);
    }

    private static boolean isHalfExpired(RunView view, Expiries expiries) {
        long entries = 0;
        long expired = 0;
        for (TableCount table : view.run().info().tables()) {
            entries += table.entries();
            long timed = table.entries() - table.untimed();
            long expiredUntil = expiries.expiredUntil(table.table());
            if (expiredUntil == Expiry.NOTHING || timed == 0 || table.medianAccess() > expiredUntil) {
                continue;
            }
            expired += table.latestAccess() <= expiredUntil ? timed : (timed + 1) / 2;
        }
        return expired > 0 && 2 * expired >= entries;
    }
}
