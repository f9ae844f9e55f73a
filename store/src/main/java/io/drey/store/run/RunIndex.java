package io.drey.store.run;

import static io.drey.store.run.RunLayout.RESIDENT_ENTRY_BYTES;

import io.drey.foundation.PagedBytes;

/**
 * The resident part of an opened run, see {@link RunLayout}: which block holds a key. Immutable. A search compares
 * prefixes, and separators only where neighbouring blocks share a prefix.
 *
 * <p>The prefixes of a table are spread evenly, as most of their bits are of a hash: so a search guesses the place, and
 * is right within a few blocks, which are neighbours in memory. Where they are not, it gallops.
 */
public final class RunIndex implements AutoCloseable {
    /** Guesses before a search gallops. */
    private static final int GUESSES = 3;

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

    /** The tables of the run, in order, and where the blocks of each begin; one more for the end of the last. */
    private final int[] tables;

    private final int[] firstBlocks;
    private final long[] firstPrefixes;

    /** Blocks of a table for each step of the prefix, in 2^-64 of a block. */
    private final long[] densities;

    RunIndex(PagedBytes bytes, RunFooter footer) {
        this.bytes = bytes;
        this.blocks = footer.blocks();
        this.separators = footer.separators();
        this.filterPages = footer.filterPages();
        this.separatorsAt = (long) blocks * RESIDENT_ENTRY_BYTES;
        this.filterPagesAt = separatorsAt + (long) separators * RESIDENT_ENTRY_BYTES;
        this.separatorBytesAt = filterPagesAt + (long) filterPages * RESIDENT_ENTRY_BYTES;
        this.dataEnd = footer.residentOffset();
        int tableCount = footer.tables().size();
        this.tables = new int[tableCount];
        this.firstBlocks = new int[tableCount + 1];
        this.firstPrefixes = new long[tableCount];
        this.densities = new long[tableCount];
        for (int i = 0; i < tableCount; i++) {
            tables[i] = footer.tables().get(i).table();
            firstBlocks[i] = firstFrom(tables[i], i == 0 ? 0 : firstBlocks[i - 1]);
        }
        firstBlocks[tableCount] = blocks;
        for (int i = 0; i < tableCount; i++) {
            int first = firstBlocks[i];
            int last = Math.max(first, firstBlocks[i + 1] - 1);
            firstPrefixes[i] = first < blocks ? prefix(first) : 0;
            densities[i] = last > first ? density(last - first, prefix(last) - firstPrefixes[i]) : 0;
        }
    }

    /** Blocks, or what is spread as they are, for each of so many steps of the prefix, in 2^-64. */
    static long density(int blocks, long prefixes) {
        return (long) Math.scalb(blocks / (double) Math.max(1, prefixes), Long.SIZE);
    }

    /** What lies along so many steps of the prefix, given its density, without the fraction. */
    static long along(long prefixes, long density) {
        long blocks = Math.multiplyHigh(prefixes, density);
        return blocks < 0 ? blocks + 1 : blocks;
    }

    /** The first block, not before {@code from}, of this table or a later one. */
    private int firstFrom(int table, int from) {
        int low = from;
        int high = blocks;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (prefix(middle) >>> 48 < table) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** About where the last block not above a prefix is, without looking at blocks. */
    int guess(long prefix) {
        int ordinal = ordinalNotAbove(prefix);
        return ordinal < 0 || prefix < firstPrefixes[ordinal] ? 0 : guess(prefix, ordinal);
    }

    private int guess(long prefix, int ordinal) {
        long above = along(prefix - firstPrefixes[ordinal], densities[ordinal]);
        return (int) Math.max(0, Math.min(firstBlocks[ordinal + 1] - 1, firstBlocks[ordinal] + above));
    }

    /** The last table of the run that is not after a prefix, or -1. */
    private int ordinalNotAbove(long prefix) {
        int table = (int) (prefix >>> 48);
        int ordinal = tables.length - 1;
        while (ordinal >= 0 && tables[ordinal] > table) {
            ordinal--;
        }
        return ordinal;
    }

    /** The last block whose first prefix is not above, or -1. */
    private int lastNotAbove(long prefix) {
        int ordinal = ordinalNotAbove(prefix);
        if (ordinal < 0 || tables[ordinal] < (int) (prefix >>> 48)) {
            return ordinal < 0 ? -1 : firstBlocks[ordinal + 1] - 1;
        }
        int first = firstBlocks[ordinal];
        int last = firstBlocks[ordinal + 1] - 1;
        if (first > last || prefix < firstPrefixes[ordinal]) {
            return first - 1;
        }
        long density = densities[ordinal];
        int at = guess(prefix, ordinal);
        for (int guess = 0; guess < GUESSES; guess++) {
            long step = along(prefix - prefix(at), density);
            if (step == 0) {
                break;
            }
            at = (int) Math.max(first, Math.min(last, at + step));
        }
        return gallop(prefix, at, first, last);
    }

    /** The same from a guess on, where the answer is known to be in {@code first..last}; all of one table. */
    private int gallop(long prefix, int guess, int first, int last) {
        int low = guess;
        int high = guess;
        int step = 1;
        while (low > first && prefix(low) > prefix) {
            high = low;
            low = Math.max(first, low - step);
            step <<= 1;
        }
        if (high == guess) {
            high = guess + 1;
            while (high <= last && prefix(high) <= prefix) {
                low = high;
                high += step;
                step <<= 1;
            }
            high = Math.min(high, last + 1);
        }
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (prefix(middle) <= prefix) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Prefix of the first entry of a table, by its ordinal among those of the run. */
    long firstPrefix(int ordinal) {
        return firstPrefixes[ordinal];
    }

    /** Prefix of the first entry of the last block of a table, by its ordinal. */
    long lastBlockPrefix(int ordinal) {
        return prefix(firstBlocks[ordinal + 1] - 1);
    }

    public int blocks() {
        return blocks;
    }

    int filterPages() {
        return filterPages;
    }

    /** Prefix of the block's first entry. */
    public long prefix(int block) {
        return bytes.getLong((long) block * RESIDENT_ENTRY_BYTES);
    }

    public long offset(int block) {
        return bytes.getLong((long) block * RESIDENT_ENTRY_BYTES + 8) & OFFSET_MASK;
    }

    /** Where the block's extent ends, also that of the last block; the extent may end with a filter page. */
    public long end(int block) {
        return block + 1 < blocks ? offset(block + 1) : dataEnd;
    }

    public int filterPage(int block) {
        return (int) (bytes.getLong((long) block * RESIDENT_ENTRY_BYTES + 8) >>> 40);
    }

    public long filterOffset(int page) {
        return bytes.getLong(filterPagesAt + (long) page * RESIDENT_ENTRY_BYTES);
    }

    public int filterFirstBlock(int page) {
        return bytes.getInt(filterPagesAt + (long) page * RESIDENT_ENTRY_BYTES + 8);
    }

    public int filterLength(int page) {
        return bytes.getInt(filterPagesAt + (long) page * RESIDENT_ENTRY_BYTES + 12);
    }

    /** The first block whose first prefix is not below, or {@link #blocks()}. */
    int lowerBound(long prefix) {
        return prefix == 0 ? 0 : lastNotAbove(prefix - 1) + 1;
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
        int end = to == RunView.NO_END ? blocks : lowerBound(to);
        return first < end ? end(end - 1) - offset(first) : 0;
    }

    /** The one block that can hold a key, -1 if the key is before the first. The hash and body are those of the key. */
    int locate(long prefix, long hash, byte[] body, int bodyLength) {
        int last = lastNotAbove(prefix);
        if (last < 0 || separators == 0 || prefix(last) != prefix) {
            return last;
        }
        return locateEqual(last, (int) hash, body, bodyLength);
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
        int low = (int) ((long) block * separators / Math.max(1, blocks));
        int high = low;
        int step = 1;
        while (low > 0 && separatorBlock(low - 1) >= block) {
            high = low - 1;
            low = Math.max(0, high - step);
            step <<= 1;
        }
        while (high < separators && separatorBlock(high) < block) {
            low = high + 1;
            high = Math.min(separators, low + step);
            step <<= 1;
        }
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
