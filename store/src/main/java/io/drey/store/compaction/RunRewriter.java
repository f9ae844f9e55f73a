package io.drey.store.compaction;

import io.drey.store.entry.DelegatingCursor;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.run.ReadSession;
import io.drey.store.run.RunView;
import io.drey.store.run.RunWriter;
import io.drey.store.run.TableCount;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Comparator;
import java.util.List;

/** Copies runs whose tables were numbered by another store. */
public final class RunRewriter {
    /** A task that is cancelled while it restores ends after so many at most. */
    private static final int ENTRIES_BETWEEN_LOOKS = 4096;

    private RunRewriter() {}

    /**
     * Adds all entries of views that are sorted and free of overlaps, as those of a level, in the order of their new
     * tables; a table with a negative new number is left out.
     */
    public static void rewrite(List<RunView> sources, int[] newTables, ReadSession session, RunWriter into)
            throws IOException {
        List<Integer> oldTables = sources.stream()
                .flatMap(view -> view.run().info().tables().stream())
                .map(TableCount::table)
                .distinct()
                .filter(table -> newTables[table] >= 0)
                .sorted(Comparator.comparingInt(table -> newTables[table]))
                .toList();
        for (int oldTable : oldTables) {
            long from = EntryKey.prefix(oldTable, 0, 0);
            for (RunView source : sources) {
                try (EntryCursor entries = source.range(from, from + (1L << 48), session)) {
                    if (entries != null) {
                        copy(new OtherTable(entries, newTables[oldTable]), into);
                    }
                }
            }
        }
    }

    private static void copy(EntryCursor entries, RunWriter into) throws IOException {
        for (long count = 1; entries.next(); count++) {
            into.add(entries);
            if (count % ENTRIES_BETWEEN_LOOKS == 0 && Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while a run of a parent was written anew");
            }
        }
    }

    /** The entries of a cursor, in another table. */
    private static final class OtherTable extends DelegatingCursor {
        private final int newTable;

        OtherTable(EntryCursor entries, int newTable) {
            super(entries);
            this.newTable = newTable;
        }

        @Override
        public int table() {
            return newTable;
        }
    }
}
