package io.drey.store.block;

import io.airlift.compress.lz4.Lz4RawCompressor;
import io.drey.foundation.Arena;
import io.drey.foundation.Checksum;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.entry.EntryView;
import java.io.IOException;

/** Turns raw bytes into a stored block, see {@link BlockLayout}: compresses if it pays, adds a checksum. One thread. */
public final class BlockCompressor implements AutoCloseable {
    /** Where stored bytes go, in order. */
    public interface Sink {
        void write(long address, int length) throws IOException;
    }

    /** A larger block is stored as it is: compressing it would need as much memory again, on both sides. */
    public static final int COMPRESSED_RAW_BYTES_MAX = 1 << 20;

    /** Compression must save one byte in so many; less is not worth decompressing for every cold read. */
    private static final int SAVED_MIN = 4;

    /** Most blocks that are stored as they are, without trying, after several in a row that did not compress. */
    private static final int UNTRIED_MAX = 16;

    private static final int RETAINED_BYTES_MAX = 256 << 10;

    private Compression compression;
    private final Scratch header;
    private final Scratch compressed;
    private final Checksum checksum = new Checksum();
    private int untried;
    private int pause;
    private final int[] lz4Table = new int[Lz4RawCompressor.MAX_TABLE_SIZE];
    private final Zstd zstd = new Zstd();

    public BlockCompressor(Arena arena, Overdraft overdraft, Compression compression) {
        this.compression = compression;
        this.header = new Scratch(arena, overdraft);
        this.compressed = new Scratch(arena, overdraft);
    }

    /** Compresses like that from now on. */
    public void compress(Compression next) {
        compression = next;
    }

    /** Whether it is worth keeping what raw bytes were compressed to. */
    public static boolean pays(int rawLength, int length) {
        return length <= rawLength - rawLength / SAVED_MIN;
    }

    /** Stores a finished block and returns the bytes that it takes. */
    public int compress(BlockBuilder block, long seed, Sink sink) throws IOException {
        return compress(block.address(), block.length(), seed, sink);
    }

    /** Stores raw bytes as a block and returns the bytes that it takes. */
    public int compress(long raw, int rawLength, long seed, Sink sink) throws IOException {
        long payload = raw;
        int payloadLength = rawLength;
        byte codec = BlockLayout.CODEC_RAW;
        if (compression != Compression.NONE && rawLength <= COMPRESSED_RAW_BYTES_MAX && isWorthTrying()) {
            boolean withZstd = compression == Compression.ZSTD && rawLength <= Zstd.RAW_BYTES_MAX;
            int length = withZstd ? compressZstd(raw, rawLength) : compressLz4(raw, rawLength);
            boolean pays = pays(rawLength, length);
            if (pays) {
                payload = compressed.address();
                payloadLength = length;
                codec = withZstd ? BlockLayout.CODEC_ZSTD : BlockLayout.CODEC_LZ4;
            }
            tried(pays);
        }
        store(codec, rawLength, payload, payloadLength, seed, sink);
        if (compressed.capacity() > RETAINED_BYTES_MAX) {
            compressed.close();
        }
        return BlockLayout.HEADER_BYTES + payloadLength;
    }

    /** Stores a finished block as it is, as most of it are values that are compressed already. */
    public void storeCompressedValues(BlockBuilder block, long seed, Sink sink) throws IOException {
        int length = block.length();
        store(BlockLayout.CODEC_COMPRESSED_VALUES, length, block.address(), length, seed, sink);
    }

    private void store(byte codec, int rawLength, long payload, int payloadLength, long seed, Sink sink)
            throws IOException {
        long head = header(codec, rawLength, payloadLength);
        Memory.putInt(
                head, beginChecksum(head, seed).update(payload, payloadLength).value());
        sink.write(head, BlockLayout.HEADER_BYTES);
        sink.write(payload, payloadLength);
    }

    private int compressLz4(long raw, int rawLength) {
        int room = Lz4RawCompressor.maxCompressedLength(rawLength);
        return Lz4RawCompressor.compress(null, raw, rawLength, null, compressed.reserve(room), room, lz4Table);
    }

    private int compressZstd(long raw, int rawLength) {
        int room = zstd.maxCompressedLength(rawLength);
        return zstd.compress(raw, rawLength, compressed.reserve(room), room);
    }

    private boolean isWorthTrying() {
        if (untried == 0) {
            return true;
        }
        untried--;
        return false;
    }

    /**
     * Blocks that follow each other are alike: each one that did not compress doubles the pause before the next try.
     */
    private void tried(boolean compressed) {
        pause = compressed ? 0 : Math.min(UNTRIED_MAX, Math.max(1, pause * 2));
        untried = pause;
    }

    /**
     * Finishes and stores a block of one entry that was added without its value, and returns the bytes that it takes.
     * The value is written from where it is.
     */
    public int compressLarge(BlockBuilder block, EntryView entry, long seed, Sink sink) throws IOException {
        int headLength = block.length();
        int directoryLength = block.finish();
        long raw = block.address();
        int rawLength = headLength + entry.valueLength() + directoryLength;
        long head = header(BlockLayout.CODEC_RAW, rawLength, rawLength);
        int sum = beginChecksum(head, seed)
                .update(raw, headLength)
                .update(entry.valueAddress(), entry.valueLength())
                .update(raw + headLength, directoryLength)
                .value();
        Memory.putInt(head, sum);
        sink.write(head, BlockLayout.HEADER_BYTES);
        sink.write(raw, headLength);
        sink.write(entry.valueAddress(), entry.valueLength());
        sink.write(raw + headLength, directoryLength);
        return BlockLayout.HEADER_BYTES + rawLength;
    }

    private long header(byte codec, int rawLength, int payloadLength) {
        long head = header.reserve(BlockLayout.HEADER_BYTES);
        Memory.putByte(head + BlockLayout.CODEC_OFFSET, codec);
        Memory.putInt(head + BlockLayout.RAW_LENGTH_OFFSET, rawLength);
        Memory.putInt(head + BlockLayout.PAYLOAD_LENGTH_OFFSET, payloadLength);
        return head;
    }

    private Checksum beginChecksum(long head, long seed) {
        return checksum.begin(seed)
                .update(head + BlockLayout.CODEC_OFFSET, BlockLayout.HEADER_BYTES - BlockLayout.CODEC_OFFSET);
    }

    @Override
    public void close() {
        header.close();
        compressed.close();
    }
}
