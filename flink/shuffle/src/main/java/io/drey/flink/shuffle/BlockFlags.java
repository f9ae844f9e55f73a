package io.drey.flink.shuffle;

import org.apache.flink.runtime.io.network.buffer.Buffer.DataType;

/**
 * The flags of our blocks: bits 0 to 3 say what a buffer is, bit 4 if it is compressed, bit 5 if it is for all
 * subpartitions.
 */
final class BlockFlags {
    private static final int COMPRESSED = 1 << 4;
    private static final int BROADCAST = 1 << 5;
    private static final int TYPE_MASK = 15;
    private static final DataType[] TYPES = {
        DataType.DATA_BUFFER,
        DataType.DATA_BUFFER_WITH_CLEAR_END,
        DataType.EVENT_BUFFER,
        DataType.END_OF_DATA,
        DataType.UNALIGNED_WATERMARK_EVENT,
        DataType.ALIGNED_WATERMARK_EVENT,
    };

    private BlockFlags() {}

    static int of(DataType type, boolean isCompressed, boolean isBroadcast) {
        for (int i = 0; i < TYPES.length; i++) {
            if (TYPES[i] == type) {
                return i | (isCompressed ? COMPRESSED : 0) | (isBroadcast ? BROADCAST : 0);
            }
        }
        throw new IllegalArgumentException("expected a buffer of a blocking exchange, found " + type);
    }

    static DataType dataType(int flags) {
        int type = flags & TYPE_MASK;
        if (type >= TYPES.length) {
            throw new IllegalArgumentException("expected a type of block below " + TYPES.length + ", found " + type);
        }
        return TYPES[type];
    }

    /** Not if the type is unknown: as a block begins, its flags are not checked yet. */
    static boolean isData(int flags) {
        int type = flags & TYPE_MASK;
        return type < TYPES.length && TYPES[type].isBuffer();
    }

    static boolean isBroadcast(int flags) {
        return (flags & BROADCAST) != 0;
    }

    static boolean isCompressed(int flags) {
        return (flags & COMPRESSED) != 0;
    }
}
