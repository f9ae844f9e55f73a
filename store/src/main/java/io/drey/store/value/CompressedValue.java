package io.drey.store.value;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4RawCompressor;
import io.airlift.compress.lz4.Lz4RawDecompressor;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;
import io.drey.store.block.BlockCompressor;

/**
 * The layout of the value of an entry of kind COMPRESSED, little endian:
 *
 * <pre>
 *  0      16           20
 *  +------+------------+-----------------+
 *  | head | raw length | LZ4 of the rest |
 *  +------+------------+-----------------+
 * </pre>
 *
 * The head is the first bytes of the value: what is to be known of values without decompressing them. What is to be
 * decompressed has been checked by the checksum of its block.
 */
public final class CompressedValue {
    /** Bytes of the value that stand in front as they are; a value has more than that. */
    public static final int HEAD_BYTES = 16;

    private static final int PAYLOAD_OFFSET = HEAD_BYTES + Integer.BYTES;

    private CompressedValue() {}

    /** Most bytes of a compressed value. */
    static int maxLength(int rawLength) {
        return PAYLOAD_OFFSET + Lz4RawCompressor.maxCompressedLength(rawLength - HEAD_BYTES);
    }

    /** Compresses a value to a place with room for {@link #maxLength}; returns how long it is then. */
    static int compress(long value, int rawLength, long to, int[] lz4Table) {
        Memory.copy(value, to, HEAD_BYTES);
        Memory.putInt(to + HEAD_BYTES, rawLength);
        int rest = rawLength - HEAD_BYTES;
        int room = Lz4RawCompressor.maxCompressedLength(rest);
        return PAYLOAD_OFFSET
                + Lz4RawCompressor.compress(null, value + HEAD_BYTES, rest, null, to + PAYLOAD_OFFSET, room, lz4Table);
    }

    /** Bytes of the value. */
    public static int rawLength(long at) {
        return Memory.getInt(at + HEAD_BYTES);
    }

    /** Throws unless the lengths are possible; the names are of the block that it stands in, for errors. */
    static void check(long at, int length, String file, long offset) {
        boolean whole = length > PAYLOAD_OFFSET;
        if (!whole || rawLength(at) <= HEAD_BYTES || rawLength(at) > BlockCompressor.COMPRESSED_RAW_BYTES_MAX) {
            String found = whole ? "one of " + rawLength(at) : length + " bytes";
            throw new CorruptFileException(
                    file,
                    offset,
                    "a compressed value of " + HEAD_BYTES + " to " + BlockCompressor.COMPRESSED_RAW_BYTES_MAX
                            + " bytes",
                    found);
        }
    }

    /** Writes the {@link #rawLength} bytes of a value that was checked. */
    static void decompress(long at, int length, long to, String file, long offset) {
        int rest = rawLength(at) - HEAD_BYTES;
        long target = to + HEAD_BYTES;
        Memory.copy(at, to, HEAD_BYTES);
        int found;
        try {
            found = Lz4RawDecompressor.decompress(null, at + PAYLOAD_OFFSET, at + length, null, target, target + rest);
        } catch (MalformedInputException e) {
            CorruptFileException damage =
                    new CorruptFileException(file, offset, "a value compressed with LZ4", e.getMessage());
            damage.initCause(e);
            throw damage;
        }
        if (found != rest) {
            throw new CorruptFileException(
                    file,
                    offset,
                    "a value of " + rawLength(at) + " bytes",
                    HEAD_BYTES + found + " after decompressing");
        }
    }
}
