package io.drey.store.compaction;

import io.drey.store.entry.EntryCursor;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Slice;
import java.util.List;

/** Walks sorted slices without overlaps one after another; only the one it stands in takes memory. */
final class SliceChain implements EntryCursor {
    private final List<Slice> slices;
    private final ReadSession session;
    private int opened;
    private EntryCursor current;

    SliceChain(List<Slice> slices, ReadSession session) {
        this.slices = slices;
        this.session = session;
    }

    @Override
    public boolean next() {
        while (current == null || !current.next()) {
            close();
            if (opened == slices.size()) {
                return false;
            }
            current = slices.get(opened++).range(0, Slice.NO_END, session);
        }
        return true;
    }

    @Override
    public int table() {
        return current.table();
    }

    @Override
    public int keyGroup() {
        return current.keyGroup();
    }

    @Override
    public long groupHash() {
        return current.groupHash();
    }

    @Override
    public long bodyAddress() {
        return current.bodyAddress();
    }

    @Override
    public int bodyLength() {
        return current.bodyLength();
    }

    @Override
    public int groupLength() {
        return current.groupLength();
    }

    @Override
    public byte kind() {
        return current.kind();
    }

    @Override
    public long valueAddress() {
        return current.valueAddress();
    }

    @Override
    public int valueLength() {
        return current.valueLength();
    }

    @Override
    public void close() {
        if (current != null) {
            current.close();
            current = null;
        }
    }
}
