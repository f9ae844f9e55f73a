package io.drey.store.run;

import io.drey.foundation.Memory;

/**
 * Looks into a page of a run's index, see {@link RunLayout}: which of its blocks holds a key, and where that block is.
 * A search compares prefixes, and separators only where neighbouring blocks share a prefix. Points at memory that is
 * somebody else's; one thread. Hot path.
 *
 * <p>The prefixes of a page are spread evenly, as most of their bits are of a hash: so a search guesses the place, and
 * is right within a few blocks.
 */
public final class IndexPage {
    static final int BLOCKS_OFFSET = 4;
    static final int SEPARATORS_OFFSET = 8;
    static final int DATA_OFFSET = 16;
    static final int HEADER_BYTES = 24;

    /** Of a block: its first prefix, and where it begins. */
    static final int BLOCK_BYTES = 12;

    static final int PLACE_OFFSET = 8;

    /** Of a separator, without the bytes of its body. */
    static final int SEPARATOR_BYTES = 16;

    /** How far behind the first block of a page its last one may begin. */
    static final long SPAN_MAX = 0xffffffffL;

    private int number;
    private int blocks;
    private int separators;
    private long dataOffset;
    private long dataEnd;
    private long blocksAt;
    private long separatorsAt;
    private long separatorBytesAt;

    /** Looks at a page of a run from now on, whose bytes are at an address. */
    void open(RunIndex index, int page, long address) {
        number = page;
        blocks = Memory.getInt(address + BLOCKS_OFFSET);
        separators = Memory.getInt(address + SEPARATORS_OFFSET);
        dataOffset = Memory.getLong(address + DATA_OFFSET);
        dataEnd = index.dataEnd(page);
        blocksAt = address + HEADER_BYTES;
        separatorsAt = blocksAt + (long) blocks * BLOCK_BYTES;
        separatorBytesAt = separatorsAt + (long) separators * SEPARATOR_BYTES;
    }

    /** Which page of the run it is. */
    int number() {
        return number;
    }

    public int blocks() {
        return blocks;
    }

    /** Prefix of the first entry of a block, which is counted within the page. */
    public long prefix(int block) {
        return Memory.getLong(blocksAt + (long) block * BLOCK_BYTES);
    }

    /** Where in the file the block begins. */
    public long offset(int block) {
        return dataOffset + (Memory.getInt(blocksAt + (long) block * BLOCK_BYTES + PLACE_OFFSET) & SPAN_MAX);
    }

    /** Where the block's extent ends; it may end with a filter page. */
    public long end(int block) {
        return block + 1 < blocks ? offset(block + 1) : dataEnd;
    }

    /** The last block whose first prefix is not above, or -1. */
    private int lastNotAbove(long prefix) {
        if (Long.compareUnsigned(prefix, prefix(0)) < 0) {
            return -1;
        }
        int low = 0;
        int high = blocks;
        int at = guess(prefix);
        if (Long.compareUnsigned(prefix(at), prefix) <= 0) {
            low = at;
            for (int step = 1; low + step < high; step <<= 1) {
                if (Long.compareUnsigned(prefix(low + step), prefix) > 0) {
                    high = low + step;
                } else {
                    low += step;
                }
            }
        } else {
            high = at;
            for (int step = 1; high - step > 0; step <<= 1) {
                if (Long.compareUnsigned(prefix(high - step), prefix) <= 0) {
                    low = high - step;
                    break;
                }
                high -= step;
            }
        }
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(prefix(middle), prefix) <= 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** About where a prefix is that is not below the first. */
    private int guess(long prefix) {
        // Halves, so that both are positive whatever tables they are of.
        long along = (prefix - prefix(0)) >>> 1;
        long all = (prefix(blocks - 1) - prefix(0)) >>> 1;
        return along >= all ? blocks - 1 : (int) ((double) along / all * (blocks - 1));
    }

    /** The first block whose first prefix is not below, or {@link #blocks()}. */
    int lowerBound(long prefix) {
        return prefix == 0 ? 0 : lastNotAbove(prefix - 1) + 1;
    }

    /** The first block that can hold entries with this prefix or a greater one; the page's first prefix is below. */
    int firstFrom(long prefix) {
        int block = lowerBound(prefix);
        if (block < blocks && prefix(block) == prefix && !hasSeparator(block)) {
            return block;
        }
        // The block before ends with smaller prefixes, or goes on to this one; a block is of one table.
        boolean mayGoOn = prefix(block - 1) >>> 48 == prefix >>> 48;
        return mayGoOn || block == blocks ? block - 1 : block;
    }

    /**
     * The one block of the page that can hold a key; -1 if the key is before the first. The hash and the body are those
     * of the key.
     */
    int locate(long prefix, long hash, byte[] body, int bodyLength) {
        int last = lastNotAbove(prefix);
        if (last < 0 || separators == 0 || prefix(last) != prefix) {
            return last;
        }
        int first = lowerBound(prefix);
        int from = separatorFrom(first);
        int end = separatorFrom(last + 1);
        int none = from < end && separatorBlock(from) == first ? first - 1 : first;
        int low = from;
        int high = end - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (compareSeparator(middle, (int) hash, body, bodyLength) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high < from ? none : separatorBlock(high);
    }

    private boolean hasSeparator(int block) {
        int separator = separatorFrom(block);
        return separator < separators && separatorBlock(separator) == block;
    }

    /** The first separator of this or a later block. */
    private int separatorFrom(int block) {
        int low = 0;
        int high = separators;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (separatorBlock(middle) < block) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int separatorBlock(int separator) {
        return Memory.getInt(separatorsAt + (long) separator * SEPARATOR_BYTES);
    }

    private int compareSeparator(int separator, int hashLow, byte[] body, int bodyLength) {
        long at = separatorsAt + (long) separator * SEPARATOR_BYTES;
        int separatorHash = Memory.getInt(at + 4);
        if (separatorHash != hashLow) {
            return Integer.compareUnsigned(separatorHash, hashLow);
        }
        long bytes = separatorBytesAt + (Memory.getInt(at + 8) & 0xffffffffL);
        int length = Memory.getInt(at + 12);
        return Memory.compare(bytes, length, body, 0, bodyLength);
    }
}
