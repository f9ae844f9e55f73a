package io.drey.flink.state.changelog;

import io.drey.checkpoint.retention.SharedName;
import io.drey.checkpoint.upload.Writes;
import io.drey.flink.state.changelog.ChangelogFileWrite.Written;
import io.drey.flink.state.changelog.ChangelogSection.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;

/**
 * The sections of one log that a checkpoint may list, and the checkpoints that wait for them. Those that were truncated
 * are forgotten: they are in what was materialized. Guarded by its {@link ChangelogUploads}.
 */
final class ChangelogSections {
    private final ChangelogUploads uploads;
    private final KeyGroupRange keyGroups;
    private final NavigableMap<Long, ChangelogSection> sections = new TreeMap<>();
    private final List<Persist> persists = new ArrayList<>();
    private long truncated;
    private long lastCheckpoint = -1;

    /** A checkpoint that waits until sections are stored, also when the log is truncated meanwhile. */
    private record Persist(
            List<ChangelogSection> sections,
            long checkpoint,
            CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> future) {
        boolean isStored() {
            return sections.stream().allMatch(section -> section.state == State.STORED);
        }
    }

    ChangelogSections(ChangelogUploads uploads, KeyGroupRange keyGroups) {
        this.uploads = uploads;
        this.keyGroups = keyGroups;
        uploads.opened();
    }

    /** Takes a section that has grown. */
    void add(ChangelogSection section) {
        synchronized (uploads) {
            section.first = lastCheckpoint < 0 ? SharedName.UNKNOWN_FIRST : lastCheckpoint + 1;
            sections.put(section.number, section);
            uploads.add(section);
        }
    }

    /** What a checkpoint lists, once it is stored: sections of these numbers. */
    CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> persist(long from, long to, long checkpoint)
            throws IOException {
        CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> future = new CompletableFuture<>();
        List<Runnable> tell = new ArrayList<>();
        synchronized (uploads) {
            if (from < truncated || from > to) {
                throw new IllegalArgumentException("expected changes from " + truncated + " to " + to
                        + " to be wanted, found " + from + ": earlier ones are materialized");
            }
            lastCheckpoint = checkpoint;
            Persist persist = new Persist(List.copyOf(sections.subMap(from, to).values()), checkpoint, future);
            boolean waits = false;
            for (ChangelogSection section : persist.sections) {
                section.users++;
                section.awaited++;
                waits |= section.state == State.WAITING;
                if (section.first == SharedName.UNKNOWN_FIRST) {
                    section.first = checkpoint;
                }
            }
            persists.add(persist);
            uploads.request(checkpoint, waits);
            stored(tell);
        }
        tell.forEach(Runnable::run);
        return future;
    }

    private SnapshotResult<ChangelogStateHandleStreamImpl> list(List<ChangelogSection> wanted) {
        List<Tuple2<StreamStateHandle, Long>> listed = new ArrayList<>(wanted.size());
        long bytes = 0;
        long added = 0;
        for (ChangelogSection section : wanted) {
            listed.add(Tuple2.of(section.file.handle(), section.offset));
            bytes += section.storedBytes();
            added += section.listed ? 0 : section.storedBytes();
            section.listed = true;
            section.file.list();
        }
        return SnapshotResult.of(new ChangelogStateHandleStreamImpl(
                listed, keyGroups, bytes, added, DreyChangelogStorageFactory.IDENTIFIER));
    }

    /** Takes out the checkpoints that have all they wait for; what comes back tells them, outside the lock. */
    void stored(List<Runnable> tell) {
        for (Iterator<Persist> each = persists.iterator(); each.hasNext(); ) {
            Persist persist = each.next();
            if (persist.isStored()) {
                each.remove();
                SnapshotResult<ChangelogStateHandleStreamImpl> result = list(persist.sections);
                end(persist);
                tell.add(() -> persist.future.complete(result));
            }
        }
    }

    /** A section could not be stored: the checkpoints that wait for it fail, and it waits for the next one. */
    void failed(ChangelogSection section, IOException cause, List<Runnable> tell) {
        fail(persist -> persist.sections.contains(section), cause, tell);
    }

    /** Fails checkpoints, and returns the sections that they waited for. */
    private List<ChangelogSection> fail(Predicate<Persist> which, Exception cause, List<Runnable> tell) {
        List<ChangelogSection> given = new ArrayList<>();
        for (Iterator<Persist> each = persists.iterator(); each.hasNext(); ) {
            Persist persist = each.next();
            if (which.test(persist)) {
                each.remove();
                end(persist);
                given.addAll(persist.sections);
                tell.add(() -> persist.future.completeExceptionally(cause));
            }
        }
        return given;
    }

    /** Nobody takes what a checkpoint would have listed. */
    void abort(long checkpoint) {
        List<Runnable> tell = new ArrayList<>();
        List<Writes<Written>> hanging;
        synchronized (uploads) {
            CancellationException cause = new CancellationException("checkpoint " + checkpoint + " was aborted");
            hanging = uploads.hanging(fail(persist -> persist.checkpoint <= checkpoint, cause, tell));
        }
        hanging.forEach(Writes::close);
        tell.forEach(Runnable::run);
    }

    /** No further checkpoint lists what is before a section; those that wait do. */
    void truncate(long to, long end) {
        synchronized (uploads) {
            if (to > end) {
                throw new IllegalArgumentException(
                        "expected to truncate at most " + end + " sections of a changelog, found " + to);
            }
            truncated = Math.max(truncated, to);
            drop(sections.headMap(to));
        }
    }

    private void drop(Map<Long, ChangelogSection> gone) {
        gone.values().forEach(this::leave);
        gone.clear();
    }

    private void end(Persist persist) {
        for (ChangelogSection section : persist.sections) {
            section.awaited--;
            leave(section);
        }
    }

    private void leave(ChangelogSection section) {
        if (--section.users == 0) {
            uploads.drop(section);
        }
    }

    /** The task has ended. */
    void close() {
        List<Runnable> tell = new ArrayList<>();
        synchronized (uploads) {
            fail(persist -> true, new CancellationException("the changelog was closed with its task"), tell);
            drop(sections);
            uploads.closed();
        }
        tell.forEach(Runnable::run);
    }
}
