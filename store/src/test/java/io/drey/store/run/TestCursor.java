package io.drey.store.run;

import io.drey.foundation.Memory;
import io.drey.store.entry.EntryCursor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/** A cursor over entries on the heap, and the entries of a cursor. */
public final class TestCursor implements EntryCursor {
    private final Iterator<TestEntry> entries;
    private TestEntry current;
    private long memory;
    private long bytes;

    public TestCursor(Collection<TestEntry> entries) {
        this.entries = entries.iterator();
    }

    /** The entry that a cursor stands on. */
    public static TestEntry entry(EntryCursor cursor) {
        byte[] body = new byte[cursor.bodyLength()];
        Memory.copy(cursor.bodyAddress(), body, 0, body.length);
        byte[] value = new byte[cursor.valueLength()];
        Memory.copy(cursor.valueAddress(), value, 0, value.length);
        TestEntry.Address address =
                new TestEntry.Address(cursor.table(), cursor.keyGroup(), cursor.rowHash(), body, cursor.rowLength());
        return new TestEntry(address, cursor.kind(), value);
    }

    /** All entries that are left, and closes; null has none. */
    public static List<TestEntry> drain(EntryCursor cursor) {
        List<TestEntry> entries = new ArrayList<>();
        if (cursor != null) {
            try (cursor) {
                while (cursor.next()) {
                    entries.add(entry(cursor));
                }
            }
        }
        return entries;
    }

    @Override
    public boolean next() {
        close();
        if (!entries.hasNext()) {
            return false;
        }
        current = entries.next();
        bytes = (long) current.address().body().length + current.value().length;
        memory = Memory.allocate(bytes);
        Memory.copy(current.address().body(), 0, memory, bodyLength());
        Memory.copy(current.value(), 0, memory + bodyLength(), valueLength());
        return true;
    }

    @Override
    public int table() {
        return current.address().table();
    }

    @Override
    public int keyGroup() {
        return current.address().keyGroup();
    }

    @Override
    public long rowHash() {
        return current.address().hash();
    }

    @Override
    public long bodyAddress() {
        return memory;
    }

    @Override
    public int bodyLength() {
        return current.address().body().length;
    }

    @Override
    public int rowLength() {
        return current.address().rowLength();
    }

    @Override
    public byte kind() {
        return current.kind();
    }

    @Override
    public long valueAddress() {
        return memory + bodyLength();
    }

    @Override
    public int valueLength() {
        return current.value().length;
    }

    @Override
    public void close() {
        if (memory != 0) {
            Memory.free(memory, bytes);
            memory = 0;
        }
    }
}
