package io.drey.shuffle.client;

import io.drey.shuffle.protocol.block.BlockChecksum;
import io.drey.shuffle.protocol.block.BlockFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Blocks that are sent, acknowledged and, if need be, sent again as one. Their bytes stay where the producer has them
 * until the region is acknowledged, or given up, and no connection refers to it any more: then the producer is told.
 */
public final class Region {
    private final boolean isBroadcast;
    private final int blocks;
    private final int subpartitions;
    private final long bytes;
    private final ByteBuf headers;
    private final List<ByteBuffer> parts;
    private final List<Runnable> onDone;
    private final AtomicInteger references = new AtomicInteger(1);

    private Region(Builder builder, ByteBuf headers, long bytes, List<ByteBuffer> parts) {
        this.isBroadcast = builder.isBroadcast;
        this.blocks = builder.blocks.size();
        this.subpartitions = builder.subpartitions();
        this.headers = headers;
        this.bytes = bytes;
        this.parts = parts;
        this.onDone = builder.onDone;
    }

    boolean isBroadcast() {
        return isBroadcast;
    }

    int blocks() {
        return blocks;
    }

    /** Those that have blocks here. */
    int subpartitions() {
        return subpartitions;
    }

    /** With headers. */
    long bytes() {
        return bytes;
    }

    /** In the order of sending, header and payload in turns; not to be moved. */
    List<ByteBuffer> parts() {
        return parts;
    }

    void retain() {
        references.incrementAndGet();
    }

    /** Gives up one reference; with the last the memory goes back. */
    void release() {
        if (references.decrementAndGet() == 0) {
            headers.release();
            onDone.forEach(Runnable::run);
        }
    }

    /** Gathers the blocks of a region. */
    public static final class Builder {
        private record Block(int subpartition, int flags, ByteBuffer[] payload, int length) {}

        private final boolean isBroadcast;
        private final List<Block> blocks = new ArrayList<>();
        private final List<Runnable> onDone = new ArrayList<>();

        /** @param isBroadcast whether each block is for every subpartition; then it is given as of subpartition 0 */
        public Builder(boolean isBroadcast) {
            this.isBroadcast = isBroadcast;
        }

        /** Blocks of one subpartition follow each other. The payload is at each buffer's position to its limit. */
        public void block(int subpartition, int flags, ByteBuffer... payload) {
            int length = 0;
            for (ByteBuffer part : payload) {
                length += part.remaining();
            }
            blocks.add(new Block(subpartition, flags, payload, length));
        }

        private int subpartitions() {
            int count = 0;
            int last = -1;
            for (Block block : blocks) {
                count += block.subpartition == last ? 0 : 1;
                last = block.subpartition;
            }
            return count;
        }

        /** What is run, once and in any thread, when the memory of the blocks is free again. */
        public void onDone(Runnable action) {
            onDone.add(action);
        }

        /** Gives back the memory of a region that is not to be. */
        public void discard() {
            onDone.forEach(Runnable::run);
        }

        /** @param seed of the partition's checksums */
        Region build(long seed) {
            ByteBufAllocator memory = PooledByteBufAllocator.DEFAULT;
            ByteBuf headers = memory.directBuffer(Math.max(1, blocks.size()) * BlockFormat.HEADER_BYTES);
            BlockChecksum checksum = new BlockChecksum();
            List<ByteBuffer> parts = new ArrayList<>(2 * blocks.size());
            long bytes = 0;
            for (Block block : blocks) {
                checksum.begin(seed, block.length, block.subpartition, block.flags);
                for (ByteBuffer part : block.payload) {
                    checksum.update(part.duplicate());
                }
                int at = headers.writerIndex();
                headers.writeIntLE(block.length).writeIntLE(block.subpartition);
                headers.writeIntLE(block.flags).writeIntLE(checksum.value());
                parts.add(headers.nioBuffer(at, BlockFormat.HEADER_BYTES));
                parts.addAll(List.of(block.payload));
                bytes += BlockFormat.HEADER_BYTES + block.length;
            }
            return new Region(this, headers, bytes, parts);
        }
    }

    /** The bytes of a part as a buffer that the network can send; the region must be retained as long. */
    static ByteBuf wrap(ByteBuffer part, int from, int length) {
        return Unpooled.wrappedBuffer(part.slice(part.position() + from, length));
    }
}
