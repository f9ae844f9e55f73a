package io.drey.store.block;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4RawDecompressor;
import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;

/**
 * Checks a stored block and turns it into raw bytes, see {@link BlockLayout}. Reused for block after block; one thread.
 */
public final class BlockDecompressor {
    private final Checksum checksum = new Checksum();
    private final Zstd zstd;
    private String file;
    private long offset;
    private long payload;
    private int payloadLength;
    private int rawLength;
    private byte codec;

    public BlockDecompressor() {
        this(new Zstd());
    }

    private BlockDecompressor(Zstd zstd) {
        this.zstd = zstd;
    }

    /** Another one for the same thread, with the same tables. */
    public BlockDecompressor sibling() {
        return new BlockDecompressor(zstd);
    }

    /** Names the block that {@link #check} is to check, for its errors. */
    public BlockDecompressor at(String newFile, long newOffset) {
        file = newFile;
        offset = newOffset;
        return this;
    }

    /** Checks the block that is stored in the first of {@code available} bytes; what follows it is not its business. */
    public void check(long stored, long available, long fileSeed) {
        if (available < BlockLayout.HEADER_BYTES) {
            throw damaged("a block header of " + BlockLayout.HEADER_BYTES + " bytes", available + " bytes");
        }
        readHeader(stored);
        if (payloadLength < 0 || payloadLength > available - BlockLayout.HEADER_BYTES) {
            throw damaged("a block within " + available + " bytes", "one of " + payloadLength);
        }
        int expected = Memory.getInt(stored);
        int found = sum(stored, fileSeed);
        if (found != expected) {
            throw damaged("a block with checksum " + Integer.toHexString(expected), Integer.toHexString(found));
        }
        boolean compressed = codec == BlockLayout.CODEC_LZ4 || codec == BlockLayout.CODEC_ZSTD;
        if (!compressed && (!isRaw() || rawLength != payloadLength)) {
            throw damaged("block codec 0 to 3", codec + " with " + rawLength + " of " + payloadLength + " bytes");
        }
    }

    /** Takes a block that was checked before it was kept in memory. */
    public void open(long stored, long fileSeed) {
        readHeader(stored);
        assert sum(stored, fileSeed) == Memory.getInt(stored);
    }

    private void readHeader(long stored) {
        codec = Memory.getByte(stored + BlockLayout.CODEC_OFFSET);
        rawLength = Memory.getInt(stored + BlockLayout.RAW_LENGTH_OFFSET);
        payloadLength = Memory.getInt(stored + BlockLayout.PAYLOAD_LENGTH_OFFSET);
        payload = stored + BlockLayout.HEADER_BYTES;
    }

    private int sum(long stored, long fileSeed) {
        return checksum.of(
                stored + BlockLayout.CODEC_OFFSET,
                BlockLayout.HEADER_BYTES - BlockLayout.CODEC_OFFSET + payloadLength,
                BlockLayout.seed(fileSeed, offset));
    }

    /** Bytes of the block that was checked, as stored. */
    public int storedLength() {
        return BlockLayout.HEADER_BYTES + payloadLength;
    }

    public int rawLength() {
        return rawLength;
    }

    /** Whether the raw bytes are at {@link #payload()} and need no {@link #decompress}. */
    public boolean isRaw() {
        return codec == BlockLayout.CODEC_RAW || codec == BlockLayout.CODEC_COMPRESSED_VALUES;
    }

    /** Whether it, or the values in it, are compressed. */
    public boolean isCompressed() {
        return codec != BlockLayout.CODEC_RAW;
    }

    /**
     * Whether a major compaction with Zstandard would likely store it in fewer bytes: the largest blocks are not
     * compressed with Zstandard.
     */
    public boolean isWithoutZstd() {
        boolean fast = codec == BlockLayout.CODEC_LZ4 || codec == BlockLayout.CODEC_COMPRESSED_VALUES;
        return fast && rawLength <= Zstd.RAW_BYTES_MAX;
    }

    public long payload() {
        return payload;
    }

    /** Writes the {@link #rawLength()} raw bytes to an address. */
    public void decompress(long to) {
        if (isRaw()) {
            Memory.copy(payload, to, rawLength);
            return;
        }
        int length;
        try {
            length = codec == BlockLayout.CODEC_ZSTD
                    ? zstd.decompress(payload, payloadLength, to, rawLength)
                    : Lz4RawDecompressor.decompress(null, payload, payload + payloadLength, null, to, to + rawLength);
        } catch (MalformedInputException e) {
            CorruptFileException damage = damaged("bytes of codec " + codec, e.getMessage());
            damage.initCause(e);
            throw damage;
        }
        if (length != rawLength) {
            throw damaged("a block of " + rawLength + " bytes", length + " after decompression");
        }
    }

    private CorruptFileException damaged(String expected, String found) {
        return new CorruptFileException(file, offset, expected, found);
    }
}
