package io.drey.store;

import io.drey.foundation.DreyException;
import io.drey.store.entry.EntryCursor;
import io.drey.store.merge.MergingCursor;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Slice;
import io.drey.store.version.Version;

/** Scans one table and key group of a pinned version with memory of its own, and ends when the store closes. */
final class SnapshotCursor implements EntryCursor {
    private static final int READ_AHEAD_BYTES = 64 << 10;

    private final StoreFiles files;
    private final ReadSession session;
    private final MergingCursor merging;
    private boolean closed;

    SnapshotCursor(StoreFiles files, Version version, int table, int keyGroup) {
        this.files = files;
        files.pins().beginScan();
        session = ReadSession.scan(
                files.memory(), Math.min(READ_AHEAD_BYTES, files.options().bufferBytes()));
        merging = new MergingCursor(files.memory());
        boolean begun = false;
        try {
            merging.begin(true);
            for (Slice slice : Runs.slices(version)) {
                merging.addOlder(slice.keyGroup(table, keyGroup, session));
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
        if (files.pins().isClosed()) {
            throw new DreyException(
                    "expected the store to stay open during a scan, found it closed: the task has ended");
        }
        return merging.next();
    }

    @Override
    public int table() {
        return merging.table();
    }

    @Override
    public int keyGroup() {
        return merging.keyGroup();
    }

    @Override
    public long groupHash() {
        return merging.groupHash();
    }

    @Override
    public long bodyAddress() {
        return merging.bodyAddress();
    }

    @Override
    public int bodyLength() {
        return merging.bodyLength();
    }

    @Override
    public int groupLength() {
        return merging.groupLength();
    }

    @Override
    public byte kind() {
        return merging.kind();
    }

    @Override
    public long valueAddress() {
        return merging.valueAddress();
    }

    @Override
    public int valueLength() {
        return merging.valueLength();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            merging.close();
            session.close();
            files.pins().endScan();
        }
    }
}
