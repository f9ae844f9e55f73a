package io.drey.store.log.map;

import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;

/** The entries of a {@link MapRange} with whole bodies, to be compacted with those of runs. */
public final class MapRangeCursor implements EntryCursor {
    private final MapRange range;
    private final EntryKey key;
    private final Scratch body;
    private int position = -1;
    private int bodyLength;

    public MapRangeCursor(MapRange range, EntryKey key, Arena arena, Overdraft overdraft) {
        this.range = range;
        this.key = key;
        this.body = new Scratch(arena, overdraft);
    }

    @Override
    public boolean next() {
        if (++position >= range.size()) {
            return false;
        }
        int rowLength = key.rowLength();
        int mapKeyLength = range.keyLength(position);
        bodyLength = rowLength + 1 + mapKeyLength;
        long address = body.reserve(bodyLength);
        Memory.copy(key.body(), 0, address, rowLength);
        Memory.putByte(address + rowLength, EntryKey.MAP_ENTRY);
        Memory.copy(range.keyAddress(position), address + rowLength + 1, mapKeyLength);
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
        return range.kind(position);
    }

    @Override
    public long valueAddress() {
        return range.valueAddress(position);
    }

    @Override
    public int valueLength() {
        return range.valueLength(position);
    }

    @Override
    public void close() {
        body.close();
    }
}
