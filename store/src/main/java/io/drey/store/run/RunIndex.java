package io.drey.store.run;

import static io.drey.store.run.RunLayout.RESIDENT_ENTRY_BYTES;

import io.drey.foundation.PagedBytes;

/**
 * The resident part of an opened run, see {@link RunLayout}: which block holds a key. Immutable. A search compares
 * prefixes, and separators only where neighbouring blocks share a prefix.
 */
final class RunIndex implements AutoCloseable {
    private static final long OFFSET_MASK = RunLayout.RUN_BYTES_MAX - 1;

    private final PagedBytes bytes;
    private final int blocks;
    private final int separators;
    private final int filterPages;
    private final long separatorsAt;
    private final long filterPagesAt;
    private final long separatorBytesAt;

    /** Where the last block's extent ends. */
    private final long dataEnd;

    RunIndex(PagedBytes bytes, RunFooter footer) {
        this.bytes = bytes;
        this.blocks = footer.blocks();
        this.separators = footer.separators();
        this.filterPages = footer.filterPages();
        this.separatorsAt = (long) blocks * RESIDENT_ENTRY_BYTES;
        this.filterPagesAt = separatorsAt + (long) separators * RESIDENT_ENTRY_BYTES;
        this.separatorBytesAt = filterPagesAt + (long) filterPages * RESIDENT_ENTRY_BYTES;
        this.dataEnd = footer.residentOffset();
    }

    int blocks() {
        return blocks;
    }

    int filterPages() {
        return filterPages;
    }

    /** Prefix of the block's first entry. */
    long prefix(int block) {
        return bytes.getLong((long) block * RESIDENT_ENTRY_BYTES);
    }

    long offset(int block) {
        return bytes.getLong((long) block * RESIDENT_ENTRY_BYTES + 8) & OFFSET_MASK;
    }

    /** Where the block's extent ends, also that of the last block; the extent may end with a filter page. */
    long end(int block) {
        return block + 1 < blocks ? offset(block + 1) : dataEnd;
    }

    int filterPage(int block) {
        return (int) (bytes.getLong((long) block * RESIDENT_ENTRY_BYTES + 8) >>> 40);
    }

    long filterOffset(int page) {
        return bytes.getLong(filterPagesAt + (long) page * RESIDENT_ENTRY_BYTES);
    }

    int filterFirstBlock(int page) {
        return bytes.getInt(filterPagesAt + (long) page * RESIDENT_ENTRY_BYTES + 8);
    }

    int filterLength(int page) {
        return bytes.getInt(filterPagesAt + (long) page * RESIDENT_ENTRY_BYTES + 12);
    }

    /** The first block whose first prefix is not below, or {@link #blocks()}. */
    int lowerBound(long prefix) {
        int low = 0;
        int high = blocks;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(prefix(middle), prefix) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first block that can hold entries with this prefix or a greater one, or {@link #blocks()}. */
    int firstFrom(long prefix) {
        int block = lowerBound(prefix);
        if (block == 0 || (block < blocks && prefix(block) == prefix && !hasSeparator(block))) {
            return block;
        }
        // The block before ends with smaller prefixes, or goes on to this one; a block is of one table.
        return prefix(block - 1) >>> 48 == prefix >>> 48 ? block - 1 : block;
    }

    /** Bytes of the blocks that can hold entries with prefixes in {@code [from, to)}. */
    long bytes(long from, long to) {
        int first = firstFrom(from);
        int end = to == Slice.NO_END ? blocks : lowerBound(to);
        return first < end ? end(end - 1) - offset(first) : 0;
    }

    /** The one block that can hold a key, -1 if the key is before the first. The hash and body are those of the key. */
    int locate(long prefix, long hash, byte[] body, int bodyLength) {
        int low = 0;
        int high = blocks - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(prefix(middle), prefix) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        if (high < 0 || separators == 0 || prefix(high) != prefix) {
            return high;
        }
        return locateEqual(high, (int) hash, body, bodyLength);
    }

    /** The same, where the last block that begins with the key's prefix is known. */
    private int locateEqual(int last, int hashLow, byte[] body, int bodyLength) {
        int first = lowerBound(prefix(last));
        int from = separatorFrom(first);
        int end = separatorFrom(last + 1);
        int none = from < end && separatorBlock(from) == first ? first - 1 : first;
        int low = from;
        int high = end - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (compareSeparator(middle, hashLow, body, bodyLength) <= 0) {
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
        return bytes.getInt(separatorsAt + (long) separator * RESIDENT_ENTRY_BYTES);
    }

    private int compareSeparator(int separator, int hashLow, byte[] body, int bodyLength) {
        long at = separatorsAt + (long) separator * RESIDENT_ENTRY_BYTES;
        int separatorHash = bytes.getInt(at + 4);
        if (separatorHash != hashLow) {
            return Integer.compareUnsigned(separatorHash, hashLow);
        }
        long offset = separatorBytesAt + (bytes.getInt(at + 8) & 0xffffffffL);
        return bytes.compare(offset, bytes.getInt(at + 12), body, bodyLength);
    }

    @Override
    public void close() {
        bytes.close();
    }
}
