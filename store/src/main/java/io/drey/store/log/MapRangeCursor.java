package io.drey.store.log;

import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;

/** The entries of a {@link MapRange} with whole bodies, to be compacted with those of runs. */
final class MapRangeCursor implements EntryCursor {
    private final MapRange window;
    private final EntryKey key;
    private final Scratch body;
    private int position = -1;
    private int bodyLength;

    MapRangeCursor(MapRange window, EntryKey key, Arena arena, Overdraft overdraft) {
        this.window = window;
        this.key = key;
        this.body = new Scratch(arena, overdraft);
    }

    @Override
    public boolean next() {
        if (++position >= window.size()) {
            return false;
        }
        int rowLength = key.rowLength();
        int mapKeyLength = window.keyLength(position);
        bodyLength = rowLength + 1 + mapKeyLength;
        long address = body.reserve(bodyLength);
        Memory.copy(key.body(), 0, address, rowLength);
        Memory.putByte(address + rowLength, EntryKey.MAP_ENTRY);
        Memory.copy(window.keyAddress(position), address + rowLength + 1, mapKeyLength);
        return true;
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
        return bodyLength;
    }

    @Override
    public int rowLength() {
        return key.rowLength();
    }

    @Override
    public byte kind() {
        return window.kind(position);
    }

    @Override
    public long valueAddress() {
        return window.valueAddress(position);
    }

    @Override
    public int valueLength() {
        return window.valueLength(position);
    }

    @Override
    public void close() {
        body.close();
    }
}
