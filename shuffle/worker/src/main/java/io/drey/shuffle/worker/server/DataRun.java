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

    /**
     * Writes the blocks; the last piece tells when all are sent.
     *
     * @param heads has what comes before them, and gets the run's header
     */
    void write(Channel out, ByteBuf heads) {
        boolean isTold = false;
        try {
            RunHeader.put(heads, channel, region, firstBlock, blocks, bytes());
            out.write(heads.readRetainedSlice(heads.readableBytes()), out.voidPromise());
            int last = range.slabs() - 1;
            for (int i = 0; i < last; i++) {
                out.write(range.slice(i), out.voidPromise());
            }
            ChannelFuture sent = out.write(range.slice(last));
            isTold = true;
            sent.addListener(this);
        } finally {
            if (!isTold) {
                release();
            }
        }
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
