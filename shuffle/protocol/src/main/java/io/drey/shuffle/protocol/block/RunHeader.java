package io.drey.shuffle.protocol.block;

import io.netty.buffer.ByteBuf;

/**
 * The header of a run of consecutive blocks of one channel and region in a DATA frame; numbers little endian. A run
 * holds whole blocks; block numbers count the channel's blocks in that region, in stored order, from 0.
 *
 * <pre>
 *   0         4        8             12       16      20
 *  +---------+--------+-------------+--------+-------+--------+
 *  | channel | region | first block | blocks | bytes | blocks |
 *  +---------+--------+-------------+--------+-------+--------+
 * </pre>
 */
public final class RunHeader {
    public static final int HEADER_BYTES = 20;

    private RunHeader() {}

    public static void put(ByteBuf out, int channel, int region, int firstBlock, int blocks, int bytes) {
        out.writeIntLE(channel)
                .writeIntLE(region)
                .writeIntLE(firstBlock)
                .writeIntLE(blocks)
                .writeIntLE(bytes);
    }
}
