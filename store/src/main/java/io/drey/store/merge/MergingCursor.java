package io.drey.store.merge;

import io.drey.store.entry.EntryCursor;
import io.drey.store.run.RunMemory;

/**
 * One cursor over many, in order, each key once: what the younger inputs leave of the older ones. Reusable:
 * {@link #begin}, {@link #addOlder} for each input, {@link #next} until done, {@link #close}, which closes the inputs.
 */
public final class MergingCursor implements EntryCursor {
    public MergingCursor(RunMemory memory) {
        throw new UnsupportedOperationException();
    }

    /** Starts anew, without inputs. At the bottom nothing older is below: tombstones are dropped, appends are values. */
    public void begin(boolean bottom) {
        throw new UnsupportedOperationException();
    }

    /** Takes over an input that is older than all inputs so far; null is an input without entries. */
    public void addOlder(EntryCursor input) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean next() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int table() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int keyGroup() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long groupHash() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long bodyAddress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int bodyLength() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int groupLength() {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte kind() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long valueAddress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int valueLength() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
