package io.drey.store.value;

import io.drey.files.Directory;
import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import io.drey.store.block.BlockPacker;
import io.drey.store.file.FileId;
import io.drey.store.file.FileIds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The value logs that one job writes. Values that will die at about the same time lie together: each belongs to a bucket,
 * and each bucket has a log of its own. A table gets new logs unless those of the table before it are still small, so that
 * tables with little to separate share one.
 *
 * <p>One thread. Ends with {@link #finish}; after that, or after any failure, {@link #discard} deletes all of it.
 */
public final class ValueLogSet implements AutoCloseable {
    /** Logs that are open at once, and so the most buckets there may be. */
    public static final int OPEN_MAX = 8;

    /**
     * How large logs are.
     *
     * @param bytesMin a log smaller than this is shared with the next table
     * @param bytesMax size at which a log is finished and another one begun
     * @param bufferBytes bytes that are written at once
     */
    public record Sizes(long bytesMin, long bytesMax, int bufferBytes) {}

    private final Directory directory;
    private final FileIds ids;
    private final Sizes sizes;
    private final long generation;
    private final Arena arena;
    private final Overdraft overdraft;
    private final BlockPacker packer;
    private final ValueLogWriter[] open = new ValueLogWriter[OPEN_MAX];
    private final List<FileId> made = new ArrayList<>();
    private int lastTable = -1;
    private long values;
    private long[] valuesByTable = new long[8];
    private long bytes;
    private long writes;

    /** @param generation the number of the job */
    public ValueLogSet(
            Directory directory, FileIds ids, Sizes sizes, long generation, Arena arena, Overdraft overdraft) {
        this.directory = directory;
        this.ids = ids;
        this.sizes = sizes;
        this.generation = generation;
        this.arena = arena;
        this.overdraft = overdraft;
        this.packer = new BlockPacker(arena, overdraft, true);
    }

    /** Values written so far. */
    public long values() {
        return values;
    }

    /** Values of a table written so far. */
    public long values(int table) {
        return table < valuesByTable.length ? valuesByTable[table] : 0;
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
    public void add(int table, int bucket, long value, int length, long pointer) throws IOException {
        if (table != lastTable) {
            finishFrom(sizes.bytesMin());
            lastTable = table;
            if (table >= valuesByTable.length) {
                valuesByTable = Arrays.copyOf(valuesByTable, Math.max(table + 1, valuesByTable.length * 2));
            }
        }
        if (open[bucket] != null && open[bucket].bytes() >= sizes.bytesMax()) {
            finish(bucket);
        }
        if (open[bucket] == null) {
            open[bucket] = begin();
        }
        bytes += open[bucket].add(value, length, packer, pointer);
        values++;
        valuesByTable[table]++;
    }

    private ValueLogWriter begin() throws IOException {
        FileId id = ids.next();
        made.add(id);
        return new ValueLogWriter(
                directory.create(ValueLog.name(id)), id, generation, sizes.bufferBytes(), arena, overdraft);
    }

    private void finishFrom(long bytesMin) throws IOException {
        for (int bucket = 0; bucket < OPEN_MAX; bucket++) {
            if (open[bucket] != null && open[bucket].bytes() >= bytesMin) {
                finish(bucket);
            }
        }
    }

    private void finish(int bucket) throws IOException {
        open[bucket].finish();
        writes += open[bucket].writes();
        open[bucket] = null;
    }

    /** Finishes all logs; pointers to them are good from now on. */
    public void finish() throws IOException {
        finishFrom(0);
    }

    /** Deletes all logs, finished or not; what fails on the way is told with the cause. */
    public void discard(Throwable cause) {
        attempt(this::close, cause);
        for (FileId id : made) {
            attempt(() -> directory.delete(ValueLog.name(id)), cause);
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void attempt(Step step, Throwable cause) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /** Gives back all memory; logs that are not finished are of no use. */
    @Override
    public void close() {
        packer.close();
        for (int bucket = 0; bucket < OPEN_MAX; bucket++) {
            if (open[bucket] != null) {
                ValueLogWriter writer = open[bucket];
                open[bucket] = null;
                writer.abort();
            }
        }
    }
}
