package io.drey.files;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of all bytes of a file, made while they pass: CRC32C as a number that is never {@link #NONE}. One
 * thread.
 */
public final class FileChecksum {
    /** Stands for the checksum of a file of which it is not known. */
    public static final long NONE = 0;

    private static final long KNOWN = 1L << 32;

    private final CRC32C crc = new CRC32C();

    /** Adds the remaining bytes of a buffer, which keeps its position. */
    public void add(ByteBuffer bytes) {
        int position = bytes.position();
        crc.update(bytes);
        bytes.position(position);
    }

    /** Adds bytes of an array. */
    public void add(byte[] bytes, int offset, int length) {
        crc.update(bytes, offset, length);
    }

    /** The checksum of what was added so far. */
    public long value() {
        return KNOWN | crc.getValue();
    }
}
