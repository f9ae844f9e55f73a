package io.drey.flink.state.snapshot;

import io.drey.checkpoint.prepare.BarrierForecast;
import io.drey.checkpoint.upload.Listing;
import io.drey.flink.state.snapshot.CheckpointStrategy.Config;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.flink.state.task.OnceAMinute;
import io.drey.flink.state.task.PinnedSnapshot;
import io.drey.flink.state.task.TaskThread;
import io.drey.flink.state.task.Time;
import io.drey.store.Store;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.util.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the next checkpoint of a backend: shortly before its barrier is expected, the store writes what has changed
 * into a file, and its files go up. The checkpoint then finds there all but what changed since. Each round takes a
 * place among the checkpoints, uploads what they would, and withdraws: so its files stay for the next one.
 *
 * <p>Only where a checkpoint's streams write shared files by themselves, whichever checkpoint they are of: in a file
 * system, without merging. What goes wrong here is left to the checkpoint itself.
 */
public final class CheckpointPreparation implements AutoCloseable {
    /** A checkpoint waits no longer for rounds that are under way; then it uploads what they have not. */
    private static final long ROUND_WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointPreparation.class);

    private final Store store;
    private final TaskThread task;
    private final InstanceDirectory directory;
    private final SharedFiles sharedFiles;
    private final FileUploads uploads;
    private final Config<?> config;
    private final Time time;

    /** One object, which the time knows. */
    private final Runnable alarm = this::due;

    private final BarrierForecast forecast;

    /** Ends all rounds. */
    private final CloseableRegistry cancellation = new CloseableRegistry();

    /** Rounds under way. */
    private final AtomicInteger running = new AtomicInteger();

    /** What each round of the last barrier took, at least if it was given up; 0 if it has not ended. */
    private final AtomicLongArray took = new AtomicLongArray(BarrierForecast.ROUNDS);

    /** What the last checkpoint took if it had no rounds, 0 if it had some or has not ended. */
    private final AtomicLong tookWithout = new AtomicLong();

    private final AtomicLong rounds = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private volatile long barrierErrorNanos;
    private volatile boolean closed;

    /** Of the last checkpoint; null before the first. The task's thread only, as the round. */
    private CheckpointStreamFactory streams;

    private int round;

    /** Rounds begun since the last barrier. */
    private List<Round> begun = List.of();

    CheckpointPreparation(
            Store store,
            TaskThread task,
            InstanceDirectory directory,
            SharedFiles sharedFiles,
            FileUploads uploads,
            Config<?> config) {
        this.store = store;
        this.task = task;
        this.directory = directory;
        this.sharedFiles = sharedFiles;
        this.uploads = uploads;
        this.config = config;
        this.time = config.time();
        this.forecast = new BarrierForecast(config.preparedNanosMin());
    }

    /** A barrier has come; the task's thread. */
    Barrier barrier(SharingFilesStrategy strategy, CheckpointStreamFactory newStreams) {
        if (strategy == SharingFilesStrategy.NO_SHARING || !FileNaming.isPossible(newStreams)) {
            return new Barrier(List.of(), 0, false);
        }
        // A full checkpoint comes when one is due, but uses nothing that was uploaded before it.
        boolean shares = strategy == SharingFilesStrategy.FORWARD_BACKWARD;
        long now = time.nanos();
        if (forecast.foretells()) {
            barrierErrorNanos = now - forecast.expected();
        }
        Barrier barrier = new Barrier(shares ? begun : List.of(), now, shares);
        forecast.barrier(now);
        long without = tookWithout.getAndSet(0);
        if (without > 0) {
            forecast.tookWithout(without);
        }
        for (int each = 0; each < BarrierForecast.ROUNDS; each++) {
            long nanos = took.getAndSet(each, 0);
            if (nanos > 0) {
                forecast.took(each, nanos);
            }
        }
        streams = newStreams;
        begun = List.of();
        round = 0;
        awaitRound();
        return barrier;
    }

    /** A checkpoint, as far as the rounds before its barrier concern it; one thread. */
    final class Barrier {
        private final List<Round> before;
        private final long nanos;
        private final boolean counts;

        private Barrier(List<Round> before, long nanos, boolean counts) {
            this.before = before;
            this.nanos = nanos;
            this.counts = counts;
        }

        /**
         * Waits for rounds that have nearly ended, rather than to upload their files once more; not for ever. A round
         * that hangs then would keep a thread, and files that nobody reads.
         */
        void awaitRounds() throws InterruptedException {
            long limit = time.nanos() + ROUND_WAIT_NANOS_MAX;
            for (Round each : before) {
                if (!time.await(each.ended, limit - time.nanos())) {
                    each.giveUp();
                }
            }
        }

        /** What the rounds have uploaded, also what the checkpoint does not list any more. */
        long uploadedBytes() {
            return before.stream().mapToLong(each -> each.uploadedBytes).sum();
        }

        /** All files are stored. What a checkpoint takes that had no rounds, its first one would take. */
        void stored() {
            if (counts && before.isEmpty()) {
                tookWithout.set(time.nanos() - nanos);
            }
        }
    }

    private void awaitRound() {
        if (forecast.prepares() && round < BarrierForecast.ROUNDS && !closed) {
            try {
                time.set(alarm, forecast.begin(round));
            } catch (OutOfMemoryError e) {
                LOG.debug("There is no thread for the time: no checkpoint is prepared", e);
            }
        }
    }

    /** The time of a round has come; any thread. */
    void due() {
        task.request(this::begin, "prepare the next checkpoint");
    }

    private void begin() {
        if (closed || !forecast.prepares()) {
            return;
        }
        round++;
        boolean isLate = forecast.begin(round) <= time.nanos();
        awaitRound();
        if (isLate || running.get() >= BarrierForecast.ROUNDS) {
            return;
        }
        running.incrementAndGet();
        boolean done = false;
        Round next = null;
        try {
            next = new Round(PinnedSnapshot.ahead(store, directory), sharedFiles.ahead(streams), streams, round - 1);
            done = execute(next);
            begun = done ? Stream.concat(begun.stream(), Stream.of(next)).toList() : begun;
        } finally {
            if (!done && next != null) {
                next.end();
            } else if (!done) {
                running.decrementAndGet();
            }
        }
    }

    private boolean execute(Round next) {
        try {
            config.executor().execute(next);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            LOG.debug("The task manager ends, or has no thread: no checkpoint is prepared", e);
            return false;
        }
    }

    /** The part of a round that is done beside the task. */
    private final class Round implements Runnable {
        private final PinnedSnapshot pinned;
        private final Listing<StreamStateHandle> listing;
        private final CheckpointStreamFactory target;
        private final int number;
        private final long beginNanos = time.nanos();
        private final CountDownLatch ended = new CountDownLatch(1);
        private final CloseableRegistry uploading = new CloseableRegistry();
        private volatile long uploadedBytes;

        Round(PinnedSnapshot pinned, Listing<StreamStateHandle> listing, CheckpointStreamFactory target, int number) {
            this.pinned = pinned;
            this.listing = listing;
            this.target = target;
            this.number = number;
        }

        @Override
        public void run() {
            try {
                cancellation.registerCloseable(uploading);
                pinned.store().await();
                List<FileInfo> files = pinned.store().files();
                listing.decide(files.stream().map(FileInfo::name).toList());
                FileUploads.Streams named = config.naming()
                        .streams(target, CheckpointedStateScope.SHARED, listing.first(), sharedFiles.trash());
                Map<String, StreamStateHandle> uploaded = uploads.upload(files, listing, named, null, uploading);
                took.set(number, time.nanos() - beginNanos);
                rounds.incrementAndGet();
                uploadedBytes = uploaded.values().stream()
                        .mapToLong(StreamStateHandle::getStateSize)
                        .sum();
                bytes.addAndGet(uploadedBytes);
            } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
                // The top of a piece of work of Flink's threads, which end the process with what they do not know.
                if (!closed) {
                    OnceAMinute.warn(
                            LOG,
                            "The next checkpoint could not be prepared, and will do all of its work itself; of others"
                                    + " the log tells at level debug for a minute",
                            e);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                end();
            }
        }

        /** Has taken so long at least: by what one took before, the next would begin as late, and be in vain again. */
        void giveUp() {
            took.set(number, time.nanos() - beginNanos);
            IOUtils.closeQuietly(uploading);
        }

        void end() {
            try {
                cancellation.unregisterCloseable(uploading);
                listing.withdraw();
                pinned.release();
            } finally {
                running.decrementAndGet();
                ended.countDown();
            }
        }
    }

    /** Rounds that are done; any thread, as all numbers. */
    public long rounds() {
        return rounds.get();
    }

    /** Bytes that they have uploaded. */
    public long bytes() {
        return bytes.get();
    }

    /** How much later than expected the last barrier came, or earlier if negative. */
    public long barrierErrorMillis() {
        return TimeUnit.NANOSECONDS.toMillis(barrierErrorNanos);
    }

    /** Ends the round under way. */
    @Override
    public void close() {
        closed = true;
        time.cancel(alarm);
        IOUtils.closeQuietly(cancellation);
    }
}
