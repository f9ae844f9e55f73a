package io.drey.store.tuning;

import io.drey.store.entry.TableInfo;
import io.drey.store.entry.TableKind;
import io.drey.store.entry.Tables;
import io.drey.store.run.ReadSession;
import io.drey.store.stats.Counters;
import io.drey.store.value.ValueReader;
import java.util.Arrays;
import java.util.List;

/**
 * From which size on the values of each table are separated when they leave memory, and whether the others may be compressed
 * by themselves: not where the disk is slow, as blocks take less space. The owner asks before each flush; jobs
 * tell how many values they separated. What was long ago counts less and less, so that thresholds follow what the job does.
 */
public final class Separation {
    /** Values of a table after which what was counted before is halved. */
    private static final double VALUES_MEMORY = 100_000;

    private final SeparationLimits limits;
    private final Tables tables;
    private final ReadSession session;
    private final ValueReader reader;
    private final Counters counters;

    /** By table; the owner's, but for {@link #separated}, which is guarded by this. */
    private double[] separated = new double[8];

    private double[] read = new double[8];
    private long[] readBefore = new long[8];
    private int[] thresholds = new int[0];

    /** @param session the owner's */
    public Separation(SeparationLimits limits, Tables tables, ReadSession session, Counters counters) {
        this.limits = limits;
        this.tables = tables;
        this.session = session;
        this.reader = session.values();
        this.counters = counters;
    }

    /** What is done now. The owner's. */
    public synchronized LeavingValues leaving() {
        List<TableInfo> all = tables.all();
        int count = all.isEmpty() ? 0 : all.get(all.size() - 1).number() + 1;
        grow(count);
        int[] next = new int[count];
        boolean[] compressed = new boolean[count];
        Arrays.fill(next, SeparationRule.NEVER);
        for (TableInfo table : all) {
            // What is appended to lists is put together by compactions, which neither read nor decompress values.
            if (table.kind() != TableKind.LIST) {
                next[table.number()] = threshold(table.number());
                compressed[table.number()] = !session.isDiskSlow();
            }
        }
        thresholds = next;
        return new LeavingValues(next, compressed);
    }

    private int threshold(int table) {
        long reads = reader.count(table);
        read[table] += reads - readBefore[table];
        readBefore[table] = reads;
        boolean wasNever = table < thresholds.length && thresholds[table] == SeparationRule.NEVER;
        if (separated[table] > VALUES_MEMORY || wasNever) {
            separated[table] /= 2;
            read[table] /= 2;
        }
        return SeparationRule.threshold(
                new SeparationRule.Measured(
                        separated[table],
                        read[table],
                        reader.count(),
                        reader.nanos(),
                        counters.runBytesFlushed.get(),
                        counters.runBytesCompacted.get(),
                        counters.compactionNanos.get()),
                limits);
    }

    /** A job has separated values of a table. Any thread. */
    public synchronized void separated(int table, long values) {
        grow(table + 1);
        separated[table] += values;
    }

    private void grow(int count) {
        if (count > separated.length) {
            int length = Math.max(count, 2 * separated.length);
            separated = Arrays.copyOf(separated, length);
            read = Arrays.copyOf(read, length);
            readBefore = Arrays.copyOf(readBefore, length);
        }
    }
}
