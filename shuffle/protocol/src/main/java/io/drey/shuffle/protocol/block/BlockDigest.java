package io.drey.shuffle.protocol.block;

/**
 * The digest of a sequence of blocks: the sum, modulo 2^64, of one number a block, which follows from its checksum and
 * its index among the blocks of its subpartition in its region. Sums of parts add up to the sum of the whole.
 */
public final class BlockDigest {
    private BlockDigest() {}

    /** What one block adds. */
    public static long of(int checksum, int index) {
        long mixed = ((long) index << 32 | (checksum & 0xffffffffL)) * 0x9e3779b97f4a7c15L;
        mixed ^= mixed >>> 29;
        mixed *= 0xbf58476d1ce4e5b9L;
        return mixed ^ mixed >>> 32;
    }
}
