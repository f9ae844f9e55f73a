package io.drey.flink.state.changelog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.StateChange;
import org.apache.flink.util.CloseableIterator;

/**
 * The changes that a handle stands for, in their order; see {@link ChangelogSection}. Those of other key groups are left
 * out: after a change of parallelism several handles have the same sections, and each has its own key groups. One thread.
 */
final class ChangelogReader implements CloseableIterator<StateChange> {
    private static final int VARINT_SHIFT_MAX = 28;

    private final ChangelogBlocks blocks;
    private final KeyGroupRange keyGroups;

    /** Read already, or null. */
    private StateChange next;

    ChangelogReader(ChangelogStateHandleStreamImpl handle) {
        this.blocks = new ChangelogBlocks(handle.getHandlesAndOffsets());
        this.keyGroups = handle.getKeyGroupRange();
    }

    @Override
    public boolean hasNext() {
        try {
            while (next == null && blocks.hasMore()) {
                next = read();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return next != null;
    }

    @Override
    public StateChange next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the changelog has no more changes");
        }
        StateChange change = next;
        next = null;
        return change;
    }

    /** The next change, or null if it is of other key groups. */
    private StateChange read() throws IOException {
        int keyGroup = varint() - 1;
        int length = varint();
        if (keyGroup < StateChange.META_KEY_GROUP || length < 0) {
            throw blocks.damaged("a change of a key group", length + " bytes of key group " + keyGroup);
        }
        if (keyGroup == StateChange.META_KEY_GROUP) {
            return StateChange.ofMetadataChange(blocks.read(length));
        }
        if (keyGroups.contains(keyGroup)) {
            return StateChange.ofDataChange(keyGroup, blocks.read(length));
        }
        blocks.skip(length);
        return null;
    }

    private int varint() throws IOException {
        int value = 0;
        for (int shift = 0; shift <= VARINT_SHIFT_MAX; shift += 7) {
            int part = blocks.read();
            value |= (part & 0x7f) << shift;
            if (part < 0x80) {
                return value;
            }
        }
        throw blocks.damaged("a number of at most 5 bytes", "a longer one");
    }

    @Override
    public void close() throws IOException {
        blocks.close();
    }
}
