package io.drey.cli.inspect.report;

import io.drey.cli.inspect.row.RowDecoder;
import io.drey.cli.inspect.row.RowVisitor;
import io.drey.cli.inspect.row.StateForm;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.row.StateRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Counts the live entries of an operator, state by state: entries, keys per key group, bytes, the largest. Memory does
 * not grow with the entries. One thread.
 */
public final class StateScan implements RowVisitor {
    private static final int LARGEST_MAX = 5;

    /** Letters of a key that are kept: those of all states and operators are, until the end. */
    private static final int NAME_MAX = 1_000;

    private final int keyGroups;
    private final long expiredUntil;
    private final Map<String, Sums> byState = new LinkedHashMap<>();
    private final RowDecoder decoder = new RowDecoder();
    private long rows;

    /**
     * A state as it was found.
     *
     * @param keys pairs of key and namespace
     * @param keysByKeyGroup from key group 0 on
     * @param expired entries last accessed before the time to live that was given; -1 if none was, or it has none
     * @param largestValues single entries, largest first
     * @param largestKeys keys with most bytes under them, largest first; of values the same entries
     */
    public record StateFinding(
            String state,
            long entries,
            long keys,
            long keyBytes,
            long valueBytes,
            long expired,
            long[] keysByKeyGroup,
            List<Large> largestValues,
            List<Large> largestKeys) {}

    /** Something large; the key without its end if it is very long. */
    public record Large(String key, long bytes, long entries) {}

    private static final class Sums {
        private final long[] keysByKeyGroup;
        private final boolean hasTtl;
        private final PriorityQueue<Large> values = new PriorityQueue<>(Comparator.comparingLong(Large::bytes));
        private final PriorityQueue<Large> keys = new PriorityQueue<>(Comparator.comparingLong(Large::bytes));
        private long entries;
        private long keyCount;
        private long keyBytes;
        private long valueBytes;
        private long expired;
        private StateRow current;
        private long currentBytes;
        private long currentEntries;

        Sums(int keyGroups, boolean hasTtl) {
            keysByKeyGroup = new long[keyGroups];
            this.hasTtl = hasTtl;
        }
    }

    /**
     * A scan of an operator with so many key groups.
     *
     * @param expiredUntil milliseconds at which an entry last accessed then has expired, or {@link Long#MIN_VALUE}
     */
    public StateScan(int keyGroups, long expiredUntil) {
        this.keyGroups = keyGroups;
        this.expiredUntil = expiredUntil;
    }

    /** Names a state, so that it is found even if it has no entries. */
    public void expect(StateInfo state) {
        sums(state);
    }

    private Sums sums(StateInfo state) {
        return byState.computeIfAbsent(state.name(), any -> new Sums(keyGroups, state.hasTtl()));
    }

    /** Entries so far. */
    public long rows() {
        return rows;
    }

    @Override
    public boolean visit(StateRow row) {
        rows++;
        Sums sums = sums(row.state());
        sums.entries++;
        sums.keyBytes += row.keyBytes();
        sums.valueBytes += row.value().length;
        long access = RowDecoder.lastAccess(row);
        if (access != RowDecoder.NO_ACCESS && access <= expiredUntil) {
            sums.expired++;
        }
        if (sums.current == null || row.state().form() == StateForm.TIMERS || !isSameKey(sums.current, row)) {
            endKey(sums);
            sums.current = row;
            sums.keyCount++;
            sums.keysByKeyGroup[row.keyGroup()]++;
        }
        long bytes = row.keyBytes() + (long) row.value().length;
        sums.currentBytes += bytes;
        sums.currentEntries++;
        if (isLarge(sums.values, bytes)) {
            add(sums.values, new Large(shortened(name(row)), bytes, 1));
        }
        return true;
    }

    private static boolean isSameKey(StateRow a, StateRow b) {
        return Arrays.equals(a.key(), b.key()) && Arrays.equals(a.namespace(), b.namespace());
    }

    private void endKey(Sums sums) {
        if (sums.current != null && isLarge(sums.keys, sums.currentBytes)) {
            add(sums.keys, new Large(shortened(decoder.key(sums.current)), sums.currentBytes, sums.currentEntries));
        }
        sums.currentBytes = 0;
        sums.currentEntries = 0;
    }

    private String name(StateRow row) {
        String key = decoder.key(row);
        return row.mapKey() == null ? key : key + " [" + decoder.decode(row).mapKey() + "]";
    }

    private static String shortened(String name) {
        return name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX) + "...";
    }

    private static boolean isLarge(PriorityQueue<Large> largest, long bytes) {
        return largest.size() < LARGEST_MAX || largest.peek().bytes() < bytes;
    }

    private static void add(PriorityQueue<Large> largest, Large large) {
        largest.add(large);
        if (largest.size() > LARGEST_MAX) {
            largest.remove();
        }
    }

    /** All states, in the order in which they were expected or met. */
    public List<StateFinding> findings() {
        List<StateFinding> findings = new ArrayList<>();
        byState.forEach((state, sums) -> {
            endKey(sums);
            sums.current = null;
            findings.add(new StateFinding(
                    state,
                    sums.entries,
                    sums.keyCount,
                    sums.keyBytes,
                    sums.valueBytes,
                    expiredUntil == Long.MIN_VALUE || !sums.hasTtl ? -1 : sums.expired,
                    sums.keysByKeyGroup.clone(),
                    descending(sums.values),
                    descending(sums.keys)));
        });
        return findings;
    }

    private static List<Large> descending(PriorityQueue<Large> largest) {
        return largest.stream()
                .sorted(Comparator.comparingLong(Large::bytes).reversed())
                .toList();
    }
}
