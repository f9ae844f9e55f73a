package io.drey.store.value;

import io.drey.files.Directory;
import io.drey.foundation.Arena;
import io.drey.foundation.Cleanup;
import io.drey.foundation.Overdraft;
import io.drey.store.block.BlockCompressor;
import io.drey.store.block.Compression;
import io.drey.store.file.FileId;
import io.drey.store.file.FileIds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The value logs that one job writes, one after another. A table gets a new one unless that of the table before it is
 * still small, so that tables with little to separate share one.
 *
 * <p>One thread. Ends with {@link #finish}; after that, or after any failure, {@link #discard} deletes all of it.
 */
public final class ValueLogSet implements AutoCloseable {
    /**
     * The sizes of logs.
     *
     * @param bytesMin a log smaller than this is shared with the next table
     * @param bytesMax size at which a log is finished and another one begun
     * @param bufferBytes bytes that are written at once
     */
    public record Sizes(long bytesMin, long bytesMax, int bufferBytes) {}

    private final Directory directory;
    private final FileIds ids;
    private final Sizes sizes;
    private final Arena arena;
    private final Overdraft overdraft;
    private final BlockCompressor compressor;
    private final List<FileId> made = new ArrayList<>();

    /** The log that is being written, or null. */
    private ValueLogWriter open;

    private int lastTable = -1;
    private long values;
    private long[] valuesByTable = new long[8];
    private long bytes;
    private long writes;

    public ValueLogSet(Directory directory, FileIds ids, Sizes sizes, Arena arena, Overdraft overdraft) {
        this.directory = directory;
        this.ids = ids;
        this.sizes = sizes;
        this.arena = arena;
        this.overdraft = overdraft;
        this.compressor = new BlockCompressor(arena, overdraft, Compression.LZ4);
    }

    /** Values written so far. */
    public long values() {
        return values;
    }

    /** Tells of each table how many of its values were written so far. */
    public void tell(BiConsumer<Integer, Long> byTable) {
        for (int table = 0; table < valuesByTable.length; table++) {
            if (valuesByTable[table] > 0) {
                byTable.accept(table, valuesByTable[table]);
            }
        }
    }

    /** Writes to the files of finished logs so far. */
    public long writes() {
        return writes;
    }

    /** Bytes that the values take. */
    public long bytes() {
        return bytes;
    }

    /** Writes a value and puts a pointer to it where there is room for {@link ValuePointer#BYTES} bytes. */
    public void add(int table, long value, int length, long pointer) throws IOException {
        if (table != lastTable) {
            finishFrom(sizes.bytesMin());
            lastTable = table;
            if (table >= valuesByTable.length) {
                valuesByTable = Arrays.copyOf(valuesByTable, Math.max(table + 1, valuesByTable.length * 2));
            }
        }
        finishFrom(sizes.bytesMax());
        if (open == null) {
            open = begin();
        }
        bytes += open.add(value, length, compressor, pointer);
        values++;
        valuesByTable[table]++;
    }

    private ValueLogWriter begin() throws IOException {
        FileId id = ids.next();
        made.add(id);
        return new ValueLogWriter(directory.create(ValueLog.name(id)), id, sizes.bufferBytes(), arena, overdraft);
    }

    private void finishFrom(long bytesMin) throws IOException {
        if (open != null && open.bytes() >= bytesMin) {
            open.finish();
            writes += open.writes();
            open = null;
        }
    }

    /** Finishes all logs; pointers to them are good from now on. */
    public void finish() throws IOException {
        finishFrom(0);
    }

    /** Deletes all logs, finished or not; what fails on the way is told with the cause. */
    public void discard(Throwable cause) {
        Cleanup.attempt(this::close, cause);
        for (FileId id : made) {
            Cleanup.attempt(() -> directory.delete(ValueLog.name(id)), cause);
        }
    }

    /** Gives back all memory; logs that are not finished are of no use. */
    @Override
    public void close() {
        compressor.close();
        if (open != null) {
            ValueLogWriter writer = open;
            open = null;
            writer.abort();
        }
    }
}
