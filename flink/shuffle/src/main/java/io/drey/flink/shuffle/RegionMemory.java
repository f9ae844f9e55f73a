package io.drey.flink.shuffle;

import io.drey.shuffle.client.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.runtime.io.network.buffer.Buffer;
import org.apache.flink.runtime.io.network.buffer.BufferCompressor;
import org.apache.flink.runtime.io.network.partition.BufferWithSubpartition;
import org.apache.flink.runtime.io.network.partition.DataBuffer;
import org.apache.flink.runtime.io.network.partition.HashBasedDataBuffer;
import org.apache.flink.runtime.io.network.partition.SortBasedDataBuffer;

/**
 * Half of a writer's memory, filled by records and then sent as one region while the other half fills. With memory for
 * two buffers a subpartition, records go to their subpartition's buffers, and these are sent as they are. Otherwise
 * records are sorted in this half and copied, packed, into segments of the other: what they need there is never more
 * than they had here.
 */
final class RegionMemory {
    private final SegmentPool pool;
    private final int[] order;
    private final int bufferSize;
    private final BufferCompressor compressor;
    private final boolean sorts;
    private final int half;
    private final MemorySegment scratch;
    private LinkedList<MemorySegment> lent = new LinkedList<>();

    RegionMemory(SegmentPool pool, int[] order, int bufferSize, BufferCompressor compressor) {
        this.pool = pool;
        this.order = order;
        this.bufferSize = bufferSize;
        this.compressor = compressor;
        half = pool.size() / 2;
        sorts = half < 2L * order.length;
        scratch = sorts ? MemorySegmentFactory.wrap(new byte[bufferSize]) : null;
    }

    /** What takes the records of the next region; waits for memory. One is open at a time. */
    DataBuffer open() throws IOException, InterruptedException {
        lent = pool.take(half);
        return sorts
                ? new SortBasedDataBuffer(lent, pool, order.length, bufferSize, half, order)
                : new HashBasedDataBuffer(lent, pool, order.length, bufferSize, half, order);
    }

    /** Gives back what the records did not need. */
    private void giveBack() {
        lent.forEach(pool::recycle);
        lent = new LinkedList<>();
    }

    /** Drops the data buffer and what it holds. */
    void release(DataBuffer data) {
        data.release();
        giveBack();
    }

    /** Told of each buffer before it is compressed. */
    interface Counter {
        void count(int subpartition, int bytes);
    }

    /** Makes a region of what the data buffer holds, and releases the data buffer. */
    Region.Builder close(DataBuffer data, boolean isBroadcast, Counter counter)
            throws IOException, InterruptedException {
        data.finish();
        giveBack();
        Region.Builder region = new Region.Builder(isBroadcast);
        try {
            if (sorts) {
                pack(data, region, isBroadcast, counter);
            } else {
                hand(data, region, isBroadcast, counter);
            }
            return region;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            region.discard();
            throw e;
        } finally {
            data.release();
        }
    }

    private void hand(DataBuffer data, Region.Builder region, boolean isBroadcast, Counter counter) {
        List<Buffer> buffers = new ArrayList<>(half);
        region.onDone(() -> buffers.forEach(Buffer::recycleBuffer));
        for (BufferWithSubpartition next = data.getNextBuffer(null); next != null; next = data.getNextBuffer(null)) {
            counter.count(next.getSubpartitionIndex(), next.getBuffer().readableBytes());
            Buffer buffer = compressed(next.getBuffer());
            buffers.add(buffer);
            int flags = BlockFlags.of(buffer.getDataType(), buffer.isCompressed(), isBroadcast);
            region.block(next.getSubpartitionIndex(), flags, buffer.getNioBufferReadable());
        }
    }

    private void pack(DataBuffer data, Region.Builder region, boolean isBroadcast, Counter counter)
            throws IOException, InterruptedException {
        MemorySegment target = null;
        int at = 0;
        List<ByteBuffer> parts = new ArrayList<>(2);
        for (BufferWithSubpartition next = data.getNextBuffer(scratch);
                next != null;
                next = data.getNextBuffer(scratch)) {
            counter.count(next.getSubpartitionIndex(), next.getBuffer().readableBytes());
            Buffer buffer = compressed(next.getBuffer());
            ByteBuffer source = buffer.getNioBufferReadable();
            while (source.hasRemaining()) {
                if (target == null || at == bufferSize) {
                    MemorySegment segment = pool.take(1).getFirst();
                    region.onDone(() -> pool.recycle(segment));
                    target = segment;
                    at = 0;
                }
                int length = Math.min(source.remaining(), bufferSize - at);
                target.put(at, source, length);
                parts.add(target.wrap(at, length));
                at += length;
            }
            int flags = BlockFlags.of(buffer.getDataType(), buffer.isCompressed(), isBroadcast);
            region.block(next.getSubpartitionIndex(), flags, parts.toArray(new ByteBuffer[0]));
            parts.clear();
        }
    }

    private Buffer compressed(Buffer buffer) {
        boolean can = compressor != null && buffer.isBuffer() && buffer.readableBytes() > 0;
        return can ? compressor.compressToOriginalBuffer(buffer) : buffer;
    }
}
