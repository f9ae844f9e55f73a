package io.drey.store.merge;

import io.drey.files.Directory;
import io.drey.store.run.Run;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunOptions;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Carries out a choice: reads its slices, writes runs. */
public final class MergeJob {
    /**
     * Where a job writes.
     *
     * @param names names of files to create, each once
     * @param runBytesMax size at which a run of the last level is finished and another one begun
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

    private MergeJob() {}

    /**
     * The new runs, opened, in order. If it throws, what it wrote is deleted.
     *
     * @param cancelled asked again and again; when true the job ends with a {@link
     *     java.util.concurrent.CancellationException}
     */
    public static List<Run> run(MergeChoice choice, Target target, RunMemory memory, BooleanSupplier cancelled)
            throws IOException {
        throw new UnsupportedOperationException();
    }
}
