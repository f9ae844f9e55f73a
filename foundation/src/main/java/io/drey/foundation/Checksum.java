package io.drey.foundation;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC32C over bytes and their place: the seed is mixed in, so that a block read from the wrong place is caught too. */
public final class Checksum {
    private final CRC32C crc = new CRC32C();
    private final byte[] seedBytes = new byte[8];
    private ByteBuffer view;

    /** The checksum of memory, seeded. Reuses this object's buffers: one thread at a time. */
    public int of(long address, int length, long seed) {
        return begin(seed).update(address, length).value();
    }

    /** The checksum of {@code bytes[offset, offset + length)}, seeded: equal to that of the same bytes in memory. */
    public int of(byte[] bytes, int offset, int length, long seed) {
        start(seed);
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    /** Starts a checksum over several ranges, seeded; equal to that of the ranges in one. */
    public Checksum begin(long seed) {
        start(seed);
        return this;
    }

    /** Adds a range to what {@link #begin} started. */
    public Checksum update(long address, int length) {
        if (length > 0) {
            view(address, length);
            crc.update(view);
        }
        return this;
    }

    /** The checksum of the ranges added since {@link #begin}. */
    public int value() {
        return (int) crc.getValue();
    }

    private void view(long address, int length) {
        if (view == null) {
            view = Memory.wrap(address, length);
        } else {
            Memory.rewrap(view, address, length);
        }
    }

    private void start(long seed) {
        for (int i = 0; i < 8; i++) {
            seedBytes[i] = (byte) (seed >>> (8 * i));
        }
        crc.reset();
        crc.update(seedBytes, 0, 8);
    }
}
