package io.drey.store.log;

import static io.drey.store.log.record.RecordLayout.COVERED;
import static io.drey.store.log.record.RecordLayout.DEATH;
import static io.drey.store.log.record.RecordLayout.ENTRY_ROW;
import static io.drey.store.log.record.RecordLayout.INLINE;
import static io.drey.store.log.record.RecordLayout.OLDER;
import static io.drey.store.log.record.RecordLayout.OLDER_SAME_EPOCH;
import static io.drey.store.log.record.RecordLayout.ROW;
import static io.drey.store.log.record.RecordLayout.ROW_KEY;

import io.drey.foundation.Arena;
import io.drey.foundation.DreyException;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockLayout;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.log.map.InlineMap;
import io.drey.store.log.record.LogPages;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.RecordNumbers;
import java.util.Arrays;

/**
 * The entries of a frozen epoch in the order of keys; list records of the epoch that append to each other are one. An
 * inline map is one thing to sort, and stands for those of its entries that changed in the epoch.
 */
final class FlushCursor implements EntryCursor {
    private final RecordNumbers numbers;
    private final SortBuffer sorted;
    private final Scratch body;
    private final Scratch value;
    private int[] chain = new int[16];
    private int position = -1;
    private long record;

    /** The slot after the entry's in an inline map, or none. */
    private int slot = InlineMap.NONE;

    private long bodyAddress;
    private int bodyLength;
    private long rowHash;
    private byte kind;
    private long valueAddress;
    private int valueLength;

    FlushCursor(FrozenEpoch frozen, Arena arena, Overdraft overdraft) {
        this.numbers = frozen.numbers();
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
                long prefix = EntryKey.prefix(RecordLayout.table(next), RecordLayout.keyGroup(next), rowHashOf(next));
                sorted.add(prefix, numbers.number(next));
            }
        }
    }

    private static boolean isFlushed(long record, int epoch) {
        if (RecordLayout.birth(record) != epoch
                || RecordLayout.kind(record) == ROW
                || RecordLayout.has(record, COVERED)) {
            return false;
        }
        int death = Memory.getInt(record + DEATH);
        return death == 0 || death > epoch;
    }

    private long address(int number) {
        return numbers.address(number);
    }

    private long rowHashOf(long any) {
        return EntryKey.rowHash(rowAddress(any), rowLengthOf(any));
    }

    /** The order of two records with equal prefixes: whole hash, then body. */
    private int compareKeys(int a, int b) {
        long x = address(a);
        long y = address(b);
        boolean xEntry = isOfMap(x);
        boolean yEntry = isOfMap(y);
        if (RecordLayout.isLinked(x)
                && RecordLayout.isLinked(y)
                && Memory.getInt(x + ENTRY_ROW) == Memory.getInt(y + ENTRY_ROW)) {
            return Memory.compare(
                    RecordLayout.keyAddress(x),
                    RecordLayout.keyLength(x),
                    RecordLayout.keyAddress(y),
                    RecordLayout.keyLength(y));
        }
        int byHash = Long.compareUnsigned(rowHashOf(x), rowHashOf(y));
        if (byHash != 0) {
            return byHash;
        }
        int byRow = Memory.compare(rowAddress(x), rowLengthOf(x), rowAddress(y), rowLengthOf(y));
        if (byRow != 0) {
            return byRow;
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

    /** Whether a record stands for entries of a map, not for the row's own one. */
    private static boolean isOfMap(long any) {
        return isInline(any) || RecordLayout.isLinked(any);
    }

    private static boolean isInline(long any) {
        return RecordLayout.kind(any) == INLINE;
    }

    private long rowAddress(long any) {
        return RecordLayout.isLinked(any)
                ? address(Memory.getInt(any + ENTRY_ROW)) + ROW_KEY
                : RecordLayout.keyAddress(any);
    }

    private int rowLengthOf(long any) {
        if (RecordLayout.isLinked(any)) {
            return RecordLayout.keyLength(address(Memory.getInt(any + ENTRY_ROW)));
        }
        return isInline(any) ? RecordLayout.keyLength(any) : RecordLayout.keyLength(any) - 1;
    }

    @Override
    public boolean next() {
        while (slot == InlineMap.NONE || !nextOfInline()) {
            if (++position >= sorted.size()) {
                return false;
            }
            record = address(sorted.record(position));
            rowHash = rowHashOf(record);
            if (isInline(record)) {
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
        if (RecordLayout.isLinked(record)) {
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

    /**
     * Goes on to the next entry of an inline map that changed in the epoch, from {@link #slot}; false if there is none.
     */
    private boolean nextOfInline() {
        for (int entries = InlineMap.entries(record); slot < entries; ) {
            long entry = InlineMap.entry(record, slot++);
            if ((InlineMap.flags(entry) & InlineMap.DIRTY) != 0) {
                kind = InlineMap.kind(entry);
                joinBody(InlineMap.keyAddress(entry), InlineMap.keyLength(entry));
                valueAddress = InlineMap.valueAddress(entry);
                valueLength = InlineMap.valueLength(entry);
                return true;
            }
        }
        slot = InlineMap.NONE;
        return false;
    }

    private void joinBody(long mapKey, int mapKeyLength) {
        int rowLength = rowLengthOf(record);
        bodyLength = rowLength + 1 + mapKeyLength;
        bodyAddress = body.reserve(bodyLength);
        Memory.copy(rowAddress(record), bodyAddress, rowLength);
        Memory.putByte(bodyAddress + rowLength, EntryKey.MAP_ENTRY);
        Memory.copy(mapKey, bodyAddress + rowLength + 1, mapKeyLength);
    }

    private void joinChain() {
        int count = 0;
        long length = 0;
        long next = record;
        while (true) {
            if (count == chain.length) {
                chain = Arrays.copyOf(chain, count * 2);
            }
            chain[count++] = numbers.number(next);
            length += RecordLayout.valueLength(next);
            if (!RecordLayout.has(next, OLDER_SAME_EPOCH)) {
                break;
            }
            next = address(Memory.getInt(next + OLDER));
        }
        kind = RecordLayout.kind(next);
        if (length > BlockLayout.RAW_BYTES_MAX) {
            throw new DreyException("expected lists of less than 2 GB, found one of " + length + " bytes in table "
                    + table() + ": spread it over more keys");
        }
        valueLength = (int) length;
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
    public long rowHash() {
        return rowHash;
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
    public int rowLength() {
        return rowLengthOf(record);
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
