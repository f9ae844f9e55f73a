package io.drey.store.flush;

import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.run.RunMemory;

/** One entry as a cursor: a value too large for the log on its way into a run of its own. */
public final class SingleCursor implements EntryCursor {
    private final EntryKey key;
    private final byte kind;
    private final int valueLength;
    private final Scratch body;
    private final Scratch value;
    private boolean started;

    public SingleCursor(EntryKey key, byte kind, byte[] bytes, int offset, int length, RunMemory memory) {
        this.key = key;
        this.kind = kind;
        this.valueLength = length;
        this.body = new Scratch(memory.arena(), memory.overdraft());
        this.value = new Scratch(memory.arena(), memory.overdraft());
        boolean filled = false;
        try {
            Memory.copy(key.body(), 0, body.reserve(key.bodyLength()), key.bodyLength());
            Memory.copy(bytes, offset, value.reserve(length), length);
            filled = true;
        } finally {
            if (!filled) {
                close();
            }
        }
    }

    @Override
    public boolean next() {
        boolean first = !started;
        started = true;
        return first;
    }

    @Override
    public int table() {
        return key.table();
    }

    @Override
    public int keyGroup() {
        return key.keyGroup();
    }

    @Override
    public long rowHash() {
        return key.rowHash();
    }

    @Override
    public long bodyAddress() {
        return body.address();
    }

    @Override
    public int bodyLength() {
        return key.bodyLength();
    }

    @Override
    public int rowLength() {
        return key.rowLength();
    }

    @Override
    public byte kind() {
        return kind;
    }

    @Override
    public long valueAddress() {
        return value.address();
    }

    @Override
    public int valueLength() {
        return valueLength;
    }

    @Override
    public void close() {
        body.close();
        value.close();
    }
}
