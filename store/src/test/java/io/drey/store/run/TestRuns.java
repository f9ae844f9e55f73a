package io.drey.store.run;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.file.FileId;
import io.drey.store.file.FileIds;
import io.drey.store.value.SeparatingCursor;
import io.drey.store.value.ValueCompressor;
import io.drey.store.value.ValueLogSet;
import io.drey.store.value.ValueLogs;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.NavigableMap;

/** Runs in memory, and the memory that they and their readers use; closing finds what was not given back. */
public final class TestRuns implements AutoCloseable {
    /** Blocks are kept as they are stored, but no read is expensive. */
    static final ReadThresholds NEVER_SLOW = ReadThresholds.of(0, Long.MAX_VALUE, 0, System::nanoTime);

    public final MemoryDirectory directory = new MemoryDirectory();
    private final Arena arena;
    private final Overdraft overdraft = new Overdraft(1L << 32);
    private final RunMemory memory;
    private final ValueLogs logs;
    private int files;

    public TestRuns(long arenaBytes, int pageBytes) {
        arena = new Arena(arenaBytes, pageBytes);
        memory = new RunMemory(arena, overdraft);
        logs = new ValueLogs(directory, arena, overdraft);
    }

    public TestRuns() {
        this(4 << 20, 1024);
    }

    public RunMemory memory() {
        return memory;
    }

    /** The value logs in the directory. */
    public ValueLogs logs() {
        return logs;
    }

    /** Small value logs to write. */
    public ValueLogSet newLogs() {
        return new ValueLogSet(directory, FileIds.RANDOM, new ValueLogSet.Sizes(100, 1000, 256), arena, overdraft);
    }

    public Arena arena() {
        return arena;
    }

    public String newName() {
        return "run-" + files++;
    }

    /** Writes a run of entries in order and opens it. */
    public Run write(Collection<TestEntry> entries, RunOptions options) throws IOException {
        return write(new TestCursor(entries), options);
    }

    /** The same, with values compressed by themselves where that is worth it. */
    Run writeCompressed(Collection<TestEntry> entries, RunOptions options) throws IOException {
        try (ValueCompressor compressor = compressor(options)) {
            return write(compressed(new TestCursor(entries), compressor), options);
        }
    }

    ValueCompressor compressor(RunOptions options) {
        boolean[] tables = new boolean[EntryKey.TABLES_MAX];
        Arrays.fill(tables, true);
        return new ValueCompressor(tables, options.blockBytes(), arena, overdraft);
    }

    static EntryCursor compressed(EntryCursor entries, ValueCompressor compressor) {
        return new SeparatingCursor(entries, new NothingSeparated(), null, null, compressor);
    }

    private record NothingSeparated() implements SeparatingCursor.Rule {
        @Override
        public boolean separates(EntryCursor entry) {
            return false;
        }

        @Override
        public long valueAddress() {
            throw new IllegalStateException();
        }

        @Override
        public int valueLength() {
            throw new IllegalStateException();
        }
    }

    private Run write(EntryCursor entries, RunOptions options) throws IOException {
        String name = newName();
        RunWriter writer = new RunWriter(directory.create(name), FileId.random(), options, memory);
        try (EntryCursor cursor = entries) {
            while (cursor.next()) {
                writer.add(cursor);
            }
        }
        RunInfo info = writer.finish();
        Run run = Run.open(directory.open(name), memory, logs);
        if (!run.info().equals(info)) {
            throw new AssertionError("expected " + info + ", found " + run.info());
        }
        return run;
    }

    /** The value that a session found last. */
    public static byte[] value(ReadSession session) {
        byte[] value = new byte[session.valueLength()];
        Memory.copy(session.valueAddress(), value, 0, value.length);
        return value;
    }

    /** Points a key at an address. */
    public static EntryKey key(TestEntry.Address address) {
        byte[] body = address.body();
        int keyLength = body[0] & 0xff;
        int nsLength = body[1 + keyLength] & 0xff;
        if (keyLength > 127 || nsLength > 127) {
            throw new IllegalArgumentException("expected keys and namespaces of at most 127 bytes");
        }
        byte[] key = Arrays.copyOfRange(body, 1, 1 + keyLength);
        byte[] namespace = Arrays.copyOfRange(body, 2 + keyLength, 2 + keyLength + nsLength);
        byte[] mapKey = address.isMapEntry() ? Arrays.copyOfRange(body, address.rowLength() + 1, body.length) : null;
        return TestEntry.key(address.table(), address.keyGroup(), key, namespace, mapKey);
    }

    /** The entries of a row. */
    public static Collection<TestEntry> row(
            NavigableMap<TestEntry.Address, TestEntry> entries, TestEntry.Address address) {
        TestEntry.Address own = address.row();
        byte[] end = Arrays.copyOf(own.body(), own.body().length);
        end[own.rowLength()] = 2;
        TestEntry.Address behind = new TestEntry.Address(own.table(), own.keyGroup(), own.hash(), end, own.rowLength());
        return entries.subMap(own, true, behind, false).values();
    }

    @Override
    public void close() {
        arena.close();
        if (overdraft.bytes() != 0) {
            throw new IllegalStateException("expected all borrowed memory back, found " + overdraft.bytes());
        }
        if (directory.openFiles() != 0) {
            throw new IllegalStateException("expected all files closed, found " + directory.openFiles() + " open");
        }
    }
}
