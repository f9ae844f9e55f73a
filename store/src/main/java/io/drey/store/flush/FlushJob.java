package io.drey.store.flush;

import io.drey.files.DiskFullException;
import io.drey.foundation.LentOutException;
import io.drey.store.log.FrozenEpoch;
import io.drey.store.run.Run;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunOptions;
import io.drey.store.schedule.OwnedWork;
import io.drey.store.tuning.ValuePlacement;
import io.drey.store.version.FileRefs;
import io.drey.store.version.StoreFiles;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Flushes a frozen epoch into a run, which is held for the owner and may be held by snapshots. */
public final class FlushJob extends OwnedWork {
    /** For want of memory the last one comes after a minute; on a full disk there are fewer compactions to end. */
    private static final int TRIES_MAX = 7;

    /** How long a try waits for memory that others have borrowed; each pause after it is twice as long. */
    private static final long LENT_OUT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final StoreFiles files;
    private final RunOptions options;
    private final FrozenEpoch frozen;
    private final ValuePlacement.Places places;
    private final FileRefs.Promise promise;
    private final BooleanSupplier makeRoom;
    private FlushWriter build;
    private int tries = 1;
    private long pauseNanos;
    private long writtenInVain;
    private long written;
    private volatile double bytesPerSecond = Double.POSITIVE_INFINITY;
    private Run result;

    /** @param makeRoom makes some on a full disk and in memory, if it can, for another try; in the job's thread */
    public FlushJob(
            StoreFiles files, RunOptions options, FrozenEpoch frozen, BooleanSupplier makeRoom, Runnable signal) {
        super(files::isClosing, signal);
        this.makeRoom = makeRoom;
        this.files = files;
        this.options = options;
        this.frozen = frozen;
        this.places = files.placement().places();
        this.promise = files.refs().promise();
    }

    public FrozenEpoch frozen() {
        return frozen;
    }

    /** The run, held by the flush until the owner has installed it. */
    public Run result() {
        return result;
    }

    /** The holders of the run, made or still to be made. */
    public FileRefs.Promise promise() {
        return promise;
    }

    public void pace(double newBytesPerSecond) {
        bytesPerSecond = newBytesPerSecond;
    }

    @Override
    protected double pace() {
        return bytesPerSecond;
    }

    @Override
    public long bytes() {
        return written;
    }

    @Override
    public long pauseNanos() {
        return build == null ? pauseNanos : 0;
    }

    @Override
    protected boolean part(int bytes) throws IOException {
        try {
            return write(bytes);
        } catch (IOException | RuntimeException e) {
            boolean isLentOut = e instanceof LentOutException;
            if (tries == TRIES_MAX || !(isLentOut || DiskFullException.isCauseOf(e))) {
                throw e;
            }
            // Whoever has the memory may need this thread to give it back, compactions of this store for one.
            boolean isMade = (isLentOut && tries == 1) || makeRoom.getAsBoolean();
            if (!isMade && !isLentOut) {
                throw e;
            }
            pauseNanos = isLentOut ? LENT_OUT_NANOS << (tries - 1) : 0;
            tries++;
            writtenInVain = written;
            build.discard(e);
            build = null;
            return true;
        }
    }

    private boolean write(int bytes) throws IOException {
        if (build == null) {
            // Not for long: other jobs wait for this thread, of which one may have the memory.
            RunMemory memory = files.memory().waiting(LENT_OUT_NANOS);
            build = new FlushWriter(files, options, places, files.counters().flush, memory);
            build.begin(frozen.cursor(memory.arena(), memory.overdraft()));
            return true;
        }
        if (build.step(bytes)) {
            written = writtenInVain + build.bytes();
            return true;
        }
        Run run = build.finish();
        written = writtenInVain + build.bytes();
        files.counters().flushes.incrementAndGet();
        promise.keep(run);
        result = run;
        return false;
    }

    @Override
    protected void discard(Throwable cause) {
        if (build != null) {
            build.discard(cause);
        }
    }
}
