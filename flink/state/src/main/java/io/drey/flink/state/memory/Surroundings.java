package io.drey.flink.state.memory;

import io.drey.checkpoint.prepare.BarrierForecast;
import io.drey.files.Directory;
import io.drey.files.local.LocalDirectory;
import io.drey.files.remote.Downloads;
import io.drey.flink.state.pack.Packs;
import io.drey.flink.state.task.LocalTrust;
import io.drey.flink.state.task.RestoreThreads;
import io.drey.flink.state.task.Time;
import io.drey.flink.state.task.UploadThreads;
import io.drey.store.file.FileIds;
import io.drey.store.schedule.Background;
import io.drey.store.tuning.PlacementLimits;
import io.drey.store.tuning.ReadThresholds;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * The process and the machine as a backend sees them: threads, chance, time and disks.
 *
 * @param background leases background threads, given their number or 0 for the default
 * @param ids for the files of stores
 * @param time the clock, and alarms
 * @param thresholds what a read has to take for more to be done to save the next one
 * @param placement between which sizes of values the thresholds move at which they are separated
 * @param downloads bounds of restores that do not wait
 * @param restores threads of these
 * @param uploads threads that write into checkpoint storages; refuses what it has none for
 * @param preparedNanosMin how long a checkpoint takes at least that is prepared before its barrier
 * @param packs those of the process
 * @param trust the local copies that are used as they are
 * @param disks what stores write into and read from, given the local directory
 */
public record Surroundings(
        IntFunction<Lease> background,
        FileIds ids,
        Time time,
        ReadThresholds thresholds,
        PlacementLimits placement,
        Downloads.Limits downloads,
        Executor restores,
        Executor uploads,
        long preparedNanosMin,
        Packs packs,
        LocalTrust trust,
        Function<LocalDirectory, Directory> disks) {
    /** The process that this is, and its machine. */
    public static final Surroundings REAL = new Surroundings(
            BackgroundLease::acquire,
            FileIds.RANDOM,
            Time.SYSTEM,
            ReadThresholds.SHIPPED,
            PlacementLimits.SHIPPED,
            Downloads.Limits.DEFAULT,
            RestoreThreads.get(),
            UploadThreads.get(),
            BarrierForecast.PREPARED_NANOS_MIN,
            new Packs(),
            new LocalTrust(),
            directory -> directory);

    /** Nanoseconds. */
    public LongSupplier clock() {
        return time::nanos;
    }

    /** The right to background threads. */
    public interface Lease extends AutoCloseable {
        Background background();

        @Override
        void close();
    }
}
