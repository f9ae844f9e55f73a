package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.block.BlockReader;
import io.drey.shuffle.protocol.block.BlockSink;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fault.Reason;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.StorageDirectory;
import io.drey.shuffle.worker.device.WriteSource;
import io.drey.shuffle.worker.disk.IoFailure;
import io.drey.shuffle.worker.file.RegionBuilder;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.memory.SlabStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A writer of a partition, as its connection sees it: takes regions into memory as far as it granted credit, and
 * acknowledges those that are written. In the connection's thread, but for what the device's loop calls, which only
 * wakes that thread. A block allocates nothing.
 */
final class PartitionWriter extends WriteSource implements BlockSink {
    /** Credit is given in pieces of at least this size, unless the client has none. */
    private static final int CREDIT_BYTES_MIN = 64 << 10;

    private static final long FULL_BYTES = 16L << 20;

    /** A client that has credit and sends nothing for so long may have to send its region again. */
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final WorkerConnection connection;
    private final WorkerState state;
    private final PartitionKey key;
    private final Catalog.Target target;
    private final int streamNumber;
    private final SlabStream stream;
    private final RegionBuilder builder;
    private final BlockReader blocks = new BlockReader(this);
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private ByteBuf overflow = Unpooled.EMPTY_BUFFER;
    private boolean inRegion;
    private long regionStart;
    private long consumed;
    private long granted;
    private boolean closing;
    private boolean finishing;
    private volatile IOException failure;

    /** It has written regions, and nothing of another one is here. */
    private volatile boolean isIdle;

    private volatile long heardNanos;

    /** A region that is complete in memory, and where in the file it lies. */
    private record Pending(int region, long start, long end) {}

    PartitionWriter(
            WorkerConnection connection,
            WorkerState state,
            PartitionKey key,
            int subpartitions,
            Catalog.Target target,
            int streamNumber,
            SlabStream stream) {
        super(target.part(), stream);
        this.connection = connection;
        this.state = state;
        this.key = key;
        this.target = target;
        this.streamNumber = streamNumber;
        this.stream = stream;
        this.builder = new RegionBuilder(key, subpartitions);
    }

    /** How many slabs a new writer may have, by what is left. */
    static int slabs(SlabPool pool) {
        return pool.isTight() ? 1 : Math.min(SlabStream.SLABS_MAX, Math.max(1, pool.unreserved() / 8));
    }

    /** The first credit. */
    void opened() {
        heardNanos = connection.nanos();
        granted = stream.limit();
        connection.send(FrameType.OPENED, 0, streamNumber, target.part().part(), granted);
    }

    void begin(int region, int flags) {
        if (closing) {
            return;
        }
        if (state.isDraining()) {
            refuse(new Fault(Reason.DRAINING, "the worker drains: go on with another one"));
            return;
        }
        if (inRegion || consumed >= granted) {
            throw new ProtocolException("expected the begin of region " + region + " of " + key
                    + " after the end of another and with credit, found "
                    + (inRegion ? "region " + builder.region() + " not ended" : "no credit"));
        }
        inRegion = true;
        isIdle = false;
        regionStart = consumed;
        put(builder.begin(region, (flags & FrameType.BROADCAST) != 0));
    }

    /** The next bytes of blocks. */
    void blocks(ByteBuf part, int length) {
        if (closing) {
            return;
        }
        if (!inRegion || consumed + length > granted) {
            throw new ProtocolException("expected blocks of " + key + " within a region and the credit, found "
                    + (inRegion ? (consumed + length - granted) + " bytes beyond the credit" : "no region"));
        }
        int from = part.readerIndex();
        blocks.read(part, length);
        part.readerIndex(from);
        if (overflow.isReadable()) {
            // It waited for memory and comes before: there may have come some since, and the credit with it.
            drainOverflow();
        }
        consumed += length;
        stream.append(part, length);
    }

    @Override
    public void blockBegins(int payloadLength, int subpartition, int flags, int checksum) {
        builder.add(payloadLength, subpartition, checksum);
    }

    @Override
    public void blockPart(ByteBuf part, int length) {}

    @Override
    public void blockEnds() {}

    void end(int region, long count) {
        if (closing) {
            return;
        }
        if (!inRegion || region != builder.region() || count != builder.blocks() || !blocks.isBetweenBlocks()) {
            throw new ProtocolException("expected the end of region " + builder.region() + " of " + key + " after "
                    + builder.blocks() + " whole blocks, found that of region " + region + " after " + count);
        }
        inRegion = false;
        put(builder.end());
        pending.add(new Pending(region, regionStart, consumed));
    }

    /** What the worker itself adds may be more than there is memory for: the rest waits on the heap. */
    private void put(ByteBuffer bytes) {
        consumed += bytes.remaining();
        ByteBuf added = Unpooled.wrappedBuffer(bytes);
        overflow = overflow.isReadable() ? Unpooled.wrappedBuffer(overflow, added) : added;
        drainOverflow();
    }

    private void drainOverflow() {
        int room = (int) Math.min(overflow.readableBytes(), stream.limit() - stream.appended());
        if (room > 0) {
            stream.append(overflow, room);
        }
    }

    /** The connection has taken all that came up to now. */
    void heard(long nanos) {
        heardNanos = nanos;
        pause();
    }

    /** The disk shall write what is worth it. */
    private void pause() {
        boolean worth = stream.appended() - stream.flushed() >= Slab.BYTES
                || !pending.isEmpty()
                || granted - consumed < CREDIT_BYTES_MIN;
        if (worth && !stream.isEmpty() && !closing) {
            target.directory().loop().submit(this);
        }
    }

    @Override
    protected void flushed() {
        wake();
    }

    @Override
    protected void failed(IOException cause) {
        failure = cause;
        wake();
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            connection.execute(this::afterFlush);
        }
    }

    private void afterFlush() {
        woken.set(false);
        acknowledge();
        if (closing) {
            finishIfFlushed();
        } else if (failure != null) {
            fail(failure);
        } else {
            drainOverflow();
            grant();
            pause();
        }
    }

    private void acknowledge() {
        long flushed = stream.flushed();
        while (!pending.isEmpty() && pending.peek().end() <= flushed) {
            Pending each = pending.poll();
            target.part().add(each.region(), each.start(), each.end() - each.start());
            if (!closing) {
                boolean split = each.end() >= state.splitBytes()
                        || state.storage().isFilling(target.directory())
                        || state.takeRoomWanted();
                connection.send(FrameType.ACK, split ? FrameType.SPLIT : 0, streamNumber, each.region(), 0);
                isIdle = !inRegion && pending.isEmpty();
            }
        }
    }

    /** Any thread: whether its client would not miss its memory, as far as can be seen from there. */
    boolean isQuiet(long nanos) {
        return isIdle || nanos - heardNanos > SILENT_NANOS;
    }

    /** Any thread: if it is quiet indeed, it ends, and its client goes on elsewhere or comes back when it has more. */
    void makeRoom() {
        connection.execute(() -> {
            if (closing) {
                return;
            }
            boolean waitsForCredit = consumed >= granted;
            if (isQuiet(connection.nanos()) && !waitsForCredit) {
                refuse(new Fault(
                        Reason.BUSY, "others need the memory of a quiet writer: take another worker, or try again"));
            } else {
                state.makesNoRoom(this);
            }
        });
    }

    private void grant() {
        resize();
        long limit = stream.limit();
        if (limit - granted >= CREDIT_BYTES_MIN || (limit > granted && granted <= consumed)) {
            connection.send(FrameType.WRITE_CREDIT, 0, streamNumber, 0, limit - granted);
            granted = limit;
        }
    }

    /** Shrinks when memory is tight and nothing of it is promised; grows when the client has used what it had. */
    private void resize() {
        boolean tight = state.pool().isTight();
        int reserved = stream.reserved();
        if (tight && reserved > 1 && stream.isEmpty() && granted <= stream.appended() + Slab.BYTES) {
            stream.resize(1);
            state.pool().unreserveToWrite(reserved - 1);
        } else if (!tight && reserved < SlabStream.SLABS_MAX && granted - consumed < CREDIT_BYTES_MIN) {
            int more = Math.min(slabs(state.pool()), SlabStream.SLABS_MAX) - reserved;
            if (more > 0 && state.pool().reserveToWrite(more)) {
                stream.resize(reserved + more);
            }
        }
    }

    private void fail(IOException cause) {
        Reason reason = part().isReleased() ? Reason.UNKNOWN_PARTITION : reason(cause);
        if (reason == Reason.FAILING) {
            target.directory().trouble("a write failed: " + cause.getMessage());
        }
        refuse(new Fault(
                reason, "expected to write " + key + " to " + target.directory() + ", found: " + cause.getMessage()));
    }

    /** Its directory hangs: what is not acknowledged goes elsewhere, and its memory comes back with the directory. */
    void refuseHanging() {
        StorageDirectory directory = target.directory();
        if (directory.isHanging()) {
            refuse(new Fault(Reason.FAILING, "expected to write " + key + ", found " + directory.hanging()));
        }
    }

    private Reason reason(IOException cause) {
        return switch (IoFailure.of(cause)) {
            case FULL -> Reason.FULL;
            case PROCESS -> Reason.BUSY;
            case DISK -> isFull() ? Reason.FULL : Reason.FAILING;
        };
    }

    private boolean isFull() {
        try {
            return target.directory().loop().disk().freeBytes() < FULL_BYTES;
        } catch (IOException e) {
            return false;
        }
    }

    private void refuse(Fault fault) {
        connection.send(FrameType.REFUSED, streamNumber, fault);
        close();
    }

    /** No more comes. What is complete is still written, the rest is cut off; then the memory goes back. */
    void close() {
        if (!closing) {
            closing = true;
            connection.writerEnded(streamNumber, this);
            finishIfFlushed();
        }
    }

    private void finishIfFlushed() {
        try {
            if (failure == null) {
                drainOverflow();
            }
        } catch (RuntimeException | Error e) {
            // What is in the file is whole without it, and others are to be closed too.
            failure = new IOException(e.toString(), e);
        }
        if (failure != null || stream.isEmpty()) {
            finish();
        } else {
            target.directory().loop().submit(this);
        }
    }

    private void finish() {
        if (!finishing) {
            finishing = true;
            acknowledge();
            target.directory().loop().finish(this, () -> connection.execute(this::finished));
        }
    }

    private void finished() {
        stream.close();
        state.catalog().closed(key, target.part());
        state.writerClosed(this);
    }
}
