package io.drey.store.run;

import io.drey.files.ReadableFile;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.PagedBytes;
import io.drey.store.file.FileId;
import io.drey.store.value.ValueLog;
import io.drey.store.value.ValueLogs;
import io.drey.store.value.ValuePointer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An opened run: its file, the resident top of its index and what its footer says. Immutable, for any number of threads, each with
 * a {@link ReadSession}; what it holds is read through a {@link RunView}. Those who need it are counted elsewhere, in
 * the store's FileRefs, which closes it once.
 */
public final class Run implements AutoCloseable {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final ReadableFile file;
    private final RunInfo info;
    private final RunIndex index;
    private final long seed;
    private final long firstPrefix;
    private final long lastPrefix;
    private final long number = NUMBERS.incrementAndGet();
    private boolean closed;
    private boolean isWhole;

    /** Tables and their row tombstones, in the order of tables: looked at for each entry sought. */
    private final int[] tables;

    private final long[] rowTombstones;

    /** The value logs pointed to, opened for this run, in the order of their ids. */
    private final ValueLog[] logs;

    /** These two are of the session with the filters, which alone looks at them. */
    private final FilterWorth filterWorth;

    private final FilterPages filterPages;

    private Run(ReadableFile file, RunInfo info, RunIndex index, FilterPages filterPages, ValueLog[] logs) {
        this.file = file;
        this.info = info;
        this.index = index;
        this.filterPages = filterPages;
        this.logs = logs;
        this.seed = info.id().seed();
        this.firstPrefix = info.firstPrefix();
        this.lastPrefix = info.lastPrefix();
        List<TableCount> counts = info.tables();
        tables = new int[counts.size()];
        rowTombstones = new long[counts.size()];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = counts.get(i).table();
            rowTombstones[i] = counts.get(i).rowTombstones();
        }
        filterWorth = new FilterWorth(tables.length);
    }

    /** Opens a finished run, with the value logs that it points to, and takes over the file, also when it throws. */
    public static Run open(ReadableFile file, RunMemory memory, ValueLogs logs) {
        try (RunOpener opener = new RunOpener(file, memory)) {
            opener.readHeader();
            opener.readFooter();
            RunFooter footer = opener.footer();
            // Each lookup begins there: of what is far away it is the part that is worth most.
            file.expect(footer.indexOffset(), footer.topOffset() - footer.indexOffset());
            RunInfo info = footer.info(file.name(), opener.id(), file.size());
            PagedBytes top = opener.readTop();
            boolean opened = false;
            try {
                int[] tables =
                        info.tables().stream().mapToInt(TableCount::table).toArray();
                PrefixTop filterTop = new PrefixTop(
                        top,
                        (long) footer.indexPages() * RunLayout.INDEX_ENTRY_BYTES,
                        RunLayout.FILTER_ENTRY_BYTES,
                        footer.filterPages(),
                        tables);
                RunIndex index = new RunIndex(top, footer, tables);
                Run run = new Run(file, info, index, new FilterPages(filterTop), opener.openLogs(logs));
                opened = true;
                return run;
            } finally {
                if (!opened) {
                    top.close();
                }
            }
        } catch (RuntimeException e) {
            try {
                file.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    public RunInfo info() {
        return info;
    }

    /** A number that no other opened run of this process ever has. */
    public long number() {
        return number;
    }

    /** Closes the file and gives back the top. */
    @Override
    public void close() {
        if (closed) {
            throw new IllegalStateException("expected run " + info.name() + " open, found it closed");
        }
        closed = true;
        index.close();
        for (ValueLog log : logs) {
            log.close();
        }
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The value logs that its entries point to; open as long as the run is. */
    public List<ValueLog> logs() {
        return List.of(logs);
    }

    /** The log of a pointer of this run. */
    public ValueLog log(long pointer) {
        long high = ValuePointer.idHigh(pointer);
        long low = ValuePointer.idLow(pointer);
        int from = 0;
        int to = logs.length - 1;
        while (from <= to) {
            int middle = (from + to) >>> 1;
            FileId id = logs[middle].id();
            int order = Long.compare(id.high(), high);
            order = order != 0 ? order : Long.compare(id.low(), low);
            if (order == 0) {
                return logs[middle];
            }
            if (order < 0) {
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
        throw new CorruptFileException(
                info.name(),
                info.bytes(),
                "a pointer to a value log of the footer",
                ValueLog.name(new FileId(high, low)));
    }

    /** Whether all of it is here, and of its value logs. The owner's thread. */
    public boolean isWhole() {
        isWhole = isWhole || (file.isWhole() && Arrays.stream(logs).allMatch(ValueLog::isWhole));
        return isWhole;
    }

    ReadableFile file() {
        return file;
    }

    /**
     * Expects what is sought here to be absent no more often than it was in a run whose place this one may take; of
     * several, in any order, the one that missed least counts. For the session's thread.
     */
    public void expectAsIn(Run older) {
        for (int i = 0; i < tables.length; i++) {
            int other = older.ordinal(tables[i]);
            if (other >= 0) {
                filterWorth.expectAtMost(i, older.filterWorth, other);
            }
        }
    }

    /** A key of a table, by its {@link #ordinal}, was sought in the run by the session with the filters. */
    void sought(int ordinal, boolean found) {
        filterWorth.sought(ordinal, found);
    }

    /**
     * Whether pages of the filter should be read for keys of a table, by its {@link #ordinal}, although they are not in
     * memory.
     */
    boolean isFilterWorthReading(int ordinal) {
        return filterWorth.isWorthReading(ordinal);
    }

    /** Whether pages of the filter should be read if there is memory for them. */
    boolean isFilterOfUse(int ordinal) {
        return filterWorth.isOfUse(ordinal);
    }

    /** The part of keys that were absent lately, by table; of those in which keys were sought. */
    public Map<Integer, Double> absentShares() {
        Map<Integer, Double> shares = new HashMap<>();
        for (int i = 0; i < tables.length; i++) {
            if (filterWorth.isSought(i)) {
                shares.put(tables[i], filterWorth.absentShare(i));
            }
        }
        return shares;
    }

    /** Bytes of its blocks, as they are stored. */
    public long blockBytes() {
        return index.dataEnd() - filterPages.bytes();
    }

    public FilterPages filterPages() {
        return filterPages;
    }

    public RunIndex index() {
        return index;
    }

    long seed() {
        return seed;
    }

    /** Whether the run has entries of a table. */
    boolean hasTable(int table) {
        return ordinal(table) >= 0;
    }

    /** Whether the run has tombstones of rows of a table, by its {@link #ordinal}. */
    boolean hasRowTombstones(int ordinal) {
        return rowTombstones[ordinal] > 0;
    }

    /** No entry is below. */
    long firstPrefix() {
        return firstPrefix;
    }

    /** No entry is above. */
    long lastPrefix() {
        return lastPrefix;
    }

    /** The number of a table among those of the run, or -1: computed once for a lookup. */
    int ordinal(int table) {
        int low = 0;
        int high = tables.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (tables[middle] == table) {
                return middle;
            }
            if (tables[middle] < table) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return info.name();
    }
}
