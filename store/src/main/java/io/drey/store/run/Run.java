package io.drey.store.run;

import io.drey.files.ReadableFile;

/**
 * An opened run: its file, its resident index and what its footer says. Immutable, for any number of threads, each with
 * a {@link ReadSession}. Counted: it is closed when {@link #close} was called once for {@link #open} and once for each
 * {@link #retain}.
 */
public final class Run implements AutoCloseable {
    private Run() {}

    /** Opens a finished run and takes over the file, also when it throws. */
    public static Run open(ReadableFile file, RunMemory memory) {
        throw new UnsupportedOperationException();
    }

    public RunInfo info() {
        throw new UnsupportedOperationException();
    }

    /** A number that no other opened run of this process ever has. */
    public long number() {
        throw new UnsupportedOperationException();
    }

    public Run retain() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
