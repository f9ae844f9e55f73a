package io.drey.flink.state.retention;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.JobFiles;
import io.drey.checkpoint.retention.Retention;
import io.drey.checkpoint.retention.Retention.Need;
import io.drey.checkpoint.upload.Writes.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.flink.core.fs.EntropyInjector;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointStorageAccess;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStorageAccess;

/**
 * Deletes shared files of the job that nothing needs any more: what killed processes had uploaded, and what nobody
 * managed to delete. It looks after the first checkpoint that completes behind a restore, and every hour. Whatever
 * cannot be read keeps everything where it is.
 *
 * <p>One backend of an operator has one, that of subtask 0. Those of a job in one process, which share slots, share a
 * {@link Turn}, so that one of them looks; looks of several processes do no harm: what is garbage stays it.
 * The checkpoint that it is told of has completed in its own execution of the job, or is the one that this was restored
 * from, of which Flink tells again where the next one is aborted: so it trusts numbers up to that one.
 */
public final class Janitor implements AutoCloseable {
    /** Time between two looks. */
    static final long PERIOD_NANOS = TimeUnit.HOURS.toNanos(1);

    /** Meta data above take too much of a task manager's heap: {@code drey checkpoints audit} reads them. */
    private static final int METADATA_BYTES_MAX = 32 << 20;

    private final JobFiles storage;
    private final String directory;
    private final Executor executor;
    private final Clock clock;
    private final Consumer<String> warnings;
    private final Turn turn;
    private final AtomicLong deleted = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** When a directory is looked into next; its lock is that of all. */
    private static final class Turn {
        private static final Map<String, Turn> ALL = new HashMap<>();

        private int janitors;
        private long dueNanos;
        private boolean looking;

        /** What the last look left, and who it was; its warning, which the next one need not say again. */
        private volatile long left;

        private volatile Janitor looker;
        private String lastWarning;

        /** Joins in the turn of a directory, which comes by then at the latest. */
        static Turn join(String directory, long dueNanos) {
            synchronized (ALL) {
                Turn turn = ALL.computeIfAbsent(directory, absent -> new Turn());
                boolean isSooner = turn.janitors++ == 0 || dueNanos - turn.dueNanos < 0;
                turn.dueNanos = isSooner ? dueNanos : turn.dueNanos;
                return turn;
            }
        }

        void leave(String directory) {
            synchronized (ALL) {
                if (--janitors == 0) {
                    ALL.remove(directory, this);
                }
            }
        }

        /** Whether it has come; it is the caller's then, until it has {@link #ended}. */
        boolean begins(long now) {
            synchronized (ALL) {
                boolean begins = !looking && now - dueNanos >= 0;
                looking |= begins;
                dueNanos = begins ? now + PERIOD_NANOS : dueNanos;
                return begins;
            }
        }

        /** @param again whether somebody else has to look at once */
        void ended(boolean again, long now) {
            synchronized (ALL) {
                looking = false;
                dueNanos = again ? now : dueNanos;
            }
        }
    }

    /**
     * @param directory the job's, in which its checkpoints lie
     * @param executor has threads that may wait for the storage
     * @param clock by which it looks, and waits for checkpoints that are being dropped
     * @param restored whether an earlier execution may have left something
     * @param warnings gets a sentence when files stay behind
     */
    Janitor(
            JobFiles storage,
            String directory,
            Executor executor,
            Clock clock,
            boolean restored,
            Consumer<String> warnings) {
        this.storage = storage;
        this.directory = directory;
        this.executor = executor;
        this.clock = clock;
        this.warnings = warnings;
        this.turn = directory == null ? null : Turn.join(directory, clock.nanos() + (restored ? 0 : PERIOD_NANOS));
    }

    /** The janitor of a job whose checkpoints go into a storage; it never looks where files cannot be listed. */
    public static Janitor of(
            CheckpointStorageAccess access,
            Executor executor,
            Clock clock,
            boolean restored,
            Consumer<String> warnings) {
        return access instanceof FsCheckpointStorageAccess files
                ? of(files.getFileSystem(), files.getCheckpointsDirectory(), executor, clock, restored, warnings)
                : none();
    }

    /** The janitor of the directory that a job's checkpoints lie in. */
    public static Janitor of(
            FileSystem files,
            Path directory,
            Executor executor,
            Clock clock,
            boolean restored,
            Consumer<String> warnings) {
        return EntropyInjector.isEntropyInjecting(files, directory)
                ? none()
                : new Janitor(new FlinkJobFiles(), directory.toString(), executor, clock, restored, warnings);
    }

    /** One that never looks. */
    public static Janitor none() {
        Janitor none = new Janitor(null, null, null, () -> 0, false, null);
        none.closed.countDown();
        return none;
    }

    /** A checkpoint has completed; looks in another thread if it is time. */
    public void completed(long checkpointId) {
        if (isClosed() || !turn.begins(clock.nanos())) {
            return;
        }
        try {
            executor.execute(() -> look(checkpointId));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The process ends, or there is no thread for it.
            turn.ended(false, clock.nanos());
        }
    }

    private void look(long checkpointId) {
        try {
            clean(checkpointId);
        } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
            // The top of a piece of work of Flink's threads, which end the process with what they do not know.
            warn("files that no checkpoint needs may stay in " + directory + ", because it cannot be looked into: "
                    + (e instanceof IOException ? e.getMessage() : e));
        } finally {
            turn.ended(isClosed(), clock.nanos());
        }
    }

    private void clean(long checkpointId) throws IOException {
        JobDirectory found = JobDirectory.read(storage, directory, METADATA_BYTES_MAX, clock, closed);
        Retention retention = new Retention(found, checkpointId, Long.MAX_VALUE);
        List<String> reasons = new ArrayList<>(found.doubts());
        long stay = 0;
        for (StoredFile file : found.files()) {
            if (file.isShared()) {
                Need need = isClosed() ? Need.UNDER_WAY : retention.need(file);
                boolean stays = need == Need.GARBAGE ? !delete(file, reasons) : need == Need.DOUBTFUL;
                stay += stays ? 1 : 0;
            }
        }
        turn.looker = this;
        turn.left = stay;
        if (stay > 0) {
            warn(stay + " files that no checkpoint may need stay in " + directory + "/shared: " + reasons.get(0)
                    + ". See what drey checkpoints audit says");
        }
    }

    private boolean delete(StoredFile file, List<String> reasons) {
        try {
            storage.delete(directory + "/" + file.path());
            deleted.incrementAndGet();
            return true;
        } catch (IOException e) {
            reasons.add(file.path() + " could not be deleted: " + e.getMessage());
            return false;
        }
    }

    /** The same is not said again. */
    private void warn(String sentence) {
        if (!sentence.equals(turn.lastWarning)) {
            turn.lastWarning = sentence;
            warnings.accept(sentence);
        }
    }

    /** Files deleted so far; any thread. */
    public long deleted() {
        return deleted.get();
    }

    /** Files that the last look left behind though no checkpoint is known to need them; any thread. */
    public long left() {
        return turn != null && turn.looker == this ? turn.left : 0;
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Deletes nothing more, and waits for nothing. */
    @Override
    public void close() {
        if (!isClosed()) {
            closed.countDown();
            turn.leave(directory);
        }
    }
}
