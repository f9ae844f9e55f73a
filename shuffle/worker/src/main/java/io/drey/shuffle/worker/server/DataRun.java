package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.block.RunHeader;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;

/** A run of blocks that was read, on its way to the client: the slabs it lies in are given back when it is sent. */
final class DataRun implements ChannelFutureListener {
    private final WorkerConnection connection;
    private final SlabPool pool;
    private final int channel;
    private final int region;
    private final int firstBlock;
    private final int blocks;
    private final Slab[] slabs;
    private final int from;
    private final int bytes;

    /** @param from where in the first slab it begins */
    DataRun(
            WorkerConnection connection,
            SlabPool pool,
            int channel,
            int region,
            int firstBlock,
            int blocks,
            Slab[] slabs,
            int from,
            int bytes) {
        this.connection = connection;
        this.pool = pool;
        this.channel = channel;
        this.region = region;
        this.firstBlock = firstBlock;
        this.blocks = blocks;
        this.slabs = slabs;
        this.from = from;
        this.bytes = bytes;
    }

    int bytes() {
        return bytes;
    }

    void putHeader(ByteBuf out) {
        RunHeader.put(out, channel, region, firstBlock, blocks, bytes);
    }

    /** Writes the blocks; the last piece tells when all are sent. */
    void write(Channel out) {
        int left = bytes;
        int at = from;
        for (int i = 0; i < slabs.length; i++) {
            int part = Math.min(left, Slab.BYTES - at);
            ByteBuf slice = slabs[i].slice(at, part);
            left -= part;
            at = 0;
            if (i < slabs.length - 1) {
                out.write(slice, out.voidPromise());
            } else {
                out.write(slice).addListener(this);
            }
        }
    }

    @Override
    public void operationComplete(ChannelFuture future) {
        release();
    }

    /** It is sent, or never will be. */
    void release() {
        for (Slab each : slabs) {
            pool.release(each);
        }
        connection.sent(bytes);
    }
}
