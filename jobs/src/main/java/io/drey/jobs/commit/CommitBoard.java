package io.drey.jobs.commit;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The times from the creation of an event to its visible row, of the only job in this process that commits. Static and
 * under one lock, which is taken once in a checkpoint: operators of an embedded cluster and whoever started it share
 * nothing else. What a restored job commits of before is not counted.
 */
public final class CommitBoard {
    /** Longer ones count as this. */
    static final int MILLIS_MAX = 120_000;

    private static final Object LOCK = new Object();
    private static final Map<String, RowCounts> PREPARED = new HashMap<>();
    private static long[] byMillis = new long[MILLIS_MAX + 1];
    private static long rows;

    private CommitBoard() {}

    /** Counts from now on. */
    public static void begin() {
        synchronized (LOCK) {
            byMillis = new long[MILLIS_MAX + 1];
            rows = 0;
        }
    }

    /** Rows that became visible. */
    static long rows() {
        synchronized (LOCK) {
            return rows;
        }
    }

    /** What so many per cent of the rows took at most; empty if none became visible. */
    public static OptionalLong latencyMs(int percent) {
        synchronized (LOCK) {
            long rank = (rows * percent + 99) / 100;
            long seen = 0;
            for (int millis = 0; rows > 0 && millis < byMillis.length; millis++) {
                seen += byMillis[millis];
                if (seen >= rank) {
                    return OptionalLong.of(millis);
                }
            }
            return OptionalLong.empty();
        }
    }

    /** A file of rows is complete and not visible. */
    static void prepared(String file, RowCounts counts) {
        synchronized (LOCK) {
            PREPARED.put(file, counts);
        }
    }

    /** A file has become visible. */
    static void visible(String file, long nowNanos) {
        synchronized (LOCK) {
            RowCounts counts = PREPARED.remove(file);
            for (int i = 0; counts != null && i < counts.size(); i++) {
                long millis = TimeUnit.NANOSECONDS.toMillis(nowNanos - counts.nanos(i));
                byMillis[(int) Math.max(0, Math.min(MILLIS_MAX, millis))] += counts.rows(i);
                rows += counts.rows(i);
            }
        }
    }
}
