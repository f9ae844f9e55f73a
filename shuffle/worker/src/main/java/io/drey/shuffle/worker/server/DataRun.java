package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.block.RunHeader;
import io.drey.shuffle.worker.memory.SlabRange;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;

/**
 * A run of blocks that was read, on its way to the client: the slabs it lies in are given back when it is sent.
 *
 * @param channel of the reader
 * @param firstBlock its number among the channel's blocks of the region
 * @param held bytes of the slabs that are kept for it
 */
record DataRun(
        WorkerConnection connection, int channel, int region, int firstBlock, int blocks, SlabRange range, int held)
        implements ChannelFutureListener {

    int bytes() {
        return range.bytes();
    }

    void putHeader(ByteBuf out) {
        RunHeader.put(out, channel, region, firstBlock, blocks, bytes());
    }

    /** Writes the blocks; the last piece tells when all are sent. */
    void write(Channel out) {
        int last = range.slabs() - 1;
        for (int i = 0; i < last; i++) {
            out.write(range.slice(i), out.voidPromise());
        }
        out.write(range.slice(last)).addListener(this);
    }

    @Override
    public void operationComplete(ChannelFuture future) {
        release();
    }

    /** It is sent, or never will be. */
    void release() {
        range.release();
        connection.sent(held);
    }
}
