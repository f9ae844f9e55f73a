package io.drey.store;

import io.drey.files.WritableFile;
import io.drey.store.entry.EntryCursor;
import io.drey.store.file.FileId;
import io.drey.store.log.FrozenEpoch;
import io.drey.store.run.Run;
import io.drey.store.run.RunWriter;
import io.drey.store.schedule.Background;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Seals a frozen epoch into a run. Made and installed by the owner; run by a background thread; its result is pinned for
 * the owner and may be pinned by snapshots from then on. The fields of the result are written before {@link #done} and
 * read after it.
 */
final class SealTask implements Background.Work {
    /** What an entry costs beside its bytes, in bytes of a step. */
    private static final int ENTRY_COST_BYTES = 16;

    private final StoreFiles files;
    private final FrozenEpoch frozen;
    private final Runnable signal;
    private Background.Job job;
    private String name;
    private WritableFile file;
    private RunWriter writer;
    private EntryCursor entries;
    private long written;
    private volatile double bytesPerSecond = Double.POSITIVE_INFINITY;
    private Run result;
    private Throwable failure;
    private volatile boolean done;
    private int snapshots;

    SealTask(StoreFiles files, FrozenEpoch frozen, Runnable signal) {
        this.files = files;
        this.frozen = frozen;
        this.signal = signal;
    }

    FrozenEpoch frozen() {
        return frozen;
    }

    void started(Background.Job started) {
        job = started;
    }

    void await() throws InterruptedException {
        job.await();
    }

    /** The owner cannot go on without the result. */
    void hurry() {
        job.hurry();
    }

    boolean isDone() {
        return done;
    }

    /** The cause if sealing failed, else null. */
    Throwable failure() {
        return failure;
    }

    /** The run, pinned once for the owner. */
    Run result() {
        return result;
    }

    @Override
    public boolean step(int bytes) {
        boolean more = false;
        try {
            more = seal(bytes);
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

    /** A snapshot needs the run, made or still to be made. */
    synchronized void retain() {
        if (result != null) {
            files.pins().pin(List.of(result));
        } else {
            snapshots++;
        }
    }

    /** A snapshot that retained the run needs it no more. */
    void release() {
        Run made;
        synchronized (this) {
            made = result;
            if (made == null) {
                snapshots--;
            }
        }
        if (made != null) {
            files.pins().unpin(List.of(made));
        }
    }

    private synchronized void publish(Run run) {
        for (int i = 0; i <= snapshots; i++) {
            files.pins().pin(List.of(run));
        }
        result = run;
    }

    void pace(double newBytesPerSecond) {
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

    private boolean seal(int bytes) throws IOException {
        if (files.isClosing()) {
            throw new CancellationException("the store is closing");
        }
        if (entries == null) {
            begin();
            return true;
        }
        for (int left = bytes; left > 0; ) {
            if (!entries.next()) {
                finish();
                return false;
            }
            writer.add(entries);
            left -= ENTRY_COST_BYTES + Math.min(left, entries.bodyLength() + entries.valueLength());
        }
        written = writer.bytes();
        return true;
    }

    /** Sorts the records. */
    private void begin() throws IOException {
        name = files.newName();
        file = files.directory().create(name);
        writer = new RunWriter(file, FileId.random(), files.options(), files.memory());
        entries = frozen.cursor(files.memory().arena(), files.memory().overdraft());
    }

    private void finish() throws IOException {
        entries.close();
        written = writer.finish().bytes();
        writer = null;
        Run run = files.open(name);
        name = null;
        files.counters().seals.incrementAndGet();
        files.counters().bytesSealed.addAndGet(written);
        publish(run);
    }

    /** Leaves nothing behind; what fails on the way is told with the cause. */
    private void discard(Throwable cause) {
        try {
            if (entries != null) {
                entries.close();
            }
            if (name != null && file != null) {
                files.discard(name, writer, file);
            }
        } catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
