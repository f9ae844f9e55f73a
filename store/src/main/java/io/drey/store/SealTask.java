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
final class SealTask implements Runnable {
    private final StoreFiles files;
    private final FrozenEpoch frozen;
    private final Runnable signal;
    private Background.Job job;
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
    public void run() {
        try {
            publish(seal());
        } catch (Throwable e) {
            failure = e;
        } finally {
            done = true;
            signal.run();
        }
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

    private Run seal() throws IOException {
        String name = files.newName();
        WritableFile file = files.directory().create(name);
        RunWriter writer = null;
        boolean finished = false;
        try (EntryCursor entries =
                frozen.cursor(files.memory().arena(), files.memory().overdraft())) {
            writer = new RunWriter(file, FileId.random(), files.options(), files.memory());
            while (entries.next()) {
                if (files.isClosing()) {
                    throw new CancellationException("the store is closing");
                }
                writer.add(entries);
            }
            long bytes = writer.finish().bytes();
            finished = true;
            files.counters().seals.incrementAndGet();
            files.counters().bytesSealed.addAndGet(bytes);
        } finally {
            if (!finished) {
                files.discard(name, writer, file);
            }
        }
        return files.open(name);
    }
}
