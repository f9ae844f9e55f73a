package io.drey.flink.shuffle;

import io.drey.shuffle.client.Region;
import io.drey.shuffle.client.ShuffleClient;
import io.drey.shuffle.client.WriteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.deployment.ResultPartitionDeploymentDescriptor;
import org.apache.flink.runtime.event.AbstractEvent;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.runtime.io.network.api.StopMode;
import org.apache.flink.runtime.io.network.api.serialization.EventSerializer;
import org.apache.flink.runtime.io.network.buffer.Buffer;
import org.apache.flink.runtime.io.network.buffer.Buffer.DataType;
import org.apache.flink.runtime.io.network.buffer.BufferCompressor;
import org.apache.flink.runtime.io.network.buffer.BufferPool;
import org.apache.flink.runtime.io.network.partition.BufferAvailabilityListener;
import org.apache.flink.runtime.io.network.partition.DataBuffer;
import org.apache.flink.runtime.io.network.partition.ResultPartition;
import org.apache.flink.runtime.io.network.partition.ResultPartitionManager;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionView;
import org.apache.flink.util.concurrent.FutureUtils;
import org.apache.flink.util.function.SupplierWithException;

/**
 * The partition of a producer that is kept with the workers. Used by the task's thread, but for {@link #fail} and
 * {@link #release}. Records go into the region that fills; a full one is sent while the next fills. A record larger
 * than a region's memory is a region of its own, sent from the record itself while the task waits.
 */
final class RemoteResultPartition extends ResultPartition {
    /** The partition as Flink sees it. */
    record Place(
            String task,
            int index,
            ResultPartitionDeploymentDescriptor descriptor,
            DreyShuffleDescriptor ours,
            ResultPartitionManager manager) {}

    private final int bufferSize;
    private final SupplierWithException<BufferPool, IOException> pools;
    private final Duration memoryWait;
    private final ShuffleClient workers;
    private final DreyShuffleDescriptor descriptor;
    private volatile WriteStream writer;
    private volatile SegmentPool segments;
    private RegionMemory memory;
    private DataBuffer data;
    private boolean isBroadcast;
    private int endMark = EndMark.NONE;

    RemoteResultPartition(
            Place place,
            int bufferSize,
            BufferCompressor compressor,
            SupplierWithException<BufferPool, IOException> pools,
            Duration memoryWait,
            ShuffleClient workers) {
        super(
                place.task(),
                place.index(),
                place.ours().getResultPartitionID(),
                place.descriptor().getPartitionType(),
                place.descriptor().getNumberOfSubpartitions(),
                place.descriptor().getMaxParallelism(),
                place.manager(),
                compressor,
                pools);
        this.bufferSize = bufferSize;
        this.pools = pools;
        this.memoryWait = memoryWait;
        this.workers = workers;
        this.descriptor = place.ours();
    }

    /** Not registered with the task manager: no data stays there. */
    @Override
    public void setup() throws IOException {
        if (bufferPool != null) {
            throw new IllegalStateException("expected one set-up of " + this + ", found a second");
        }
        bufferPool = pools.get();
        setupInternal();
    }

    @Override
    protected void setupInternal() throws IOException {
        segments = new SegmentPool(bufferPool, memoryWait);
        memory = new RegionMemory(segments, rotatedOrder(), bufferSize, bufferCompressor);
        writer = workers.write(descriptor.remoteId(), descriptor.candidates(), numSubpartitions, segments::fail);
    }

    /** Each partition begins elsewhere, so that consumers do not all read the same place of all files at once. */
    private int[] rotatedOrder() {
        int shift = Math.floorMod(partitionId.hashCode(), numSubpartitions);
        int[] order = new int[numSubpartitions];
        for (int i = 0; i < numSubpartitions; i++) {
            order[i] = (i + shift) % numSubpartitions;
        }
        return order;
    }

    @Override
    public void emitRecord(ByteBuffer record, int subpartition) throws IOException {
        emit(record, subpartition, DataType.DATA_BUFFER, false);
    }

    @Override
    public void broadcastRecord(ByteBuffer record) throws IOException {
        emit(record, 0, DataType.DATA_BUFFER, true);
    }

    @Override
    public void broadcastEvent(AbstractEvent event, boolean isPriority) throws IOException {
        Buffer buffer = EventSerializer.toBuffer(event, isPriority);
        try {
            emit(buffer.getNioBufferReadable(), 0, buffer.getDataType(), true);
        } finally {
            buffer.recycleBuffer();
        }
    }

    private void emit(ByteBuffer record, int subpartition, DataType type, boolean toAll) throws IOException {
        checkInProduceState();
        try {
            if (data != null && isBroadcast != toAll) {
                flush();
            }
            while (true) {
                if (data == null) {
                    data = memory.open();
                    isBroadcast = toAll;
                }
                if (!data.append(record, subpartition, type)) {
                    return;
                }
                if (!data.hasRemaining()) {
                    // Empty, and yet too small.
                    memory.release(data);
                    data = null;
                    writeLarge(record, subpartition, type, toAll);
                    return;
                }
                flush();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private IOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while writing " + descriptor, cause);
    }

    private void flush() throws IOException, InterruptedException {
        if (data == null) {
            return;
        }
        DataBuffer full = data;
        data = null;
        if (!full.hasRemaining()) {
            memory.release(full);
            return;
        }
        writer.write(memory.close(full, isBroadcast, this::count));
    }

    private void count(int subpartition, int bytes) {
        if (isBroadcast) {
            numBuffersOut.inc(numSubpartitions);
            resultPartitionBytes.incAll(bytes);
            numBytesOut.inc((long) bytes * numSubpartitions);
        } else {
            numBuffersOut.inc();
            resultPartitionBytes.inc(subpartition, bytes);
            numBytesOut.inc(bytes);
        }
    }

    private void writeLarge(ByteBuffer record, int subpartition, DataType type, boolean toAll)
            throws IOException, InterruptedException {
        isBroadcast = toAll;
        Region.Builder region = new Region.Builder(toAll);
        while (record.hasRemaining()) {
            ByteBuffer block = record.slice(record.position(), Math.min(record.remaining(), bufferSize));
            record.position(record.position() + block.remaining());
            count(subpartition, block.remaining());
            region.block(subpartition, BlockFlags.of(type, false, toAll), block);
        }
        writer.writeAndWait(region);
    }

    @Override
    public void notifyEndOfData(StopMode mode) {
        endMark = EndMark.of(mode);
    }

    @Override
    public void finish() throws IOException {
        try {
            flush();
            writer.finish(endMark, resultPartitionBytes.createSnapshot().getSubpartitionBytes());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        super.finish();
    }

    /** Called by the thread that cancels, too: it ends every wait. */
    @Override
    public void fail(Throwable cause) {
        super.fail(cause);
        SegmentPool waiting = segments;
        if (waiting != null) {
            waiting.fail(cause == null ? new CancelTaskException("the task is cancelled") : cause);
        }
        abort();
    }

    private void abort() {
        WriteStream open = writer;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        abort();
        if (data != null) {
            memory.release(data);
            data = null;
        }
        if (segments != null) {
            segments.close();
        }
        super.close();
    }

    /** The master releases what the workers hold. */
    @Override
    protected void releaseInternal() {
        abort();
    }

    @Override
    protected ResultSubpartitionView createSubpartitionView(int index, BufferAvailabilityListener listener) {
        throw new UnsupportedOperationException("consumers read " + descriptor + " from the workers");
    }

    /** Blocking exchanges take no part in checkpoints. */
    @Override
    public void alignedBarrierTimeout(long checkpoint) {}

    @Override
    public void abortCheckpoint(long checkpoint, CheckpointException cause) {}

    @Override
    public CompletableFuture<Void> getAllDataProcessedFuture() {
        return FutureUtils.completedVoidFuture();
    }

    @Override
    public CompletableFuture<?> getAvailableFuture() {
        return AVAILABLE;
    }

    @Override
    public void flushAll() {}

    @Override
    public void flush(int subpartition) {}

    @Override
    public int getNumberOfQueuedBuffers() {
        return 0;
    }

    @Override
    public long getSizeOfQueuedBuffersUnsafe() {
        return 0;
    }

    @Override
    public int getNumberOfQueuedBuffers(int subpartition) {
        return 0;
    }
}
