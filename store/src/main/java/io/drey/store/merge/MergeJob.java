package io.drey.store.merge;

import io.drey.files.Directory;
import io.drey.files.WritableFile;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.file.FileId;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunWriter;
import io.drey.store.run.Slice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Carries out a choice: reads its slices, writes runs. One thread. */
public final class MergeJob {
    /**
     * Where a job writes.
     *
     * @param names names of files to create, each once
     * @param runBytesMax size at which a run of the last level is finished and another one begun, at the next prefix
     * @param keyGroupFrom first key group of the store; entries of others are left out
     * @param keyGroupTo last key group of the store, inclusive
     */
    public record Target(
            Directory directory,
            Supplier<String> names,
            RunOptions options,
            long runBytesMax,
            int keyGroupFrom,
            int keyGroupTo) {}

    private final Target target;
    private final RunMemory memory;
    private final long runBytesMax;
    private final List<String> names = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private RunWriter writer;

    private MergeJob(Target target, RunMemory memory, long runBytesMax) {
        this.target = target;
        this.memory = memory;
        this.runBytesMax = runBytesMax;
    }

    /**
     * The new runs, opened, in order. If it throws, what it wrote is deleted.
     *
     * @param cancelled asked again and again; when true the job ends with a {@link CancellationException}
     */
    public static List<Run> run(MergeChoice choice, Target target, RunMemory memory, BooleanSupplier cancelled)
            throws IOException {
        // A young run stays one file, however large: its place in the order of age is one.
        MergeJob job = new MergeJob(target, memory, choice.sweep() ? target.runBytesMax() : Long.MAX_VALUE);
        try (ReadSession session =
                        ReadSession.background(memory, target.options().bufferBytes());
                MergingCursor merged = new MergingCursor(memory)) {
            merged.begin(choice.bottom());
            for (List<Slice> input : choice.inputs()) {
                List<Slice> clipped = input.stream()
                        .map(slice -> slice.clipKeyGroups(target.keyGroupFrom(), target.keyGroupTo()))
                        .toList();
                merged.addOlder(new SliceChain(clipped, session, cancelled));
            }
            job.write(merged);
            return job.runs;
        } catch (IOException | RuntimeException | Error e) {
            job.discard(e);
            throw e;
        }
    }

    private void write(EntryCursor entries) throws IOException {
        long last = 0;
        while (entries.next()) {
            long prefix = EntryKey.prefix(entries.table(), entries.keyGroup(), entries.groupHash());
            if (writer != null && prefix != last && writer.bytes() >= runBytesMax) {
                finishRun();
            }
            if (writer == null) {
                beginRun();
            }
            writer.add(entries);
            last = prefix;
        }
        if (writer != null) {
            finishRun();
        }
    }

    private void beginRun() throws IOException {
        String name = target.names().get();
        WritableFile file = target.directory().create(name);
        names.add(name);
        writer = new RunWriter(file, FileId.random(), target.options(), memory);
    }

    private void finishRun() throws IOException {
        String name = writer.finish().name();
        writer = null;
        runs.add(Run.open(target.directory().open(name), memory));
    }

    /** Leaves nothing behind; what fails on the way is told with the cause. */
    private void discard(Throwable cause) {
        if (writer != null) {
            attempt(writer::abort, cause);
        }
        runs.forEach(run -> attempt(run::close, cause));
        names.forEach(name -> attempt(() -> target.directory().delete(name), cause));
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
}
