package io.drey.store.version;

import io.drey.files.Directory;
import io.drey.foundation.DreyException;
import io.drey.store.file.FileId;
import io.drey.store.run.LogShare;
import io.drey.store.run.Run;
import io.drey.store.value.ValueLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The holders of each run. When the last one lets go, the run is closed and its file deleted, and so are the value logs
 * that no other held run points to. When the store closes, runs that snapshots still hold give back their memory but
 * keep their files.
 *
 * <p>A flush that is under way makes a run that does not exist yet: {@link Promise} takes its holders until it does.
 *
 * <p>Thread safe. Closing waits for scans, which see {@link #isClosed} at their next step and end.
 */
public final class FileRefs {
    /** Why a file is needed. */
    public enum Holder {
        /** The version in force shows entries of it. */
        VERSION,
        /** A snapshot consists of it. */
        SNAPSHOT,
        /** A compaction reads it, or wrote it and is not installed yet. */
        COMPACTION,
        /** A flush wrote it and is not installed yet. */
        FLUSH,
        /** It was opened for a version that is not in force yet. */
        RESTORE
    }

    /** The holders of a run that a flush is to make. */
    public final class Promise {
        private final int[] holds = new int[Holder.values().length];
        private Run run;

        private Promise() {}

        /** One holder more of the run, made or still to be made. */
        public void hold(Holder holder) {
            synchronized (FileRefs.this) {
                if (run == null) {
                    holds[holder.ordinal()]++;
                } else {
                    add(holder, run, 1);
                }
            }
        }

        /** Takes back one {@link #hold}. */
        public void release(Holder holder) {
            Run made;
            synchronized (FileRefs.this) {
                made = run;
                if (made == null) {
                    holds[holder.ordinal()]--;
                }
            }
            if (made != null) {
                FileRefs.this.release(holder, List.of(made));
            }
        }

        /** The run exists: those who wait for it hold it, and so does the flush. */
        public void keep(Run made) {
            synchronized (FileRefs.this) {
                add(Holder.FLUSH, made, 1);
                for (Holder holder : Holder.values()) {
                    add(holder, made, holds[holder.ordinal()]);
                }
                run = made;
            }
        }
    }

    private static final class Refs {
        private final int[] counts = new int[Holder.values().length];
        private boolean open = true;

        private boolean isFree() {
            return Arrays.stream(counts).sum() == 0;
        }
    }

    private final Directory directory;
    private final Map<Run, Refs> refs = new IdentityHashMap<>();
    /** By value log, how many of the held runs point to it. */
    private final Map<FileId, Integer> logs = new HashMap<>();

    private final AtomicLong logsDropped = new AtomicLong();
    private int scans;
    private volatile boolean closed;

    public FileRefs(Directory directory) {
        this.directory = directory;
    }

    /** The holders of a run that is about to be made. */
    public Promise promise() {
        return new Promise();
    }

    /** One holder more of each of these runs. */
    public synchronized void hold(Holder holder, Collection<Run> runs) {
        runs.forEach(run -> add(holder, run, 1));
    }

    private void add(Holder holder, Run run, int count) {
        if (count == 0) {
            return;
        }
        Refs held = refs.get(run);
        if (held == null) {
            held = new Refs();
            refs.put(run, held);
            run.info().logs().forEach(share -> logs.merge(share.log(), 1, Integer::sum));
        }
        held.counts[holder.ordinal()] += count;
    }

    /** Value logs deleted so far, without a look into them. */
    public long logsDropped() {
        return logsDropped.get();
    }

    /**
     * Takes back one {@link #hold} of each of these runs; a file that cannot be deleted is reported after all of them.
     */
    public void release(Holder holder, Collection<Run> runs) {
        DreyException failure = null;
        for (Run run : runs) {
            for (String name : remove(holder, run)) {
                failure = delete(name, failure);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The files that nobody needs any more after one holder less. */
    private synchronized List<String> remove(Holder holder, Run run) {
        Refs held = refs.get(run);
        if (held == null || held.counts[holder.ordinal()] == 0) {
            throw new IllegalStateException("expected run " + run.info().name() + " to be held by " + holder
                    + ", found " + (held == null ? "no holder" : describe(held)));
        }
        held.counts[holder.ordinal()]--;
        if (!held.isFree()) {
            return List.of();
        }
        refs.remove(run);
        if (held.open) {
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

    /** Who holds what now: name of a run, then its holders with their counts. */
    public synchronized Map<String, String> report() {
        Map<String, String> report = new TreeMap<>();
        refs.forEach((run, held) -> report.put(run.info().name(), describe(held)));
        return report;
    }

    private static String describe(Refs held) {
        Map<Holder, Integer> counts = new EnumMap<>(Holder.class);
        for (Holder holder : Holder.values()) {
            if (held.counts[holder.ordinal()] > 0) {
                counts.put(holder, held.counts[holder.ordinal()]);
            }
        }
        return counts.toString();
    }

    /** Whether reading must end. */
    public boolean isClosed() {
        return closed;
    }

    /** Announces a scan of held runs by another thread than the owner. */
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

    /** Ends scans, then closes all runs that are still held; their files stay until they are released. */
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
        refs.forEach((run, held) -> {
            if (held.open) {
                held.open = false;
                run.close();
            }
        });
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
