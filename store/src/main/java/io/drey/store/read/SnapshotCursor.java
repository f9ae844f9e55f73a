package io.drey.store.read;

import io.drey.foundation.DreyException;
import io.drey.store.compaction.MergingCursor;
import io.drey.store.entry.DelegatingCursor;
import io.drey.store.run.ReadSession;
import io.drey.store.run.RunView;
import io.drey.store.version.StoreFiles;
import io.drey.store.version.Version;

/**
 * Scans a table, or a key group of one, of a pinned version with memory of its own, for which it can wait; ends when
 * the store closes.
 */
public final class SnapshotCursor extends DelegatingCursor {
    private static final int READ_AHEAD_BYTES = 64 << 10;

    private final StoreFiles files;
    private final ReadSession session;
    private boolean closed;

    /** Scans some key groups of a table, the last one too. */
    public SnapshotCursor(StoreFiles files, Version version, int table, int first, int last) {
        this(
                files,
                version,
                table,
                first,
                last,
                new MergingCursor(files.memory().waiting()));
    }

    private SnapshotCursor(
            StoreFiles files, Version version, int table, int first, int last, MergingCursor compacting) {
        super(compacting);
        this.files = files;
        session = ReadSession.scan(
                files.memory().waiting(),
                Math.min(READ_AHEAD_BYTES, files.options().bufferBytes()));
        files.refs().beginScan();
        boolean begun = false;
        try {
            compacting.begin(true);
            for (RunView view : version.views().toList()) {
                compacting.addOlder(view.keyGroups(table, first, last, session));
            }
            begun = true;
        } finally {
            if (!begun) {
                close();
            }
        }
    }

    @Override
    public boolean next() {
        if (files.refs().isClosed()) {
            throw new DreyException(
                    "expected the store to stay open during a scan, found it closed: the task has ended");
        }
        return super.next();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            super.close();
            session.close();
            files.refs().endScan();
        }
    }
}
