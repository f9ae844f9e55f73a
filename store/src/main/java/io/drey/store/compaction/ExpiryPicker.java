package io.drey.store.compaction;

import io.drey.store.entry.Expiries;
import io.drey.store.entry.Expiry;
import io.drey.store.run.RunView;
import io.drey.store.run.TableCount;
import io.drey.store.version.Version;
import java.util.List;

/**
 * Chooses views of a level that are worth rewriting because half of their entries have expired; for when no other compact
 * is due. What such a compact writes has nothing that had expired, so it is not chosen again before half of the rest has.
 */
public final class ExpiryPicker {
    private ExpiryPicker() {}

    /** The next such compact, of neighbours in a level, or null. */
    public static CompactionChoice pick(Version version, Expiries expiries, CompactionLimits limits) {
        for (List<RunView> level : version.levels()) {
            for (int first = 0; first < level.size(); first++) {
                if (isHalfExpired(level.get(first), expiries)) {
                    return choice(version, level, first, expiries, limits);
                }
            }
        }
        return null;
    }

    private static CompactionChoice choice(
            Version version, List<RunView> level, int first, Expiries expiries, CompactionLimits limits) {
        int last = first;
        long bytes = level.get(first).bytes();
        while (last + 1 < level.size()
                && isHalfExpired(level.get(last + 1), expiries)
                && bytes + level.get(last + 1).bytes() <= limits.jobBytesMax()) {
            last++;
            bytes += level.get(last).bytes();
        }
        long from = level.get(first).firstPrefix();
        return new CompactionChoice(
                List.of(), version.levels(), from, level.get(last).lastPrefix() + 1, true, List.of());
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
