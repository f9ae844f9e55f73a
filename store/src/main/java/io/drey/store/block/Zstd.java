package io.drey.store.block;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.drey.foundation.Memory;
import java.nio.ByteBuffer;

/**
 * Zstandard between places outside the heap. One thread, which should have one of these: to decompress, it has tables
 * on the heap from the first block on, some 150 KB, and makes 48 bytes of garbage for a block. To compress a block of 4
 * KB makes some 90 KB of garbage.
 */
final class Zstd {
    /** A larger block is compressed with LZ4: what is garbage grows with it. */
    static final int RAW_BYTES_MAX = 64 << 10;

    private final ZstdCompressor compressor = new ZstdCompressor();
    private ZstdDecompressor decompressor;
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
        if (decompressor == null) {
            decompressor = new ZstdDecompressor();
        }
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
