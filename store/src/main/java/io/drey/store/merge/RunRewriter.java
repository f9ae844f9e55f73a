package io.drey.store.merge;

import io.drey.store.run.ReadSession;
import io.drey.store.run.RunWriter;
import io.drey.store.run.Slice;
import java.io.IOException;

/** Copies a run whose tables were numbered by another store. */
public final class RunRewriter {
    private RunRewriter() {}

    /** Adds all entries of the slice, in the order of their new tables; a table with a negative new number is left out. */
    public static void rewrite(Slice source, int[] newTables, ReadSession session, RunWriter into) throws IOException {
        throw new UnsupportedOperationException();
    }
}
