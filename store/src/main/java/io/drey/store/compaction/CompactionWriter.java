package io.drey.store.compaction;

import io.drey.files.Directory;
import io.drey.files.IoCounts;
import io.drey.files.WritableFile;
import io.drey.foundation.Cleanup;
import io.drey.foundation.Scratch;
import io.drey.store.block.Compression;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.Expiries;
import io.drey.store.entry.LargeLists;
import io.drey.store.file.FileIds;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunInfo;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunView;
import io.drey.store.run.RunWriter;
import io.drey.store.value.SeparatingCursor;
import io.drey.store.value.ValueLogSet;
import io.drey.store.value.ValueLogs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Carries out a choice, step by step: reads its views, writes runs. One thread at a time. */
public final class CompactionWriter {
    /**
     * Where a job writes.
     *
     * @param names names of files to create, each once
     * @param ids their ids, each once
     * @param readBytes bytes that are read at once, by the number of inputs
     * @param runBytesMax size at which a run of the last level is finished and another one begun, at the next prefix
     * @param keyGroupFrom first key group of the store; entries of others are left out
     * @param keyGroupTo last key group of the store, inclusive
     * @param logs where the value logs that the runs point to are open
     * @param newLogs for the values that a job moves
     * @param lists told of large lists
     * @param expiries by which expired entries are dropped
     * @param io where reads and writes are counted, also those of jobs that fail
     */
    public record Target(
            Directory directory,
            Supplier<String> names,
            FileIds ids,
            RunOptions options,
            IntUnaryOperator readBytes,
            long runBytesMax,
            int keyGroupFrom,
            int keyGroupTo,
            ValueLogs logs,
            Supplier<ValueLogSet> newLogs,
            LargeLists lists,
            Expiries expiries,
            IoCounts io) {
        /** The same with other options. */
        public Target with(RunOptions newOptions) {
            return new Target(
                    directory,
                    names,
                    ids,
                    newOptions,
                    readBytes,
                    runBytesMax,
                    keyGroupFrom,
                    keyGroupTo,
                    logs,
                    newLogs,
                    lists,
                    expiries,
                    io);
        }
    }

    /** What a key costs beside its bytes, in bytes: so a step also ends among many keys of which nothing is left. */
    private static final int KEY_COST_BYTES = 16;

    private final Target target;
    private final RunMemory memory;
    private final long runBytesMax;
    private final List<String> names = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final ReadSession session;
    private final MergingCursor compacted;
    private final ExpiringCursor alive;
    private final ValueLogSet moved;
    private final Scratch pointer;

    /** What is alive, after values have moved out of logs; null if none are to. */
    private final SeparatingCursor moving;

    private Compression compression;
    private RunWriter writer;
    private long lastPrefix;

    /** A job that has not begun: it holds no memory yet, and needs not be ended. */
    public CompactionWriter(CompactionChoice choice, Target target, RunMemory memory) {
        this.target = target;
        this.memory = memory;
        this.compression = target.options().compression();
        // A young run stays one file, however large: its place in the order of age is one.
        this.runBytesMax = choice.majorCompaction() ? target.runBytesMax() : Long.MAX_VALUE;
        this.session = ReadSession.background(
                memory, target.readBytes().applyAsInt(choice.inputs().size()));
        this.compacted = new MergingCursor(memory);
        this.alive = new ExpiringCursor(compacted, target.expiries(), choice.bottom());
        this.moved = target.newLogs().get();
        this.pointer = new Scratch(memory.arena(), memory.overdraft());
        this.moving = choice.emptied().isEmpty()
                ? null
                : new SeparatingCursor(
                        alive, new MovedValues(choice.emptied(), session.values()), moved, pointer, null);
        compacted.begin(choice.bottom());
        for (List<RunView> input : choice.inputs()) {
            List<RunView> clipped = input.stream()
                    .map(view -> view.clipKeyGroups(target.keyGroupFrom(), target.keyGroupTo()))
                    .toList();
            compacted.addOlder(new RunViewChain(clipped, session));
        }
    }

    /** Bytes of its inputs read so far. */
    public long bytesRead() {
        return session.bytesRead();
    }

    /** Entries that had expired so far. */
    public long expired() {
        return alive.expired();
    }

    /** Tells of each table how many of its values have moved so far. */
    public void tellMoved(BiConsumer<Integer, Long> byTable) {
        moved.tell(byTable);
    }

    /** The new runs, opened, in order; complete and the caller's when {@link #step} returned false. */
    public List<Run> runs() {
        return runs;
    }

    /** Compresses like that from now on. */
    public void compress(Compression next) {
        compression = next;
        // A block compresses better than its values by themselves, and what is compressed with Zstandard is not moved
        // often.
        session.decompressValues(next == Compression.ZSTD);
        if (writer != null) {
            writer.compress(next);
        }
    }

    /** Deletes what was written and gives back all memory; what fails on the way is told with the cause. */
    public void discard(Throwable cause) {
        Cleanup.attempt(this::release, cause);
        if (writer != null) {
            Cleanup.attempt(writer::abort, cause);
            writer = null;
        }
        runs.forEach(run -> Cleanup.attempt(run::close, cause));
        runs.clear();
        names.forEach(name -> Cleanup.attempt(() -> target.directory().delete(name), cause));
        names.clear();
        moved.discard(cause);
    }

    /**
     * Compacts about so many bytes more; false when everything is compacted. If it throws, {@link #discard} is to be
     * called.
     */
    public boolean step(int bytes) throws IOException {
        int left = bytes;
        while (left > 0) {
            int found = compacted.nextKey();
            if (found == MergingCursor.END) {
                if (writer != null) {
                    finishRun();
                }
                release();
                return false;
            }
            left -= KEY_COST_BYTES;
            if (found == MergingCursor.ENTRY) {
                left -= Math.min(left, compacted.bodyLength() + compacted.valueLength());
                if (alive.examine()) {
                    long before = moved.bytes();
                    write();
                    left -= (int) Math.min(left, moved.bytes() - before);
                }
            }
        }
        return true;
    }

    private void write() throws IOException {
        long prefix = EntryKey.prefix(compacted.table(), compacted.keyGroup(), compacted.rowHash());
        if (writer != null && prefix != lastPrefix && writer.bytes() >= runBytesMax) {
            finishRun();
        }
        if (writer == null) {
            beginRun();
        }
        if (moving != null) {
            moving.look();
        }
        if (target.lists().isLarge(alive.valueLength())) {
            target.lists().seen(alive);
        }
        writer.add(moving == null ? alive : moving);
        lastPrefix = prefix;
    }

    private void beginRun() throws IOException {
        String name = target.names().get();
        WritableFile file = target.directory().create(name);
        names.add(name);
        writer = new RunWriter(file, target.ids().next(), target.options(), memory);
        writer.compress(compression);
    }

    private void finishRun() throws IOException {
        // The run is opened at once, and so are the logs that it points to.
        moved.finish();
        RunInfo info = writer.finish();
        target.io().wrote(writer.writes(), info.bytes());
        String name = info.name();
        writer = null;
        runs.add(Run.open(target.directory().open(name), memory, target.logs()));
    }

    private void release() {
        target.io().read(session.reads(), session.bytesRead());
        target.io().wrote(moved.writes(), moved.bytes());
        compacted.close();
        session.close();
        pointer.close();
        // Last: it closes a file, which can fail.
        moved.close();
    }
}
