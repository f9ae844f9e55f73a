package io.drey.store.run;

import io.drey.files.WritableFile;
import io.drey.store.entry.EntryCursor;
import java.io.IOException;

/** Writes a run from entries in order. One thread. Ends with {@link #finish} or {@link #abort}. */
public final class RunWriter {
    public RunWriter(WritableFile file, FileId id, RunOptions options, RunMemory memory) {
        throw new UnsupportedOperationException();
    }

    /** Adds the entry that the cursor stands on; it must come after the one added before. */
    public void add(EntryCursor current) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Bytes that the file would have at least if it ended here. */
    public long bytes() {
        throw new UnsupportedOperationException();
    }

    public long entries() {
        throw new UnsupportedOperationException();
    }

    /** Writes the rest, closes the file without syncing it and gives back all memory. */
    public RunInfo finish() throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Closes the file and gives back all memory; deleting the file is the caller's. Does nothing after {@link #finish}. */
    public void abort() {
        throw new UnsupportedOperationException();
    }
}
