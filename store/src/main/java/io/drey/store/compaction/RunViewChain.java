package io.drey.store.compaction;

import io.drey.store.entry.EntryCursor;
import io.drey.store.run.ReadSession;
import io.drey.store.run.RunView;
import java.util.List;

/** Walks sorted views without overlaps one after another; only the one it stands in takes memory. */
final class RunViewChain implements EntryCursor {
    private final List<RunView> views;
    private final ReadSession session;
    private int opened;
    private EntryCursor current;

    RunViewChain(List<RunView> views, ReadSession session) {
        this.views = views;
        this.session = session;
    }

    @Override
    public boolean next() {
        while (current == null || !current.next()) {
            close();
            if (opened == views.size()) {
                return false;
            }
            current = views.get(opened++).range(0, RunView.NO_END, session);
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
    public long rowHash() {
        return current.rowHash();
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
    public int rowLength() {
        return current.rowLength();
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
    public void letGo() {
        if (current != null) {
            current.letGo();
        }
    }

    @Override
    public void close() {
        if (current != null) {
            current.close();
            current = null;
        }
    }
}
