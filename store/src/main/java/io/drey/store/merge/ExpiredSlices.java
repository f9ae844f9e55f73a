package io.drey.store.compaction;

import io.drey.store.entry.Expiries;
import io.drey.store.run.Run;
import io.drey.store.run.Slice;
import io.drey.store.run.TableCount;
import io.drey.store.version.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Chooses slices of which nothing is alive: they leave the version without being read. A pure function but for the time. */
public final class ExpiredSlices {
    private ExpiredSlices() {}

    /**
     * The version without the slices of which all entries have expired and below which nothing is: any slice of a level,
     * and, when no level is left, the oldest young ones. The same version if there are none.
     *
     * @param busy runs that a job reads and means to replace; their slices stay
     */
    public static Version drop(Version version, Expiries expiries, Collection<Run> busy) {
        List<List<Slice>> levels = new ArrayList<>();
        boolean changed = false;
        for (List<Slice> level : version.levels()) {
            List<Slice> alive = new ArrayList<>();
            for (Slice slice : level) {
                if (busy.contains(slice.run()) || !isExpired(slice, expiries)) {
                    alive.add(slice);
                }
            }
            changed |= alive.size() < level.size();
            if (!alive.isEmpty()) {
                levels.add(alive);
            }
        }
        List<Slice> young = version.young();
        int kept = young.size();
        while (levels.isEmpty() && kept > 0 && isDroppable(young.get(kept - 1), expiries, busy)) {
            kept--;
        }
        changed |= kept < young.size();
        return changed ? new Version(young.subList(0, kept), levels) : version;
    }

    private static boolean isDroppable(Slice slice, Expiries expiries, Collection<Run> busy) {
        return !busy.contains(slice.run()) && isExpired(slice, expiries);
    }

    private static boolean isExpired(Slice slice, Expiries expiries) {
        for (TableCount table : slice.run().info().tables()) {
            if (table.latestAccess() > expiries.expiredUntil(table.table())) {
                return false;
            }
        }
        return true;
    }
}
