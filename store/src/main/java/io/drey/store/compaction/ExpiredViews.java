package io.drey.store.compaction;

import io.drey.store.entry.Expiries;
import io.drey.store.run.Run;
import io.drey.store.run.RunView;
import io.drey.store.run.TableCount;
import io.drey.store.version.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Chooses views of which nothing is alive: they leave the version without being read. A pure function but for the time. */
public final class ExpiredViews {
    private ExpiredViews() {}

    /**
     * The version without the views of which all entries have expired and below which nothing is: any view of a level,
     * and, when no level is left, the oldest young ones. The same version if there are none.
     *
     * @param busy runs that a job reads and means to replace; their views stay
     */
    public static Version drop(Version version, Expiries expiries, Collection<Run> busy) {
        List<List<RunView>> levels = new ArrayList<>();
        boolean changed = false;
        for (List<RunView> level : version.levels()) {
            List<RunView> alive = new ArrayList<>();
            for (RunView view : level) {
                if (busy.contains(view.run()) || !isExpired(view, expiries)) {
                    alive.add(view);
                }
            }
            changed |= alive.size() < level.size();
            if (!alive.isEmpty()) {
                levels.add(alive);
            }
        }
        List<RunView> young = version.young();
        int kept = young.size();
        while (levels.isEmpty() && kept > 0 && isDroppable(young.get(kept - 1), expiries, busy)) {
            kept--;
        }
        changed |= kept < young.size();
        return changed ? new Version(young.subList(0, kept), levels) : version;
    }

    private static boolean isDroppable(RunView view, Expiries expiries, Collection<Run> busy) {
        return !busy.contains(view.run()) && isExpired(view, expiries);
    }

    private static boolean isExpired(RunView view, Expiries expiries) {
        for (TableCount table : view.run().info().tables()) {
            if (table.latestAccess() > expiries.expiredUntil(table.table())) {
                return false;
            }
        }
        return true;
    }
}
