package io.drey.store.log.record;

import io.drey.store.entry.EntryKey;

/** The log's questions about the installed runs below it. An answer is wrong only in saying yes too often. */
public interface LowerLevels {
    /** Whether a run may hold the addressed entry, or a tombstone of it or of its row. */
    boolean mayHold(EntryKey key);

    /** Whether a run may hold anything of the key's row. */
    boolean mayHoldRow(EntryKey key);

    /** Bytes that the state takes there, about. */
    long bytes();
}
