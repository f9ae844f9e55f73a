package io.drey.store;

import io.drey.foundation.DreyException;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.TableInfo;
import io.drey.store.flush.FlushJob;
import io.drey.store.read.SnapshotCursor;
import io.drey.store.read.VersionReader;
import io.drey.store.run.Run;
import io.drey.store.run.RunView;
import io.drey.store.value.ValueLog;
import io.drey.store.version.FileRefs;
import io.drey.store.version.StoreFiles;
import io.drey.store.version.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A store as it was at one moment. After {@link #await} it consists of immutable files only, which stay on disk until
 * {@link #close}. Except for its creation it may be used by any one thread, also after the store was closed (but scans
 * end when the store closes).
 */
public final class StoreSnapshot implements AutoCloseable {
    private final StoreFiles files;
    private final StoreSettings settings;
    private final List<TableInfo> tables;
    private final Version version;
    private final List<FlushJob> flushes;
    private Collection<Run> pinned;
    private Version whole;
    private boolean closed;

    /** A snapshot of a version, whose runs are pinned for it, and of flushes under way, oldest first. */
    StoreSnapshot(
            StoreFiles files, StoreSettings settings, List<TableInfo> tables, Version version, List<FlushJob> flushes) {
        this.files = files;
        this.settings = settings;
        this.tables = tables;
        this.version = version;
        this.flushes = flushes;
        this.pinned = VersionReader.runsOf(version);
        files.refs().hold(FileRefs.Holder.SNAPSHOT, pinned);
        flushes.forEach(flush -> flush.promise().hold(FileRefs.Holder.SNAPSHOT));
    }

    /** Waits until everything in the snapshot is in finished local files; throws the cause if flushing failed. */
    public synchronized void await() throws InterruptedException {
        if (closed) {
            throw new IllegalStateException("expected an open snapshot, found a closed one");
        }
        if (whole != null) {
            return;
        }
        List<RunView> young = new ArrayList<>();
        for (FlushJob flush : flushes) {
            flush.await();
            if (flush.failure() != null) {
                throw new DreyException(
                        "the snapshot cannot be completed because writing it failed: "
                                + flush.failure().getMessage(),
                        flush.failure());
            }
            young.add(0, RunView.of(flush.result()));
        }
        young.addAll(version.young());
        whole = new Version(young, version.levels());
    }

    private Version whole() {
        if (whole == null) {
            throw new IllegalStateException("expected a snapshot that was awaited, found one that was not");
        }
        return whole;
    }

    /** What to write into a manifest and to open a store from later. After {@link #await}. */
    public StoreImage image() {
        return new StoreImage(
                settings.keyGroupFrom(),
                settings.keyGroupTo(),
                tables,
                whole().young().stream().map(ImageLayout::part).toList(),
                whole().levels().stream()
                        .map(level -> level.stream().map(ImageLayout::part).toList())
                        .toList(),
                logs());
    }

    private List<StoreImage.FileInfo> logs() {
        Map<String, StoreImage.FileInfo> logs = new TreeMap<>();
        for (Run run : VersionReader.runsOf(whole())) {
            for (ValueLog log : run.logs()) {
                logs.put(log.name(), new StoreImage.FileInfo(log.name(), log.bytes()));
            }
        }
        return List.copyOf(logs.values());
    }

    /** The files of the image, in the store's directory. After {@link #await}. */
    public List<StoreImage.FileInfo> files() {
        return image().files();
    }

    /** The tables at the moment of the snapshot. */
    public List<TableInfo> tables() {
        return tables;
    }

    /**
     * The live entries of one table in some key groups, the last one too, as VALUE entries: by key group, then by hash;
     * maps in byte order. Opens each run once. After {@link #await}.
     */
    public EntryCursor scan(int table, int firstKeyGroup, int lastKeyGroup) {
        return new SnapshotCursor(files, whole(), table, firstKeyGroup, lastKeyGroup);
    }

    /**
     * Lets go of all files, also when one of them cannot be deleted, which is thrown then; a second call does nothing.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        RuntimeException failure = null;
        try {
            files.refs().release(FileRefs.Holder.SNAPSHOT, pinned);
        } catch (RuntimeException e) {
            failure = e;
        }
        for (FlushJob flush : flushes) {
            try {
                flush.promise().release(FileRefs.Holder.SNAPSHOT);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        pinned = List.of();
        if (failure != null) {
            throw failure;
        }
    }
}
