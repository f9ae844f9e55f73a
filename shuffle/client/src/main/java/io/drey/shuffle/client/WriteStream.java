package io.drey.shuffle.client;

import io.drey.shuffle.protocol.block.RegionCost;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fault.Reason;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.protocol.message.Writing;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes one partition. Its public methods are the producer's, of one thread but for {@link #close}; all else belongs
 * to the lane's event loop.
 *
 * <ol>
 *   <li>Regions are sent, without waiting, to one worker within the bytes of credit that it gives ({@link RegionCost}).
 *   <li>A region is kept until the worker has it. If the worker refuses, goes, or asks for a split, those that it did
 *   not
 *       acknowledge are sent to the next candidate, from their first byte.
 *   <li>The commit tells every holder where each region is. It is done when one holder has it, and none denies its
 *   regions.
 * </ol>
 */
public final class WriteStream implements Connection.User {
    private static final int FRAME_BYTES_MAX = 512 << 10;

    /** A region that was not acknowledged yet. */
    private static final class Pending {
        private final int number;
        private final Region region;
        private final CompletableFuture<Void> done;
        private boolean hasBegun;
        private boolean hasEnded;
        private int part;
        private int offset;

        private Pending(int number, Region region, CompletableFuture<Void> done) {
            this.number = number;
            this.region = region;
            this.done = done;
        }

        private void restart() {
            hasBegun = false;
            hasEnded = false;
            part = 0;
            offset = 0;
        }
    }

    private final Lane lane;
    private final WorkerDirectory directory;
    private final Counts counts;
    private final PartitionKey key;
    private final long seed;
    private final List<Candidate> candidates;
    private final int subpartitions;
    private final Consumer<Throwable> onFailure;
    private final Patience patience;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private volatile Throwable failure;

    private final ArrayDeque<Pending> queue = new ArrayDeque<>();
    private final List<UUID> holders = new ArrayList<>();

    /** Workers that may have something of it. */
    private final Set<Candidate> asked = new LinkedHashSet<>();

    private final Map<UUID, UUID> incarnations = new HashMap<>();
    private int regions;

    /** Regions that ended early: a region has blocks for one subpartition each, or blocks for all. */
    private int turns;

    private boolean isForAll;
    private int at;
    private int refusals;

    /** A worker of the round that is under way had no memory: it is there, and others will be done some time. */
    private boolean isBusy;

    private Connection connection;
    private int stream;
    private boolean isAsked;
    private boolean isOpened;
    private boolean isPausing;
    private boolean isSplitting;
    private long credit;
    private boolean isOver;
    private PartitionManifest manifest;
    private int attributes;
    private long[] subpartitionBytes;

    WriteStream(
            Lane lane,
            WorkerDirectory directory,
            Counts counts,
            PartitionKey key,
            List<Candidate> candidates,
            int subpartitions,
            Consumer<Throwable> onFailure) {
        this.lane = lane;
        this.directory = directory;
        this.counts = counts;
        this.key = key;
        this.seed = key.seed();
        this.candidates = candidates;
        this.subpartitions = subpartitions;
        this.onFailure = onFailure;
        patience = lane.patience();
    }

    /** Sends a region; returns at once. Its memory bounds what is under way. */
    public void write(Region.Builder region) throws IOException {
        send(region);
    }

    /**
     * Sends a region and waits until a worker has it. After an interrupt its bytes may be read for a moment still: the
     * partition is closed by then, and never committed.
     */
    public void writeAndWait(Region.Builder region) throws IOException, InterruptedException {
        CompletableFuture<Void> acknowledged = send(region);
        try {
            await(acknowledged);
        } finally {
            if (!acknowledged.isDone()) {
                close();
            }
        }
    }

    private CompletableFuture<Void> send(Region.Builder blocks) throws IOException {
        if (failure != null) {
            blocks.discard();
            throw new IOException("cannot write " + key, failure);
        }
        Region region;
        try {
            region = blocks.build(seed);
        } catch (RuntimeException | Error e) {
            blocks.discard();
            throw e;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        lane.loop().execute(() -> {
            if (isOver) {
                region.release();
                done.completeExceptionally(failure == null ? new IOException(key + " is closed") : failure);
                return;
            }
            turns += regions > 0 && region.isBroadcast() != isForAll ? 1 : 0;
            isForAll = region.isBroadcast();
            queue.add(new Pending(regions++, region, done));
            if (regions > PartitionManifest.REGIONS_MAX) {
                fail(new IOException("expected at most " + PartitionManifest.REGIONS_MAX + " regions in " + key
                        + ", found more; " + turns + " of them begin where blocks for one subpartition turn to blocks"
                        + " for all, or back: if most do, send events between records less often; else give producers"
                        + " more network memory, or use more of them"));
                return;
            }
            guarded(this::go);
        });
        return done;
    }

    /**
     * Commits the partition and waits until it is.
     *
     * @param attributesOfCommit what readers are given at their end, 0 to 255
     * @param bytes per subpartition, for whoever asks later
     */
    public void finish(int attributesOfCommit, long[] bytes) throws IOException, InterruptedException {
        await(commit(attributesOfCommit, bytes));
    }

    /** Commits the partition; the result is done when it is. */
    CompletableFuture<Void> commit(int attributesOfCommit, long[] bytes) {
        lane.loop().execute(() -> {
            attributes = attributesOfCommit;
            subpartitionBytes = bytes;
            guarded(this::commitIfWritten);
        });
        return finished;
    }

    private void await(CompletableFuture<Void> future) throws IOException, InterruptedException {
        try {
            future.get();
        } catch (ExecutionException e) {
            throw new IOException("cannot write " + key, e.getCause());
        }
    }

    /** Ends the writer; what is not committed is worth nothing. May be called by any thread, and again. */
    public void close() {
        lane.loop().execute(() -> {
            if (!isOver) {
                over(new IOException(key + " was closed before its commit"));
            }
        });
    }

    /** What goes wrong in the loop ends the partition: else its producer would wait for ever. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void fail(Throwable cause) {
        if (!isOver) {
            failure = cause;
            over(cause);
            onFailure.accept(cause);
        }
    }

    private void over(Throwable cause) {
        isOver = true;
        if (failure == null) {
            failure = cause;
        }
        leave();
        for (Pending pending : queue) {
            pending.region.release();
            pending.done.completeExceptionally(cause);
        }
        queue.clear();
        finished.completeExceptionally(cause);
        patience.progress();
        asked.forEach(this::giveUp);
    }

    /**
     * Nobody else releases an attempt that failed or was cancelled. A worker that does not answer in time keeps the data
     * until the job ends.
     */
    private void giveUp(Candidate worker) {
        Release message = new Release(key.job(), 0, List.of(key), true);
        new Request(lane.connection(worker), FrameType.RELEASE, message, (answer, cause) -> {
            if (answer == null && !patience.isOver()) {
                lane.loop().schedule(() -> giveUp(worker), patience.nextPauseMs(), TimeUnit.MILLISECONDS);
            }
        });
    }

    private void leave() {
        if (connection != null) {
            if (connection.isOpen() && isAsked) {
                connection.send(FrameType.CLOSE_WRITE, 0, stream, 0, 0);
            }
            connection.detach(stream);
            connection = null;
        }
        isAsked = false;
        isOpened = false;
        isSplitting = false;
        credit = 0;
    }

    /** Sends what can be sent, and looks for a worker if there is none. */
    private void go() {
        if (isOver || queue.isEmpty() || isPausing) {
            return;
        }
        if (connection == null) {
            connection = lane.connection(candidates.get(at));
            stream = connection.attach(this);
            if (connection.isOpen()) {
                opened();
            }
        } else if (isOpened) {
            pump();
        }
    }

    @Override
    public void opened() {
        UUID worker = connection.worker();
        UUID before = incarnations.get(worker);
        if (before != null && !before.equals(connection.incarnation())) {
            fail(new IOException("worker " + worker + " lost its storage with regions of " + key));
            return;
        }
        isAsked = true;
        asked.add(candidates.get(at));
        connection.send(FrameType.OPEN, stream, 0, 0, new Writing.Open(key, subpartitions));
    }

    @Override
    public void control(FrameHeader header, ByteBuf body) {
        switch (header.type()) {
            case OPENED -> {
                isOpened = true;
                credit = header.value();
                pump();
            }
            case WRITE_CREDIT -> {
                credit += header.value();
                pump();
            }
            case ACK -> acknowledged(header.count(), header.has(FrameType.SPLIT));
            case REFUSED -> refused(Fault.read(new FieldReader("REFUSED", body)));
            default -> {}
        }
    }

    @Override
    public void writable() {
        if (isOpened) {
            pump();
        }
    }

    private void pump() {
        for (Pending pending : queue) {
            if (pending.hasEnded) {
                continue;
            }
            if (isSplitting && !pending.hasBegun) {
                return;
            }
            if (!pending.hasBegun) {
                if (credit <= 0) {
                    return;
                }
                pending.hasBegun = true;
                credit -= RegionCost.BEGIN_BYTES;
                int flag = pending.region.isBroadcast() ? FrameType.BROADCAST : 0;
                connection.send(FrameType.BEGIN, flag, stream, pending.number, 0);
            }
            while (pending.part < pending.region.parts().size()) {
                if (credit <= 0 || !connection.isWritable()) {
                    return;
                }
                sendSome(pending);
            }
            if (credit <= 0) {
                return;
            }
            pending.hasEnded = true;
            credit -= RegionCost.endBytes(pending.region.subpartitions());
            connection.send(FrameType.END, 0, stream, pending.number, pending.region.blocks());
        }
    }

    private void sendSome(Pending pending) {
        List<ByteBuffer> parts = pending.region.parts();
        int room = (int) Math.min(FRAME_BYTES_MAX, credit);
        int length = 0;
        List<ByteBuf> some = new ArrayList<>();
        while (length < room && pending.part < parts.size()) {
            ByteBuffer part = parts.get(pending.part);
            int left = part.remaining() - pending.offset;
            int take = Math.min(left, room - length);
            some.add(Region.wrap(part, pending.offset, take));
            length += take;
            pending.offset += take;
            if (take == left) {
                pending.part++;
                pending.offset = 0;
            }
        }
        credit -= length;
        connection.sendBlocks(stream, pending.region, some, length);
    }

    private void acknowledged(int number, boolean split) {
        Pending done = null;
        for (Pending pending : queue) {
            done = pending.number == number && pending.hasEnded ? pending : done;
        }
        if (done == null) {
            // Sent again meanwhile, elsewhere.
            return;
        }
        queue.remove(done);
        while (holders.size() <= number) {
            holders.add(null);
        }
        holders.set(number, connection.worker());
        incarnations.put(connection.worker(), connection.incarnation());
        counts.bytesWritten.add(done.region.bytes());
        refusals = 0;
        done.region.release();
        done.done.complete(null);
        isSplitting |= split;
        if (isSplitting && queue.stream().noneMatch(pending -> pending.hasBegun)) {
            leave();
            takeNext();
            guarded(this::go);
        }
        guarded(this::commitIfWritten);
    }

    private void refused(Fault fault) {
        IOException cause = new IOException("worker " + connection.worker() + " refuses: " + fault);
        connection.detach(stream);
        connection = null;
        switch (fault.reason()) {
            case BUSY, FULL, DRAINING, FAILING, OTHER -> {
                nextCandidate(cause, fault.reason() == Reason.BUSY);
            }
            default -> fail(cause);
        }
    }

    @Override
    public void disconnected(Throwable cause) {
        connection = null;
        nextCandidate(cause, false);
    }

    private void nextCandidate(Throwable cause, boolean noMemory) {
        leave();
        if (queue.isEmpty()) {
            // Nobody waits: the next region asks the next candidate, and its patience begins then.
            takeNext();
            return;
        }
        for (Pending pending : queue) {
            if (pending.hasBegun) {
                counts.regionsResent.increment();
                pending.restart();
            }
        }
        turn(cause, noMemory, this::go);
    }

    private void takeNext() {
        at = (at + 1) % candidates.size();
    }

    /**
     * Goes on with the next candidate: at once, or after a round of all in vain after a pause.
     *
     * @param noMemory whether this one answered that it has none
     */
    private void turn(Throwable cause, boolean noMemory, Runnable then) {
        takeNext();
        if (refusals == 0) {
            // The limit counts from the first refusal, however long the producer was quiet before.
            patience.progress();
        }
        if (noMemory) {
            // If it goes away now, however long it was waited for, it may come back.
            patience.answered();
        }
        boolean isNewRound = refusals % candidates.size() == 0;
        isBusy = noMemory || (isBusy && !isNewRound);
        if (++refusals % candidates.size() != 0) {
            guarded(then);
            return;
        }
        if (isBusy ? patience.isLongOver() : patience.isOver()) {
            fail(new IOException(
                    "no worker took data of " + key + " for " + patience + ", tried " + candidates, cause));
            return;
        }
        isPausing = true;
        candidates.forEach(each -> directory.look(each.worker()));
        lane.loop()
                .schedule(
                        () -> {
                            isPausing = false;
                            guarded(then);
                        },
                        patience.nextPauseMs(),
                        TimeUnit.MILLISECONDS);
    }

    private void commitIfWritten() {
        if (subpartitionBytes == null || !queue.isEmpty() || isOver || manifest != null) {
            return;
        }
        leave();
        List<UUID> workers = new ArrayList<>();
        int[] indexes = new int[regions];
        for (int i = 0; i < regions; i++) {
            if (!workers.contains(holders.get(i))) {
                workers.add(holders.get(i));
            }
            indexes[i] = workers.indexOf(holders.get(i));
        }
        manifest = new PartitionManifest(workers, indexes, subpartitionBytes, attributes);
        refusals = 0;
        commit();
    }

    private void commit() {
        if (isOver) {
            return;
        }
        List<Candidate> whom = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (manifest.workers().contains(candidate.worker())) {
                whom.add(candidate);
            }
        }
        if (manifest.regions() == 0) {
            whom.add(candidates.get(at));
        }
        new CommitRound(lane, whom, new Writing.Commit(key, manifest), incarnations, outcome -> {
                    if (isOver) {
                        return;
                    }
                    if (outcome.denial() != null) {
                        fail(outcome.denial());
                    } else if (outcome.committed() > 0) {
                        isOver = true;
                        finished.complete(null);
                        patience.progress();
                        tellOthers(outcome.untold());
                    } else {
                        turn(outcome.lastCause(), false, this::commit);
                    }
                })
                .start();
    }

    /** Holders that were away learn of the commit when they are back: within the longest time that readers wait for them. */
    private void tellOthers(List<Candidate> untold) {
        if (untold.isEmpty() || patience.isLongOver()) {
            return;
        }
        lane.loop()
                .schedule(
                        () -> new CommitRound(
                                        lane,
                                        untold,
                                        new Writing.Commit(key, manifest),
                                        incarnations,
                                        outcome -> tellOthers(outcome.untold()))
                                .start(),
                        patience.nextPauseMs(),
                        TimeUnit.MILLISECONDS);
    }
}
