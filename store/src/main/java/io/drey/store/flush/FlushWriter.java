package io.drey.store.flush;

import io.drey.files.IoCounts;
import io.drey.files.WritableFile;
import io.drey.foundation.Cleanup;
import io.drey.foundation.Scratch;
import io.drey.store.compaction.ExpiringCursor;
import io.drey.store.entry.EntryCursor;
import io.drey.store.run.Run;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunWriter;
import io.drey.store.stats.Counters;
import io.drey.store.tuning.ValuePlacement;
import io.drey.store.value.SeparatingCursor;
import io.drey.store.value.ValueCompressor;
import io.drey.store.value.ValueLogSet;
import io.drey.store.version.StoreFiles;
import java.io.IOException;

/**
 * Writes entries that leave memory: their large values into value logs, the rest into a run, some of the values
 * compressed by themselves. One thread at a time. Goes by {@link #begin}, {@link #step} until it returns false, {@link
 * #finish}; after any failure {@link #discard}.
 */
public final class FlushWriter {
    /** What an entry costs beside its bytes, in bytes. */
    private static final int ENTRY_COST_BYTES = 16;

    private final StoreFiles files;
    private final RunMemory memory;
    private final ValuePlacement.Places places;
    private final IoCounts io;
    private final RunOptions options;
    private final ValueLogSet logs;
    private final Scratch pointer;
    private final ValueCompressor compressor;
    private String name;
    private WritableFile file;
    private RunWriter writer;
    private ExpiringCursor alive;
    private EntryCursor entries;
    private long runBytes;

    /**
     * A build that has not begun.
     *
     * @param options of the run
     * @param places where values go
     * @param io where writes are counted
     * @param memory to write with
     */
    public FlushWriter(
            StoreFiles files, RunOptions options, ValuePlacement.Places places, IoCounts io, RunMemory memory) {
        this.files = files;
        this.memory = memory;
        this.options = options;
        this.places = places;
        this.io = io;
        this.logs = files.newLogs(memory);
        this.pointer = new Scratch(memory.arena(), memory.overdraft());
        this.compressor =
                new ValueCompressor(places.compressed(), options.blockBytes(), memory.arena(), memory.overdraft());
    }

    /** All of it at once: takes over the entries, and leaves nothing behind if it fails. */
    public Run write(EntryCursor from) throws IOException {
        try {
            begin(from);
            boolean more = true;
            while (more) {
                more = step(Integer.MAX_VALUE);
            }
            return finish();
        } catch (IOException | RuntimeException | Error e) {
            discard(e);
            throw e;
        }
    }

    /** Takes over the entries. */
    public void begin(EntryCursor from) throws IOException {
        alive = new ExpiringCursor(from, files.expiries(), false);
        entries = new SeparatingCursor(alive, new LargeValues(places), logs, pointer, compressor);
        String newName = files.newName();
        file = files.directory().create(newName);
        name = newName;
        writer = new RunWriter(file, files.newId(), options, memory);
    }

    /** Writes about so many bytes; false when all is written. */
    public boolean step(int bytes) throws IOException {
        long before = logs.bytes();
        for (long left = bytes; left > 0; ) {
            if (!entries.next()) {
                return false;
            }
            if (files.lists().isLarge(entries.valueLength())) {
                files.lists().seen(entries);
            }
            writer.add(entries);
            left -= ENTRY_COST_BYTES + entries.bodyLength() + entries.valueLength() + logs.bytes() - before;
            before = logs.bytes();
        }
        runBytes = writer.bytes();
        return true;
    }

    /** The run, opened. */
    public Run finish() throws IOException {
        release();
        logs.finish();
        logs.close();
        runBytes = writer.finish().bytes();
        Run run = files.open(name);
        name = null;
        count();
        return run;
    }

    /** Bytes written so far, to the run and to value logs. */
    long bytes() {
        return runBytes + logs.bytes();
    }

    private void count() {
        Counters counters = files.counters();
        counters.runBytesFlushed.addAndGet(runBytes);
        counters.entriesExpired.addAndGet(alive.expired());
        io.wrote(writer.writes() + logs.writes(), runBytes + logs.bytes());
        counters.valuesSeparated.addAndGet(logs.values());
        counters.valuesCompressed.addAndGet(compressor.count());
        logs.tell(files.placement()::separated);
    }

    private void release() {
        if (entries != null) {
            entries.close();
            entries = null;
        }
        pointer.close();
        compressor.close();
    }

    /** Leaves nothing behind; what fails on the way is told with the cause. */
    public void discard(Throwable cause) {
        Cleanup.attempt(this::release, cause);
        if (name != null) {
            Cleanup.attempt(() -> files.discard(name, writer, file), cause);
        }
        logs.discard(cause);
    }
}
