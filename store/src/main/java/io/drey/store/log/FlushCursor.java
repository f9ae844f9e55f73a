package io.drey.store.log;

import static io.drey.store.log.RecordLayout.COVERED;
import static io.drey.store.log.RecordLayout.DEATH;
import static io.drey.store.log.RecordLayout.ENTRY_GROUP;
import static io.drey.store.log.RecordLayout.GROUP;
import static io.drey.store.log.RecordLayout.GROUP_KEY;
import static io.drey.store.log.RecordLayout.OLDER;
import static io.drey.store.log.RecordLayout.OLDER_SAME_EPOCH;
import static io.drey.store.log.RecordLayout.PACKED;

import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import java.util.Arrays;

/**
 * The entries of a frozen epoch in the order of keys; list records of the epoch that append to each other are one. A packed
 * map is one thing to sort, and stands for those of its entries that changed in the epoch.
 */
final class FlushCursor implements EntryCursor {
    private final long base;
    private final SortBuffer sorted;
    private final Scratch body;
    private final Scratch value;
    private int[] chain = new int[16];
    private int position = -1;
    private long record;

    /** The slot after the entry's in a packed map, or none. */
    private int slot = PackedGroup.NONE;

    private long bodyAddress;
    private int bodyLength;
    private long groupHash;
    private byte kind;
    private long valueAddress;
    private int valueLength;

    FlushCursor(FrozenEpoch frozen, Arena arena, Overdraft overdraft) {
        this.base = frozen.base();
        this.sorted = new SortBuffer(arena, overdraft, this::compareKeys);
        this.body = new Scratch(arena, overdraft);
        this.value = new Scratch(arena, overdraft);
        boolean done = false;
        try {
            for (int i = 0; i < frozen.pages(); i++) {
                collect(frozen.page(i), frozen.end(i), frozen.epoch());
            }
            sorted.sort();
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private void collect(long page, long end, int epoch) {
        for (long next = page + LogPages.HEADER; next < end; next += RecordLayout.bytes(next)) {
            if (isFlushed(next, epoch)) {
                long prefix = EntryKey.prefix(RecordLayout.table(next), RecordLayout.keyGroup(next), groupHashOf(next));
                sorted.add(prefix, (int) ((next - base) / RecordLayout.UNIT));
            }
        }
    }

    private static boolean isFlushed(long record, int epoch) {
        if (RecordLayout.birth(record) != epoch
                || RecordLayout.kind(record) == GROUP
                || RecordLayout.has(record, COVERED)) {
            return false;
        }
        int death = Memory.getInt(record + DEATH);
        return death == 0 || death > epoch;
    }

    private long address(int number) {
        return base + (number & 0xffffffffL) * RecordLayout.UNIT;
    }

    private long groupHashOf(long any) {
        return EntryKey.groupHash(groupAddress(any), groupLengthOf(any));
    }

    /** The order of two records with equal prefixes: whole hash, then body. */
    private int compareKeys(int a, int b) {
        long x = address(a);
        long y = address(b);
        boolean xEntry = isOfMap(x);
        boolean yEntry = isOfMap(y);
        if (RecordLayout.isSpread(x)
                && RecordLayout.isSpread(y)
                && Memory.getInt(x + ENTRY_GROUP) == Memory.getInt(y + ENTRY_GROUP)) {
            return Memory.compare(
                    RecordLayout.keyAddress(x),
                    RecordLayout.keyLength(x),
                    RecordLayout.keyAddress(y),
                    RecordLayout.keyLength(y));
        }
        int byHash = Long.compareUnsigned(groupHashOf(x), groupHashOf(y));
        if (byHash != 0) {
            return byHash;
        }
        int byGroup = Memory.compare(groupAddress(x), groupLengthOf(x), groupAddress(y), groupLengthOf(y));
        if (byGroup != 0) {
            return byGroup;
        }
        if (xEntry != yEntry) {
            return xEntry ? 1 : -1;
        }
        return Memory.compare(
                RecordLayout.keyAddress(x),
                RecordLayout.keyLength(x),
                RecordLayout.keyAddress(y),
                RecordLayout.keyLength(y));
    }

    /** Whether a record stands for entries of a map, not for the group's own one. */
    private static boolean isOfMap(long any) {
        return isPacked(any) || RecordLayout.isSpread(any);
    }

    private static boolean isPacked(long any) {
        return RecordLayout.kind(any) == PACKED;
    }

    private long groupAddress(long any) {
        return RecordLayout.isSpread(any)
                ? address(Memory.getInt(any + ENTRY_GROUP)) + GROUP_KEY
                : RecordLayout.keyAddress(any);
    }

    private int groupLengthOf(long any) {
        if (RecordLayout.isSpread(any)) {
            return RecordLayout.keyLength(address(Memory.getInt(any + ENTRY_GROUP)));
        }
        return isPacked(any) ? RecordLayout.keyLength(any) : RecordLayout.keyLength(any) - 1;
    }

    @Override
    public boolean next() {
        while (slot == PackedGroup.NONE || !nextOfPacked()) {
            if (++position >= sorted.size()) {
                return false;
            }
            record = address(sorted.record(position));
            groupHash = groupHashOf(record);
            if (isPacked(record)) {
                slot = 0;
            } else {
                readRecord();
                return true;
            }
        }
        return true;
    }

    private void readRecord() {
        kind = RecordLayout.kind(record);
        if (RecordLayout.isSpread(record)) {
            joinBody(RecordLayout.keyAddress(record), RecordLayout.keyLength(record));
        } else {
            bodyAddress = RecordLayout.keyAddress(record);
            bodyLength = RecordLayout.keyLength(record);
        }
        if (RecordLayout.has(record, OLDER_SAME_EPOCH)) {
            joinChain();
        } else {
            valueAddress = RecordLayout.valueAddress(record);
            valueLength = RecordLayout.valueLength(record);
        }
    }

    /** Goes on to the next entry of a packed map that changed in the epoch, from {@link #slot}; false if there is none. */
    private boolean nextOfPacked() {
        for (int entries = PackedGroup.entries(record); slot < entries; ) {
            long entry = PackedGroup.entry(record, slot++);
            if ((PackedGroup.flags(entry) & PackedGroup.DIRTY) != 0) {
                kind = PackedGroup.kind(entry);
                joinBody(PackedGroup.keyAddress(entry), PackedGroup.keyLength(entry));
                valueAddress = PackedGroup.valueAddress(entry);
                valueLength = PackedGroup.valueLength(entry);
                return true;
            }
        }
        slot = PackedGroup.NONE;
        return false;
    }

    private void joinBody(long mapKey, int mapKeyLength) {
        int groupLength = groupLengthOf(record);
        bodyLength = groupLength + 1 + mapKeyLength;
        bodyAddress = body.reserve(bodyLength);
        Memory.copy(groupAddress(record), bodyAddress, groupLength);
        Memory.putByte(bodyAddress + groupLength, EntryKey.MAP_ENTRY);
        Memory.copy(mapKey, bodyAddress + groupLength + 1, mapKeyLength);
    }

    private void joinChain() {
        int count = 0;
        long length = 0;
        long next = record;
        while (true) {
            if (count == chain.length) {
                chain = Arrays.copyOf(chain, count * 2);
            }
            chain[count++] = (int) ((next - base) / RecordLayout.UNIT);
            length += RecordLayout.valueLength(next);
            if (!RecordLayout.has(next, OLDER_SAME_EPOCH)) {
                break;
            }
            next = address(Memory.getInt(next + OLDER));
        }
        kind = RecordLayout.kind(next);
        valueLength = Math.toIntExact(length);
        valueAddress = value.reserve(valueLength);
        long to = valueAddress;
        for (int i = count - 1; i >= 0; i--) {
            long part = address(chain[i]);
            Memory.copy(RecordLayout.valueAddress(part), to, RecordLayout.valueLength(part));
            to += RecordLayout.valueLength(part);
        }
    }

    @Override
    public int table() {
        return RecordLayout.table(record);
    }

    @Override
    public int keyGroup() {
        return RecordLayout.keyGroup(record);
    }

    @Override
    public long groupHash() {
        return groupHash;
    }

    @Override
    public long bodyAddress() {
        return bodyAddress;
    }

    @Override
    public int bodyLength() {
        return bodyLength;
    }

    @Override
    public int groupLength() {
        return groupLengthOf(record);
    }

    @Override
    public byte kind() {
        return kind;
    }

    @Override
    public long valueAddress() {
        return valueAddress;
    }

    @Override
    public int valueLength() {
        return valueLength;
    }

    @Override
    public void close() {
        sorted.close();
        body.close();
        value.close();
    }
}
