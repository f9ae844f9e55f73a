package io.drey.store.version;

import io.drey.files.Directory;
import io.drey.foundation.DreyException;
import io.drey.store.file.FileId;
import io.drey.store.run.LogShare;
import io.drey.store.run.Run;
import io.drey.store.value.ValueLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who needs which run: the version in force, snapshots, running compactions. When nobody does, the run is closed and its file
 * deleted, and so are the value logs that no other pinned run points to. When the store closes, runs that snapshots still pin give back their memory but keep their files.
 *
 * <p>Thread safe. Closing waits for scans, which see {@link #isClosed} at their next step and end.
 */
public final class RunPins {
    private static final class Pin {
        private int count;
        private boolean open = true;
    }

    private final Directory directory;
    private final Map<Run, Pin> pins = new IdentityHashMap<>();
    /** By value log, how many of the pinned runs point to it. */
    private final Map<FileId, Integer> logs = new HashMap<>();

    private final AtomicLong logsDropped = new AtomicLong();
    private int scans;
    private volatile boolean closed;

    public RunPins(Directory directory) {
        this.directory = directory;
    }

    public synchronized void pin(Collection<Run> runs) {
        for (Run run : runs) {
            Pin pin = pins.get(run);
            if (pin == null) {
                pin = new Pin();
                pins.put(run, pin);
                run.info().logs().forEach(share -> logs.merge(share.log(), 1, Integer::sum));
            }
            pin.count++;
        }
    }

    /** Value logs deleted so far, without a look into them. */
    public long logsDropped() {
        return logsDropped.get();
    }

    /** Takes back one {@link #pin} of each of these runs; a file that cannot be deleted is reported after all of them. */
    public void unpin(Collection<Run> runs) {
        DreyException failure = null;
        for (Run run : runs) {
            for (String name : release(run)) {
                failure = delete(name, failure);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The files that nobody needs any more after one pin less. */
    private synchronized List<String> release(Run run) {
        Pin pin = pins.get(run);
        if (pin == null) {
            throw new IllegalStateException("expected run " + run.info().name() + " to be pinned, found it free");
        }
        if (--pin.count > 0) {
            return List.of();
        }
        pins.remove(run);
        if (pin.open) {
            run.close();
        }
        List<String> unneeded = new ArrayList<>();
        unneeded.add(run.info().name());
        for (LogShare share : run.info().logs()) {
            if (logs.merge(share.log(), -1, Integer::sum) == 0) {
                logs.remove(share.log());
                unneeded.add(ValueLog.name(share.log()));
                logsDropped.incrementAndGet();
            }
        }
        return unneeded;
    }

    private DreyException delete(String name, DreyException before) {
        try {
            directory.delete(name);
            return before;
        } catch (IOException e) {
            DreyException failure = new DreyException(
                    "cannot delete " + name + " in " + directory.describe()
                            + ", which nothing needs any more: check the disk",
                    e);
            if (before == null) {
                return failure;
            }
            before.addSuppressed(failure);
            return before;
        }
    }

    /** Whether reading must end. */
    public boolean isClosed() {
        return closed;
    }

    /** Announces a scan of pinned runs by another thread than the owner. */
    public synchronized void beginScan() {
        if (closed) {
            throw new DreyException("expected an open store to scan, found it closed: the task has ended");
        }
        scans++;
    }

    public synchronized void endScan() {
        scans--;
        notifyAll();
    }

    /** Ends scans, then closes all runs that are still pinned; their files stay until they are unpinned. */
    public synchronized void close() {
        closed = true;
        boolean interrupted = false;
        while (scans > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        pins.forEach((run, pin) -> {
            if (pin.open) {
                pin.open = false;
                run.close();
            }
        });
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
