package io.drey.shuffle.client;

import io.drey.shuffle.protocol.block.BlockChecksum;
import io.drey.shuffle.protocol.block.BlockDigest;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.Fetching.Holders;
import io.drey.shuffle.protocol.message.Fetching.ReadEnd;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads a range of subpartitions of one partition, region by region, wherever each is. All but its public methods
 * belongs to the lane's event loop.
 *
 * <ol>
 *   <li>Candidates are asked in order until one has the partition; its answer says who holds each region.
 *   <li>A holder sends blocks while there is credit, and says at its end where the next region is.
 *   <li>After a cut the same holder is asked for what follows the last block that was delivered.
 *   <li>Lost is the partition if all candidates deny it, its holder lost its storage, or a block is damaged twice, or
 *   if a
 *       holder is away longer than the limit and no registry vouches for it.
 * </ol>
 */
public final class ReadStream implements Connection.Reader {
    /** A holder that answered is in order if it sends a block, or with nothing to send for so long does not go away. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Lane lane;
    private final WorkerDirectory directory;
    private final Counts counts;
    private final PartitionKey key;
    private final long seed;
    private final List<Candidate> candidates;
    private final int from;
    private final int to;
    private final ReadListener listener;
    private final AtomicBoolean isCreditDue = new AtomicBoolean();
    private final BlockChecksum checksum = new BlockChecksum();
    private final Patience patience;

    private final Map<UUID, UUID> incarnations = new HashMap<>();
    private final Set<UUID> deniers = new HashSet<>();
    private Holders holders;
    private int asked;
    private Connection connection;
    private int stream;
    private boolean isAsking;
    private boolean isOver;
    private boolean isInTrouble;

    /** Its holder has answered since the trouble began that it does not know the partition. */
    private boolean isDenied;

    /** Registries are asked whether the holder is lost. */
    private boolean isJudged;

    /** The holder that is asked has answered, at this time. */
    private boolean isAnswered;

    private long answeredNanos;

    private int attributes;

    /** Blocks that may still be sent to us. */
    private int credit;
    /** Most that these ever were. */
    private int window;
    /** More than half of them are left, so that more credit waits: one by one, each would wake four threads. */
    private volatile boolean isAmple;

    private int blocksLeft;
    private int region;
    /** Blocks of this region that were delivered. */
    private int block;

    private long regionDigest;
    /** Since the region at which the holder was asked to begin. */
    private long digest;

    private long blocks;
    private int subpartition = -1;
    private int indexInSubpartition;
    private ByteBuffer target;
    private int length;
    private int subpartitionTold;
    private int flags;
    private int expectedChecksum;
    private boolean isDamagedOnce;

    ReadStream(
            Lane lane,
            WorkerDirectory directory,
            Counts counts,
            PartitionKey key,
            List<Candidate> candidates,
            int from,
            int to,
            int credit,
            ReadListener listener) {
        this.lane = lane;
        this.directory = directory;
        this.counts = counts;
        this.key = key;
        this.seed = key.seed();
        this.candidates = candidates;
        this.from = from;
        this.to = to;
        this.credit = credit;
        this.listener = listener;
        patience = lane.patience();
    }

    /** Begins to ask. */
    public void start() {
        lane.loop().execute(() -> guarded(this::ask));
    }

    /** There is credit to be taken from the listener. */
    public void creditAvailable() {
        if (!isAmple && isCreditDue.compareAndSet(false, true)) {
            lane.loop().execute(() -> {
                isCreditDue.set(false);
                guarded(() -> give(listener.takeCredit()));
            });
        }
    }

    /** Nobody wants to read on. */
    public void close() {
        lane.loop().execute(this::closed);
    }

    private void closed() {
        if (over()) {
            listener.closed();
        }
    }

    /** Ends the stream; whether it was under way. */
    private boolean over() {
        if (isOver) {
            return false;
        }
        isOver = true;
        leave();
        return true;
    }

    private void leave() {
        if (connection != null) {
            if (connection.isOpen()) {
                connection.send(FrameType.CLOSE_READ, 0, stream, 0, 0);
            }
            connection.detach(stream);
            connection = null;
        }
        isAsking = false;
    }

    private interface Step {
        void run() throws IOException;
    }

    /** What goes wrong in the listener ends this stream, and no other of the connection. */
    private void guarded(Step step) {
        try {
            if (!isOver) {
                step.run();
            }
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        }
    }

    private void fail(Throwable cause) {
        if (over()) {
            listener.failed(cause);
        }
    }

    private void lose(String why) {
        if (over()) {
            counts.partitionsLost.increment();
            listener.lost(why);
        }
    }

    /** A block has used up one. What the listener has meanwhile is taken after others see that it is wanted. */
    private void used() {
        credit--;
        if (isAmple && credit <= window / 2) {
            isAmple = false;
            give(listener.takeCredit());
        }
    }

    private void give(int more) {
        credit += more;
        window = Math.max(window, credit);
        isAmple = credit > window / 2;
        if (more > 0 && connection != null && !isAsking && connection.isOpen()) {
            connection.send(FrameType.READ_CREDIT, 0, stream, more, 0);
        }
    }

    /** The holder of the region to read next, or while none is known, a candidate. */
    private Candidate whom() {
        if (holders == null || holders.holders().length == 0) {
            return candidates.get(asked);
        }
        UUID worker = holders.workers().get(holders.holders()[Math.min(region, holders.holders().length - 1)]);
        for (Candidate candidate : candidates) {
            if (candidate.worker().equals(worker)) {
                return candidate;
            }
        }
        return new Candidate(worker, "unknown", 1);
    }

    private void ask() {
        Candidate whom = whom();
        connection = lane.connection(whom);
        stream = connection.attach(this);
        isAsking = true;
        isAnswered = false;
        if (connection.isOpen()) {
            opened();
        }
    }

    @Override
    public void opened() {
        UUID worker = connection.worker();
        UUID before = incarnations.putIfAbsent(worker, connection.incarnation());
        if (before != null && !before.equals(connection.incarnation()) && holders != null) {
            lose("worker " + worker + " lost its storage");
            return;
        }
        incarnations.put(worker, connection.incarnation());
        isAsking = false;
        digest = regionDigest;
        blocks = block;
        connection.open(new Fetching.Channel(key, stream, from, to, region, block, credit));
    }

    @Override
    public void control(FrameHeader header, ByteBuf body) {
        switch (header.type()) {
            case READ_OPENED -> {
                Holders told = Holders.read(new FieldReader("READ_OPENED", body));
                int backlog = (int) Math.min(Integer.MAX_VALUE, header.value());
                int attributesTold = header.flags();
                guarded(() -> found(told, backlog, attributesTold));
            }
            case READ_REFUSED -> {
                Fault fault = Fault.read(new FieldReader("READ_REFUSED", body));
                guarded(() -> refused(fault));
            }
            case READ_END -> {
                ReadEnd end = ReadEnd.read(new FieldReader("READ_END", body));
                int next = header.count();
                long sum = header.value();
                boolean isComplete = header.has(FrameType.COMPLETE);
                guarded(() -> ended(end.blocks(), sum, next, isComplete));
            }
            default -> {}
        }
    }

    private void found(Holders told, int backlog, int attributesTold) throws IOException {
        isAnswered = true;
        answeredNanos = lane.loop().ticker().nanoTime();
        if (holders == null && told.holders().length == 0) {
            // All regions are with this one.
            holders = new Holders(List.of(connection.worker()), new int[] {0});
        } else if (told.holders().length > 0) {
            holders = told;
        }
        attributes = attributesTold;
        blocksLeft = backlog;
        if (backlog > 0) {
            listener.backlog(backlog);
        }
    }

    private void refused(Fault fault) {
        UUID worker = connection.worker();
        connection.detach(stream);
        connection = null;
        switch (fault.reason()) {
            case UNKNOWN_PARTITION -> {
                boolean mayBeToldYet = holders != null
                        && holders.workers().size() > 1
                        && !(isInTrouble && isDenied && patience.isOver());
                if (mayBeToldYet) {
                    // Away when the partition was committed: its writer tells it when it is back.
                    denied(new IOException("worker " + worker + " refuses: " + fault));
                } else if (holders != null) {
                    lose("worker " + worker + " held it and denies it now: " + fault);
                } else {
                    deniers.add(worker);
                    nextCandidate(new IOException("worker " + worker + " refuses: " + fault));
                }
            }
            case LOST -> lose("worker " + worker + " says: " + fault);
            case BUSY, DRAINING, FULL -> later(new IOException("worker " + worker + " refuses: " + fault));
            default -> fail(new IOException("worker " + worker + " refuses to send " + key + ": " + fault));
        }
    }

    private void nextCandidate(Throwable cause) {
        if (deniers.size()
                == candidates.stream().map(Candidate::worker).distinct().count()) {
            lose("no candidate has it; the last said: " + cause.getMessage());
            return;
        }
        int before = asked;
        do {
            asked = (asked + 1) % candidates.size();
        } while (deniers.contains(candidates.get(asked).worker()));
        if (asked > before) {
            ask();
        } else {
            later(cause);
        }
    }

    @Override
    public void disconnected(Throwable cause) {
        connection = null;
        isAsking = false;
        if (isAnswered && lane.loop().ticker().nanoTime() - answeredNanos >= SETTLED_NANOS) {
            isInTrouble = false;
        }
        guarded(() -> {
            if (holders == null) {
                nextCandidate(cause);
            } else {
                later(cause);
            }
        });
    }

    /** The limit counts from the first denial, however long the holder was away: its writer may find it a moment later. */
    private void denied(Throwable cause) {
        if (!isDenied) {
            patience.answered();
        }
        later(cause);
        isDenied = true;
    }

    /** Asks again after a pause, for as long as there is hope. */
    private void later(Throwable cause) {
        UUID worker = whom().worker();
        if (!isInTrouble) {
            // The limit counts from here, however long all went well before.
            isInTrouble = true;
            isDenied = false;
            patience.progress();
        }
        if (patience.isLongOver()) {
            fail(new IOException(
                    "worker " + worker + " was away for " + patience + ", though a registry hears of it", cause));
            return;
        }
        if (patience.isOver() && !isJudged) {
            judge(worker, cause);
        }
        directory.look(worker);
        lane.loop()
                .schedule(
                        () -> guarded(() -> {
                            if (holders != null) {
                                counts.reconnects.increment();
                            }
                            ask();
                        }),
                        patience.nextPauseMs(),
                        TimeUnit.MILLISECONDS);
    }

    /** Asks registries for their word, and looks on meanwhile: a slow one must not hide that the worker is back. */
    private void judge(UUID worker, Throwable cause) {
        isJudged = true;
        directory.resolve(worker, member -> {
            isJudged = false;
            guarded(() -> {
                boolean isBack = connection != null && connection.isOpen();
                boolean isVouchedFor = member != null && member.health() != Health.LOST;
                if (isInTrouble && patience.isOver() && !isBack && !isVouchedFor) {
                    lose("worker " + worker + " was away for " + patience + " and no registry vouches for it; last: "
                            + cause);
                }
            });
        });
    }

    @Override
    public void runBegins(int runRegion, int firstBlock) {
        guarded(() -> {
            if (runRegion > region) {
                region = runRegion;
                block = 0;
                regionDigest = 0;
                subpartition = -1;
            }
            if (runRegion != region || firstBlock != block) {
                throw new IOException("expected block " + block + " of region " + region + " of " + key + " from "
                        + connection + ", found block " + firstBlock + " of region " + runRegion);
            }
        });
    }

    @Override
    public void blockBegins(int payloadLength, int blockSubpartition, int blockFlags, int blockChecksum) {
        guarded(() -> {
            length = payloadLength;
            flags = blockFlags;
            expectedChecksum = blockChecksum;
            subpartitionTold = blockSubpartition;
            target = listener.blockBegins(payloadLength, blockFlags);
            if (target == null) {
                closed();
            }
        });
    }

    @Override
    public void blockPart(ByteBuf part, int partLength) {
        if (!isOver) {
            target.limit(target.position() + partLength);
            part.getBytes(part.readerIndex(), target);
        }
    }

    @Override
    public void blockEnds() {
        guarded(() -> {
            target.flip();
            int found = checksum.begin(seed, length, subpartitionTold, flags)
                    .update(target)
                    .value();
            target = null;
            if (found != expectedChecksum) {
                damaged(String.format(
                        Locale.ROOT, "expected a block with checksum %08x, found %08x", expectedChecksum, found));
                return;
            }
            isDamagedOnce = false;
            isInTrouble = false;
            if (subpartitionTold != subpartition) {
                subpartition = subpartitionTold;
                indexInSubpartition = 0;
            }
            long part = BlockDigest.of(found, indexInSubpartition++);
            regionDigest += part;
            digest += part;
            blocks++;
            block++;
            blocksLeft--;
            counts.bytesRead.add(length);
            listener.blockEnds(subpartition, length, flags, blocksLeft);
            used();
            if (!listener.usesCredit(flags)) {
                give(1);
            }
        });
    }

    /** A block is asked for once more: the network may have changed it. Then it is the disk. */
    private void damaged(String what) {
        String where = what + " in block " + block + " of region " + region + " of " + key + " from " + connection;
        if (isDamagedOnce) {
            lose(where + ", for the second time");
            return;
        }
        isDamagedOnce = true;
        leave();
        ask();
    }

    private void ended(long blocksTold, long digestTold, int next, boolean isComplete) throws IOException {
        UUID from = connection.worker();
        connection.detach(stream);
        connection = null;
        if (blocksTold != blocks || digestTold != digest) {
            lose(String.format(
                    Locale.ROOT,
                    "expected %d blocks with digest %016x, by the word of worker %s, found %d with %016x",
                    blocksTold,
                    digestTold,
                    from,
                    blocks,
                    digest));
            return;
        }
        if (isComplete) {
            listener.complete(attributes);
            isOver = true;
            return;
        }
        if (next > region) {
            isInTrouble = false;
            region = next;
            block = 0;
            regionDigest = 0;
            subpartition = -1;
        }
        if (whom().worker().equals(from)) {
            throw new IOException("worker " + from + " holds region " + next + " of " + key + " and does not send it");
        }
        ask();
    }
}
