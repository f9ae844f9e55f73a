package io.drey.checkpoint.upload;

import io.drey.checkpoint.upload.Listing.Sharing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/**
 * Remembers which file of one backend was uploaded as which handle, which checkpoints list it, and who deletes it.
 * Bookkeeping only; thread safe.
 *
 * <p>The job manager registers what an acknowledged checkpoint lists, also if that one has failed meanwhile, and deletes
 * an upload when its oldest retained checkpoint is younger than the last that listed the upload. So:
 *
 * <ol>
 *   <li>An upload is listed by the checkpoints between a first and a last one, by all of them, in the order of barriers.
 *       Then whichever of them completes, no upload is deleted that another one under way lists: the completed one lists
 *       it too, or is younger than all that do, or older. Whether they were confirmed does not matter.
 *   <li>An upload whose listings were all withdrawn is unknown to the job manager. It stays for later checkpoints as long
 *       as they may list it, and goes to the trash then. All others are the job manager's.
 * </ol>
 *
 * <p>What a checkpoint consists of is known after its barrier, maybe in another order than that of barriers. So an
 * upload that a younger checkpoint lists already, and an older one too, has to be listed by those between; and one is
 * forgotten only when all checkpoints have decided that still could want it.
 *
 * @param <H> what an upload is referred to by
 */
public final class UploadLedger<H> implements AutoCloseable {
    /** Checkpoints that are neither confirmed nor aborted, whose end is waited for; older ones are given up. */
    private static final int UNCONFIRMED_MAX = 256;

    private static final long RESTORED = 0;

    private final Consumer<H> trash;
    private final Consumer<H> forgotten;

    /** By file, in the order of places; their ranges of places do not overlap. */
    private final Map<String, List<Upload<H>>> uploads = new HashMap<>();

    /** Those whose files are not known yet, by place. */
    private final TreeMap<Long, Listing<H>> undecided = new TreeMap<>();

    private final TreeMap<Long, Listing<H>> unconfirmed = new TreeMap<>();
    private long lastPlace = RESTORED;
    private long lastId = Long.MIN_VALUE;
    private long generation;
    private boolean closed;

    /**
     * A ledger that starts with the files of the restored checkpoint.
     *
     * @param restored files that the job manager owns, by name; none if they may not be shared
     * @param trash takes what is to be deleted, soon and in any thread
     * @param forgotten told once of each upload that no further checkpoint will list; under the lock of this
     */
    public UploadLedger(Map<String, H> restored, Consumer<H> trash, Consumer<H> forgotten) {
        this.trash = trash;
        this.forgotten = forgotten;
        restored.forEach((file, handle) -> {
            Upload<H> upload = new Upload<>(file, generation, RESTORED);
            upload.state = Upload.State.STORED;
            upload.handle = handle;
            upload.confirmed = true;
            upload.listings = 1;
            uploads.put(file, new ArrayList<>(List.of(upload)));
        });
    }

    /**
     * Gives a checkpoint its place after all before it, with the barrier. One whose number is not above all before it
     * shares nothing; one after the end is withdrawn.
     *
     * @param full whether it lists nothing that was uploaded for earlier ones; later ones list nothing older either
     */
    public synchronized Listing<H> enter(long checkpointId, boolean full, Sharing<H> sharing) {
        if (checkpointId <= lastId) {
            return alone();
        }
        lastId = checkpointId;
        generation += full ? 1 : 0;
        Listing<H> listing = place(checkpointId, sharing);
        unconfirmed.put(checkpointId, listing);
        if (unconfirmed.size() > UNCONFIRMED_MAX) {
            giveUp(unconfirmed.pollFirstEntry().getValue());
        }
        return listing;
    }

    /**
     * Takes a place for uploads ahead of the next checkpoint, which is never acknowledged: once it is withdrawn, its
     * uploads stay for those that come.
     */
    public synchronized Listing<H> ahead(Sharing<H> sharing) {
        return place(lastId + 1, sharing);
    }

    private Listing<H> place(long first, Sharing<H> sharing) {
        Listing<H> listing = new Listing<>(this, ++lastPlace, first, generation, sharing);
        listing.withdrawn = closed;
        if (!closed) {
            undecided.put(listing.place, listing);
        }
        return listing;
    }

    /** A place outside of the order: for a savepoint. */
    public Listing<H> alone() {
        return new Listing<>(this, Listing.ALONE, Listing.ALONE, 0, new Sharing<>(false, handle -> false));
    }

    synchronized void decide(Listing<H> checkpoint, Collection<String> files) {
        checkNotWithdrawn(checkpoint);
        if (checkpoint.uploads != null) {
            throw new IllegalStateException("expected the files of a checkpoint to be decided once");
        }
        Map<String, Upload<H>> listed = new LinkedHashMap<>();
        for (String file : files) {
            Upload<H> upload = checkpoint.place == Listing.ALONE ? alone(file) : choose(checkpoint, file);
            if (listed.put(file, upload) != null) {
                throw new IllegalArgumentException("expected each file once, found " + file + " twice");
            }
        }
        listed.values().forEach(upload -> upload.listings++);
        checkpoint.uploads = listed;
        if (checkpoint.place != Listing.ALONE) {
            undecided.remove(checkpoint.place);
            endOthers(checkpoint);
            prune();
        }
    }

    private Upload<H> alone(String file) {
        Upload<H> upload = new Upload<>(file, 0, Listing.ALONE);
        upload.left = true;
        return upload;
    }

    /**
     * The upload that a checkpoint lists for a file. One between others that list an upload lists it too: it is stored,
     * since what is not has one place.
     */
    private Upload<H> choose(Listing<H> checkpoint, String file) {
        List<Upload<H>> known = uploads.computeIfAbsent(file, absent -> new ArrayList<>(1));
        int next = 0;
        while (next < known.size() && known.get(next).last < checkpoint.place) {
            next++;
        }
        if (next < known.size() && known.get(next).first <= checkpoint.place) {
            return known.get(next);
        }
        if (next > 0 && mayList(checkpoint, known.get(next - 1))) {
            return known.get(next - 1).listedAt(checkpoint.place);
        }
        if (next < known.size() && mayList(checkpoint, known.get(next))) {
            return known.get(next).listedAt(checkpoint.place);
        }
        Upload<H> upload = new Upload<>(file, checkpoint.generation, checkpoint.place);
        known.add(next, upload);
        return upload;
    }

    /**
     * Whether nobody else has to write an upload: that may take for ever, and no checkpoint waits for another one.
     */
    private static boolean isAtHand(Upload<?> upload) {
        return upload.state == Upload.State.STORED || (upload.state == Upload.State.WANTED && upload.listings == 0);
    }

    private static <H> boolean mayList(Listing<H> checkpoint, Upload<H> upload) {
        return isAtHand(upload)
                && upload.generation == checkpoint.generation
                && (upload.confirmed || checkpoint.sharing.unconfirmed())
                && (upload.handle == null || checkpoint.sharing.reusable().test(upload.handle));
    }

    /** What lies before a checkpoint and is not listed by it ends there. */
    private void endOthers(Listing<H> checkpoint) {
        for (List<Upload<H>> known : uploads.values()) {
            for (Upload<H> upload : known) {
                if (upload.last < checkpoint.place) {
                    upload.end = Math.min(upload.end, checkpoint.place);
                }
            }
        }
    }

    /** Forgets what no checkpoint can list any more: those before its end have decided. */
    private void prune() {
        long open = undecided.isEmpty() ? Long.MAX_VALUE : undecided.firstKey();
        Iterator<List<Upload<H>>> files = uploads.values().iterator();
        while (files.hasNext()) {
            List<Upload<H>> known = files.next();
            known.removeIf(upload -> {
                boolean ended = upload.end != Long.MAX_VALUE && upload.end < open;
                if (ended) {
                    leave(upload);
                }
                return ended;
            });
            if (known.isEmpty()) {
                files.remove();
            }
        }
    }

    private void leave(Upload<H> upload) {
        upload.left = true;
        if (upload.state == Upload.State.STORED) {
            forgotten.accept(upload.handle);
        }
        dropIfUnlisted(upload);
    }

    private void dropIfUnlisted(Upload<H> upload) {
        if (upload.left && upload.listings == 0 && upload.state == Upload.State.STORED) {
            upload.state = Upload.State.GONE;
            trash.accept(upload.handle);
        }
    }

    synchronized List<String> claim(Listing<H> checkpoint) {
        checkNotWithdrawn(checkpoint);
        List<String> wanted = new ArrayList<>();
        for (Upload<H> upload : checkpoint.uploads.values()) {
            if (upload.state == Upload.State.WANTED) {
                upload.state = Upload.State.RUNNING;
                wanted.add(upload.file);
            }
        }
        return wanted;
    }

    synchronized void stored(Listing<H> checkpoint, Map<String, H> handles) {
        handles.forEach((file, handle) -> {
            Upload<H> upload = running(checkpoint, file);
            upload.state = Upload.State.STORED;
            upload.handle = handle;
            if (upload.left) {
                forgotten.accept(handle);
            }
            dropIfUnlisted(upload);
        });
    }

    synchronized void failed(Listing<H> checkpoint, Collection<String> files) {
        files.forEach(file -> running(checkpoint, file).state = Upload.State.WANTED);
    }

    private static <H> Upload<H> running(Listing<H> checkpoint, String file) {
        Upload<H> upload = checkpoint.uploads.get(file);
        if (upload == null || upload.state != Upload.State.RUNNING) {
            throw new IllegalStateException("expected file " + file + " to be claimed, found it "
                    + (upload == null ? "in no listing" : upload.state.toString()));
        }
        return upload;
    }

    synchronized Map<String, Listing.Reference<H>> references(Listing<H> checkpoint) {
        checkNotWithdrawn(checkpoint);
        Map<String, Listing.Reference<H>> references = new LinkedHashMap<>();
        checkpoint.uploads.forEach((file, upload) -> {
            if (upload.state != Upload.State.STORED) {
                throw new IllegalStateException("expected file " + file + " to be stored, found it " + upload.state);
            }
            references.put(file, new Listing.Reference<>(upload.handle, upload.confirmed));
        });
        return references;
    }

    synchronized void withdraw(Listing<H> checkpoint) {
        if (checkpoint.withdrawn) {
            return;
        }
        unconfirmed.values().remove(checkpoint);
        giveUp(checkpoint);
        if (checkpoint.uploads != null) {
            checkpoint.withdrawn = true;
            for (Upload<H> upload : checkpoint.uploads.values()) {
                upload.listings--;
                dropIfUnlisted(upload);
            }
        }
    }

    private static <H> void checkNotWithdrawn(Listing<H> checkpoint) {
        if (checkpoint.withdrawn) {
            throw new CancellationException("the checkpoint was cancelled");
        }
    }

    /** The checkpoint is complete on all tasks: none before it will be. An older or unknown one changes nothing. */
    public synchronized void confirm(long checkpointId) {
        Listing<H> checkpoint = unconfirmed.get(checkpointId);
        if (checkpoint == null) {
            return;
        }
        if (checkpoint.uploads == null) {
            throw new IllegalStateException("checkpoint " + checkpointId + " was confirmed before it was uploaded");
        }
        checkpoint.uploads.values().forEach(upload -> upload.confirmed = true);
        unconfirmed.remove(checkpointId);
        forgetBefore(checkpointId);
    }

    private void forgetBefore(long checkpointId) {
        Map<Long, Listing<H>> older = unconfirmed.headMap(checkpointId);
        older.values().forEach(this::giveUp);
        older.clear();
    }

    /** The checkpoint failed, here or elsewhere. What it uploaded stays to whoever it belongs to. */
    public synchronized void abort(long checkpointId) {
        Listing<H> checkpoint = unconfirmed.remove(checkpointId);
        if (checkpoint != null) {
            giveUp(checkpoint);
        }
    }

    /**
     * One that does not complete ends here if it does not know its files yet: it keeps nobody waiting for its decision
     * and uploads nothing. If it does, the job manager may know them too.
     */
    private void giveUp(Listing<H> checkpoint) {
        if (checkpoint.uploads == null) {
            checkpoint.withdrawn = true;
            undecided.remove(checkpoint.place);
            prune();
        }
    }

    /** No checkpoint is taken any more: what none lists goes to the trash, what those under way list when they end. */
    @Override
    public synchronized void close() {
        closed = true;
        List.copyOf(undecided.values()).forEach(this::giveUp);
        unconfirmed.clear();
        uploads.values().forEach(known -> known.forEach(this::leave));
        uploads.clear();
    }
}
