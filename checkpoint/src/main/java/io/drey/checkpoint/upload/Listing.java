package io.drey.checkpoint.upload;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The files that one checkpoint refers to. It has a place in the order of barriers from {@link UploadLedger#enter} on,
 * learns its files later ({@link #decide}), writes what nobody has written yet ({@link #claim}), and may be withdrawn at
 * any time until the job manager hears of it. Thread safe.
 */
public final class Listing<H> {
    /**
     * The storage's say in what a checkpoint may list.
     *
     * @param unconfirmed whether it may list what no confirmed checkpoint lists: not where the storage itself deletes
     *     what an aborted checkpoint wrote
     * @param reusable which handles the storage lets it list; called under the ledger's lock
     */
    public record Sharing<H>(boolean unconfirmed, Predicate<H> reusable) {}

    /** A file's handle, and whether a confirmed checkpoint lists it: then the job manager knows it. */
    public record Reference<H>(H handle, boolean confirmed) {}

    /** The place of a checkpoint that shares nothing with others. */
    static final long ALONE = -1;

    final long place;
    final long generation;
    final Sharing<H> sharing;

    /** Null until they are decided; in the order in which they were given. */
    Map<String, Upload<H>> uploads;

    boolean withdrawn;

    private final UploadLedger<H> ledger;
    private final long first;

    Listing(UploadLedger<H> ledger, long place, long first, long generation, Sharing<H> sharing) {
        this.ledger = ledger;
        this.place = place;
        this.first = first;
        this.generation = generation;
        this.sharing = sharing;
    }

    /**
     * The files of the checkpoint are known: from now on it lists an upload of each.
     *
     * @param files each name stands for the same bytes for ever, and a file that an earlier and a later checkpoint have
     *     is in all between them
     * @throws java.util.concurrent.CancellationException if the checkpoint was withdrawn, or can never complete
     */
    public void decide(Collection<String> files) {
        ledger.decide(this, files);
    }

    /**
     * The number of the first checkpoint that may complete with what this one writes, or -1 if it has no place in the
     * order. Once a checkpoint of that number or above has completed without listing what was written, no later one
     * lists it.
     */
    public long first() {
        return first;
    }

    /**
     * The listed files that the caller has to write now, and then say so by {@link #stored} or {@link #failed}; all
     * others are stored.
     *
     * @throws java.util.concurrent.CancellationException if the checkpoint was withdrawn
     */
    public List<String> claim() {
        return ledger.claim(this);
    }

    /** Files that were claimed are written. */
    public void stored(Map<String, H> handles) {
        ledger.stored(this, handles);
    }

    /** Files that were claimed are not written: a later checkpoint may try. */
    public void failed(Collection<String> files) {
        ledger.failed(this, files);
    }

    /** What each file is referred to by, once all are stored. */
    public Map<String, Reference<H>> references() {
        return ledger.references(this);
    }

    /** Nobody will hear of this checkpoint: what only it lists is deleted, unless a later one may list it. */
    public void withdraw() {
        ledger.withdraw(this);
    }
}
