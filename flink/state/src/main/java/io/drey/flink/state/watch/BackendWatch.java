package io.drey.flink.state.watch;

import io.drey.files.disks.DirectoryStats;
import io.drey.files.local.LocalDirectory;
import io.drey.flink.state.snapshot.UploadTimes;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.flink.state.task.SharedTimer;
import io.drey.store.stats.StoreStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Looks at one backend every few seconds, in one thread for all of them, and warns of {@link TroubleSigns}. */
public final class BackendWatch implements AutoCloseable {
    private static final SharedTimer<BackendWatch> ROUND =
            new SharedTimer<>("drey-watch", TimeUnit.SECONDS.toNanos(10), watch -> watch.look(System.nanoTime()));

    private final String operator;
    private final Supplier<StoreStats> stats;
    private final UploadTimes uploads;
    private final InstanceDirectory directory;
    private final int youngRunsMax;
    private final BackendListener listener;
    private final TroubleSigns signs = new TroubleSigns();

    private BackendWatch(
            String operator,
            Supplier<StoreStats> stats,
            UploadTimes uploads,
            InstanceDirectory directory,
            int youngRunsMax,
            BackendListener listener) {
        this.operator = operator;
        this.stats = stats;
        this.uploads = uploads;
        this.directory = directory;
        this.youngRunsMax = youngRunsMax;
        this.listener = listener;
    }

    /**
     * Watches until it is closed.
     *
     * @param stats of the store, to be asked by any thread
     * @param uploads of its checkpoints
     */
    public static BackendWatch begin(
            String operator,
            Supplier<StoreStats> stats,
            UploadTimes uploads,
            InstanceDirectory directory,
            int youngRunsMax,
            BackendListener listener) {
        BackendWatch watch = new BackendWatch(operator, stats, uploads, directory, youngRunsMax, listener);
        ROUND.add(watch);
        return watch;
    }

    void look(long nowNanos) {
        StoreStats now = stats.get();
        TroubleSigns.Reading reading = new TroubleSigns.Reading(
                now.jobs().stalls(),
                now.jobs().stallNanos(),
                now.runs().young().count(),
                youngRunsMax,
                uploads.last(),
                disks());
        signs.look(nowNanos, reading).forEach(sentence -> listener.warned(operator + ": " + sentence + "."));
    }

    private List<TroubleSigns.Disk> disks() {
        List<DirectoryStats> counts = directory.stats();
        List<TroubleSigns.Disk> disks = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            LocalDirectory part = directory.parts().get(i);
            long failures = counts.get(i).failures();
            try {
                disks.add(new TroubleSigns.Disk(base(part), failures, part.usableBytes(), part.diskBytes()));
            } catch (IOException e) {
                // It does not answer; the next I/O there fails and is counted.
                disks.add(new TroubleSigns.Disk(base(part), failures, -1, 0));
            }
        }
        return disks;
    }

    /** The directory that the user named; the backend's own lies in it. */
    private static String base(LocalDirectory part) {
        return part.path().getParent().toString();
    }

    @Override
    public void close() {
        ROUND.remove(this);
    }
}
