package io.drey.store.block;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.drey.foundation.Memory;
import java.nio.ByteBuffer;

/**
 * Zstandard between places outside the heap. One thread. Its tables are on the heap: some 150 KB to decompress, made with it;
 * to compress some 90 KB for each block of 4 KB, which are garbage then.
 */
final class Zstd {
    /** A larger block is compressed with LZ4: the tables grow with it. */
    static final int RAW_BYTES_MAX = 64 << 10;

    private final ZstdCompressor compressor = new ZstdCompressor();
    private final ZstdDecompressor decompressor = new ZstdDecompressor();
    private ByteBuffer from;
    private ByteBuffer to;

    int maxCompressedLength(int rawLength) {
        return compressor.maxCompressedLength(rawLength);
    }

    /** Compresses to a place with room for {@link #maxCompressedLength}; returns how long it is. */
    int compress(long raw, int rawLength, long target, int room) {
        wrap(raw, rawLength, target, room);
        compressor.compress(from, to);
        return to.position();
    }

    /** Returns how many raw bytes there were. */
    int decompress(long payload, int length, long target, int room) throws MalformedInputException {
        wrap(payload, length, target, room);
        decompressor.decompress(from, to);
        return to.position();
    }

    private void wrap(long source, int length, long target, int room) {
        if (from == null) {
            from = Memory.wrap(source, length);
            to = Memory.wrap(target, room);
        } else {
            Memory.rewrap(from, source, length);
            Memory.rewrap(to, target, room);
        }
    }
}
