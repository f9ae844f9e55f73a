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
 *   <li>An earlier checkpoint that is still under way may complete first and become that newest one. So every such
 *       checkpoint must refer to the same handle too, and one that uploads the file anew forbids it.
 * </ol>
 *
 * <p>A checkpoint takes its place in the order before anything else happens for it ({@link #enter}), but what it
 * consists of is known later ({@link #plan}), and maybe in another order. One that has a place only has no plan that
 * others could look at; but it has, as all between two that have it, the confirmed file that a later one wants to refer
 * to. So that one is promised to it: whatever the storage says by then, its plan will refer to it too.
 *
 * <p>Checkpoints that never end (a lost notification) are forgotten when a later one is confirmed.
 *
 * @param <H> what an upload is referred to by
 */
public final class UploadLedger<H> {
    /** Checkpoints under way. */
    private final TreeMap<Long, Pending<H>> pending = new TreeMap<>();

    /** What the last confirmed checkpoint refers to. */
    private Map<String, H> confirmed;

    private long lastEntered;

    private static final class Pending<H> {
        /** Which handles the storage lets it refer to. */
        final Predicate<H> reusable;

        /** Handles that it must refer to, because a later one does. */
        final Map<String, H> promised = new HashMap<>();

        /** Null until its files are known. */
        UploadPlan<H> plan;

        /** The handles of all its files; null until they are uploaded. */
        Map<String, H> all;

        Pending(Predicate<H> reusable) {
            this.reusable = reusable;
        }

        boolean refersTo(String file, H handle) {
            return plan == null ? reusable.test(handle) : plan.reused().containsKey(file);
        }
    }

    private UploadLedger(long lastEntered, Map<String, H> confirmed) {
        this.lastEntered = lastEntered;
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
     * Gives a checkpoint its place after all before it. One whose number is not above all before it re-uses nothing:
     * the rule is about what comes later.
     *
     * @param reusable which handles the storage lets this checkpoint refer to now, none for a full checkpoint; called
     *     by any thread
     */
    public synchronized void enter(long checkpointId, Predicate<H> reusable) {
        boolean mayReuse = checkpointId > lastEntered;
        lastEntered = Math.max(lastEntered, checkpointId);
        pending.put(checkpointId, new Pending<>(mayReuse ? reusable : handle -> false));
    }

    /**
     * Decides what a checkpoint re-uses. One without a place, because it was aborted or overtaken, re-uses nothing.
     *
     * @param files all files of the checkpoint; each name stands for the same bytes for ever, and a file that an
     *     earlier and a later checkpoint have is in all between them
     */
    public synchronized UploadPlan<H> plan(long checkpointId, Collection<String> files) {
        Pending<H> checkpoint = pending.get(checkpointId);
        if (checkpoint != null && checkpoint.plan != null) {
            throw new IllegalStateException("checkpoint " + checkpointId + " was planned twice");
        }
        Map<String, H> reused = new HashMap<>();
        List<String> uploads = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String file : files) {
            if (!seen.add(file)) {
                throw new IllegalArgumentException("expected each file once, found " + file + " twice");
            }
            H handle = checkpoint == null ? null : reusable(checkpointId, checkpoint, file);
            if (handle == null) {
                uploads.add(file);
            } else {
                reused.put(file, handle);
            }
        }
        UploadPlan<H> plan = new UploadPlan<>(reused, uploads);
        if (checkpoint != null) {
            if (!seen.containsAll(checkpoint.promised.keySet())) {
                throw new IllegalStateException("expected checkpoint " + checkpointId + " to have the files "
                        + checkpoint.promised.keySet() + ", as those before and after it, found " + seen);
            }
            promise(checkpointId, reused);
            checkpoint.plan = plan;
        }
        return plan;
    }

    /** What a checkpoint refers to instead of uploading a file, or null. */
    private H reusable(long checkpointId, Pending<H> checkpoint, String file) {
        H promised = checkpoint.promised.get(file);
        if (promised != null) {
            return promised;
        }
        H handle = confirmed.get(file);
        if (handle == null || !checkpoint.reusable.test(handle)) {
            return null;
        }
        for (Pending<H> earlier : pending.headMap(checkpointId).values()) {
            if (!earlier.refersTo(file, handle)) {
                return null;
            }
        }
        return handle;
    }

    /** Has the checkpoints before this one that have no plan yet refer to what it refers to. */
    private void promise(long checkpointId, Map<String, H> reused) {
        for (Pending<H> earlier : pending.headMap(checkpointId).values()) {
            if (earlier.plan == null) {
                earlier.promised.putAll(reused);
            }
        }
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

    /** Checkpoints that have a place: neither confirmed nor aborted nor overtaken. */
    public synchronized Set<Long> pending() {
        return Set.copyOf(pending.keySet());
    }
}
