package io.drey.checkpoint.upload;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Remembers which file of one backend was uploaded as which handle, and decides what the next checkpoint may refer to
 * instead of uploading it again. Bookkeeping only; thread safe.
 *
 * <p>The rule, from what the job manager does with uploads:
 *
 * <ol>
 *   <li>It deletes what a failed checkpoint uploaded. So a handle must be of a <em>confirmed</em> checkpoint.
 *   <li>It deletes what the newest completed checkpoint does not refer to. So the handle must be among those that the
 *       last confirmed checkpoint refers to; an older one's may be gone.
 *   <li>A checkpoint that is still under way may complete first and become that newest one. So every such checkpoint
 *       must refer to the same handle too, and one that uploads the file anew forbids it.
 * </ol>
 *
 * <p>Checkpoints that never end (a lost notification) are forgotten when a later one is confirmed.
 *
 * @param <H> what an upload is referred to by
 */
public final class UploadLedger<H> {
    /** Checkpoints under way: the handles that they re-use, and once uploaded all handles that they refer to. */
    private final TreeMap<Long, Pending<H>> pending = new TreeMap<>();

    /** What the last confirmed checkpoint refers to. */
    private Map<String, H> confirmed;

    private long lastBegun;

    private static final class Pending<H> {
        final UploadPlan<H> plan;
        Map<String, H> all;

        Pending(UploadPlan<H> plan) {
            this.plan = plan;
        }
    }

    private UploadLedger(long lastBegun, Map<String, H> confirmed) {
        this.lastBegun = lastBegun;
        this.confirmed = Map.copyOf(confirmed);
    }

    /** A ledger without uploads: of a new job, or of one that may not share files with what it was restored from. */
    public static <H> UploadLedger<H> empty() {
        return new UploadLedger<>(Long.MIN_VALUE, Map.of());
    }

    /** A ledger that starts with the files of the checkpoint that was restored and that is the job's own. */
    public static <H> UploadLedger<H> restored(long checkpointId, Map<String, H> handles) {
        return new UploadLedger<>(checkpointId, handles);
    }

    /**
     * Begins a checkpoint, and decides what it re-uses. One whose number is not above all before it re-uses nothing:
     * the rule is about what comes later.
     *
     * @param files all files of the checkpoint; each name stands for the same bytes for ever
     * @param reusable which handles the storage lets this checkpoint refer to; none for a full checkpoint
     */
    public synchronized UploadPlan<H> begin(long checkpointId, Collection<String> files, Predicate<H> reusable) {
        boolean mayReuse = checkpointId > lastBegun;
        lastBegun = Math.max(lastBegun, checkpointId);
        Map<String, H> reused = new HashMap<>();
        List<String> uploads = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String file : files) {
            if (!seen.add(file)) {
                throw new IllegalArgumentException("expected each file once, found " + file + " twice");
            }
            H handle = confirmed.get(file);
            if (mayReuse && handle != null && allPendingReuse(file) && reusable.test(handle)) {
                reused.put(file, handle);
            } else {
                uploads.add(file);
            }
        }
        UploadPlan<H> plan = new UploadPlan<>(reused, uploads);
        pending.put(checkpointId, new Pending<>(plan));
        return plan;
    }

    /** Whether all checkpoints under way refer to the file's confirmed handle: they all re-use that one or none. */
    private boolean allPendingReuse(String file) {
        for (Pending<H> other : pending.values()) {
            if (!other.plan.reused().containsKey(file)) {
                return false;
            }
        }
        return true;
    }

    /**
     * All uploads of a checkpoint are done.
     *
     * @param handles a handle for each file that the plan told to upload
     * @return false if the checkpoint was aborted or subsumed meanwhile: then its uploads are of no use
     */
    public synchronized boolean uploaded(long checkpointId, Map<String, H> handles) {
        Pending<H> checkpoint = pending.get(checkpointId);
        if (checkpoint == null) {
            return false;
        }
        if (checkpoint.all != null || !handles.keySet().equals(new HashSet<>(checkpoint.plan.uploads()))) {
            throw new IllegalStateException("expected the handles of " + checkpoint.plan.uploads() + " of checkpoint "
                    + checkpointId + " once, found those of " + handles.keySet()
                    + (checkpoint.all == null ? "" : " again"));
        }
        Map<String, H> all = new HashMap<>(checkpoint.plan.reused());
        handles.forEach((file, handle) -> all.put(file, Objects.requireNonNull(handle)));
        checkpoint.all = Map.copyOf(all);
        return true;
    }

    /** The checkpoint is complete: the next ones may refer to its files. An older or unknown one changes nothing. */
    public synchronized void confirm(long checkpointId) {
        Pending<H> checkpoint = pending.get(checkpointId);
        if (checkpoint == null) {
            return;
        }
        if (checkpoint.all == null) {
            throw new IllegalStateException("checkpoint " + checkpointId + " was confirmed before it was uploaded");
        }
        confirmed = checkpoint.all;
        pending.headMap(checkpointId, true).clear();
    }

    /** The checkpoint failed, here or elsewhere: its uploads are deleted. */
    public synchronized void abort(long checkpointId) {
        pending.remove(checkpointId);
    }

    /** Checkpoints begun, and neither confirmed nor aborted nor subsumed. */
    public synchronized Set<Long> pending() {
        return Set.copyOf(pending.keySet());
    }
}
