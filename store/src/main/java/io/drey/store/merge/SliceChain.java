package io.drey.store.merge;

import io.drey.store.entry.EntryCursor;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Slice;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Walks sorted slices without overlaps one after another; only the one it stands in takes memory. Asks again and again
 * whether the work was cancelled, and then ends it by an exception.
 */
final class SliceChain implements EntryCursor {
    /** Entries between two questions whether the work was cancelled. */
    private static final int CANCEL_INTERVAL = 256;

    private final List<Slice> slices;
    private final ReadSession session;
    private final BooleanSupplier cancelled;
    private int untilQuestion;
    private int opened;
    private EntryCursor current;

    SliceChain(List<Slice> slices, ReadSession session, BooleanSupplier cancelled) {
        this.slices = slices;
        this.session = session;
        this.cancelled = cancelled;
    }

    @Override
    public boolean next() {
        if (untilQuestion-- == 0) {
            untilQuestion = CANCEL_INTERVAL;
            if (cancelled.getAsBoolean()) {
                throw new CancellationException("the merge was cancelled");
            }
        }
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
