package io.drey.store.flush;

import io.drey.store.log.FrozenEpoch;
import io.drey.store.run.Run;
import io.drey.store.schedule.Background;
import io.drey.store.tuning.LeavingValues;
import io.drey.store.version.FileRefs;
import io.drey.store.version.StoreFiles;
import java.io.IOException;
import java.util.concurrent.CancellationException;

/**
 * Flushes a frozen epoch into a run. Made and installed by the owner; run by a background thread; its result is held
 * for the owner and may be held by snapshots. The fields of the result are written before {@link #done} and
 * read after it.
 */
public final class FlushJob implements Background.Work {
    private final StoreFiles files;
    private final FrozenEpoch frozen;
    private final Runnable signal;
    private final LeavingValues leaving;
    private final FileRefs.Promise promise;
    private Background.Job job;
    private FlushWriter build;
    private long written;
    private volatile double bytesPerSecond = Double.POSITIVE_INFINITY;
    private Run result;
    private Throwable failure;
    private volatile boolean done;

    public FlushJob(StoreFiles files, FrozenEpoch frozen, Runnable signal) {
        this.files = files;
        this.frozen = frozen;
        this.signal = signal;
        this.leaving = files.separation().leaving();
        this.promise = files.refs().promise();
    }

    public FrozenEpoch frozen() {
        return frozen;
    }

    public void started(Background.Job started) {
        job = started;
    }

    public void await() throws InterruptedException {
        job.await();
    }

    /** The owner cannot go on without the result. */
    public void hurry() {
        job.hurry();
    }

    public boolean isDone() {
        return done;
    }

    /** The cause if flushing failed, else null. */
    public Throwable failure() {
        return failure;
    }

    /** The run, held by the flush until the owner has installed it. */
    public Run result() {
        return result;
    }

    @Override
    public boolean step(int bytes) {
        boolean more = false;
        try {
            more = flush(bytes);
        } catch (Throwable e) {
            discard(e);
            failure = e;
        } finally {
            if (!more) {
                done = true;
                signal.run();
            }
        }
        return more;
    }

    /** The holders of the run, made or still to be made. */
    public FileRefs.Promise promise() {
        return promise;
    }

    public void pace(double newBytesPerSecond) {
        bytesPerSecond = newBytesPerSecond;
    }

    @Override
    public double bytesPerSecond() {
        return files.isClosing() ? Double.POSITIVE_INFINITY : bytesPerSecond;
    }

    @Override
    public long bytes() {
        return written;
    }

    private boolean flush(int bytes) throws IOException {
        if (files.isClosing()) {
            throw new CancellationException("the store is closing");
        }
        if (build == null) {
            build = new FlushWriter(files, leaving, files.counters().flush);
            build.begin(frozen.cursor(files.memory().arena(), files.memory().overdraft()));
            return true;
        }
        if (build.step(bytes)) {
            written = build.bytes();
            return true;
        }
        Run run = build.finish();
        written = build.bytes();
        files.counters().flushes.incrementAndGet();
        promise.keep(run);
        result = run;
        return false;
    }

    private void discard(Throwable cause) {
        if (build != null) {
            build.discard(cause);
        }
    }
}
