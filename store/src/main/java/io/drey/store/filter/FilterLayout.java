package io.drey.store.filter;

import io.drey.foundation.Hash;
import io.drey.foundation.Memory;

/**
 * A page of a filter: a split-block Bloom filter over the entries of some neighbouring blocks, numbers little endian:
 *
 * <pre>
 *  0        4                 36                68
 *  +--------+-----------------+-----------------+-----+-----------------+
 *  | CRC32C | bucket 0, 8 x 4 | bucket 1, 8 x 4 | ... | 0 to 2 x zero   |
 *  +--------+-----------------+-----------------+-----+-----------------+
 * </pre>
 *
 * The upper half of a hash chooses the bucket, the lower half one bit in each of its eight words, so a probe touches
 * one or two cache lines. In a page of few bits for a hash, where that many would fill all of it, a hash has bits in
 * four of the words only, or in two, which the hash chooses too: one or two zero bytes at the end say so. The checksum
 * is seeded with the file's id and the page's offset. The page holds a hash for each entry, one for each row that
 * begins in its blocks, and another one for each row tombstone.
 */
public final class FilterLayout {
    public static final int HEADER_BYTES = 4;
    static final int BUCKET_BYTES = 32;

    /** Tenths of bits for a hash where there is room: about one probe in a hundred errs. */
    public static final int BITS_TENTHS_MAX = 105;

    /** The least: four probes in ten err. */
    public static final int BITS_TENTHS_MIN = 20;

    /** Below these, in tenths, four or two bits for a hash err less often than eight. */
    private static final int EIGHT_FROM_TENTHS = 70;

    private static final int FOUR_FROM_TENTHS = 40;

    /** Most zero bytes at the end. */
    static final int SPARSE_MAX = 2;

    private static final int SALT_SPARSE = 0x3c6ef35f;
    private static final long LOWER_WORD = 0xffffffffL;

    private static final int SALT_0 = 0x47b6137b;
    private static final int SALT_1 = 0x44974d91;
    private static final int SALT_2 = 0x8824ad5b;
    private static final int SALT_3 = 0xa2b7289d;
    private static final int SALT_4 = 0x705495c7;
    private static final int SALT_5 = 0x2df1424b;
    private static final int SALT_6 = 0x9efc4947;
    private static final int SALT_7 = 0x5c6bfb31;

    /** Sets the hashes of row tombstones apart from those of entries; tables have 16 bits. */
    private static final long TOMBSTONE_SALT = 1L << 32;

    private FilterLayout() {}

    /** What the filter holds for an entry, or for a row by its row hash. */
    public static long hash(long entryHash, int table) {
        return Hash.combine(entryHash, table);
    }

    /** What the filter holds for the tombstone of a row. */
    public static long tombstoneHash(long rowHash, int table) {
        return Hash.combine(rowHash, table | TOMBSTONE_SALT);
    }

    /** Whether a page may hold a hash; if not, it certainly does not. */
    public static boolean mayHold(long page, int length, long hash) {
        int h = (int) hash;
        long bucket = bucket(page, length, hash);
        if (sparse(length) > 0) {
            return mayHoldSparse(bucket, sparse(length), h);
        }
        return missing(
                        bucket,
                        bits(h, SALT_0, SALT_1),
                        bits(h, SALT_2, SALT_3),
                        bits(h, SALT_4, SALT_5),
                        bits(h, SALT_6, SALT_7))
                == 0;
    }

    /** How often the number of bits for a hash is halved in pages of so many tenths of bits for a hash. */
    static int sparseFor(int bitsTenths) {
        return bitsTenths >= EIGHT_FROM_TENTHS ? 0 : bitsTenths >= FOUR_FROM_TENTHS ? 1 : SPARSE_MAX;
    }

    /** The same of a page, by its length. */
    static int sparse(int length) {
        return length - HEADER_BYTES & BUCKET_BYTES - 1;
    }

    static boolean mayHoldSparse(long bucket, int sparse, int h) {
        long even = evenMask(h, sparse);
        long odd = oddMask(h, sparse);
        return missing(
                        bucket,
                        bits(h, SALT_0, SALT_1) & even,
                        bits(h, SALT_2, SALT_3) & odd,
                        bits(h, SALT_4, SALT_5) & even,
                        bits(h, SALT_6, SALT_7) & odd)
                == 0;
    }

    /** The word of the first and third pair that a hash has a bit in. */
    private static long evenMask(int hash, int sparse) {
        int choice = hash * SALT_SPARSE;
        return sparse == SPARSE_MAX && (choice << 1) < 0 ? 0 : wordMask(choice);
    }

    /** The word of the second and fourth pair that a hash has a bit in. */
    private static long oddMask(int hash, int sparse) {
        int choice = hash * SALT_SPARSE;
        return sparse == SPARSE_MAX && (choice << 1) >= 0 ? 0 : wordMask(choice);
    }

    private static long wordMask(int choice) {
        return choice < 0 ? LOWER_WORD : ~LOWER_WORD;
    }

    /** Marks those of some buckets of pages that are not sparse, 0 for none, that may hold a hash; returns how many do. */
    static int ask(long[] buckets, int count, long hash, byte[] marks, byte mark) {
        int h = (int) hash;
        long bits0 = bits(h, SALT_0, SALT_1);
        long bits2 = bits(h, SALT_2, SALT_3);
        long bits4 = bits(h, SALT_4, SALT_5);
        long bits6 = bits(h, SALT_6, SALT_7);
        int marked = 0;
        for (int i = 0; i < count; i++) {
            if (buckets[i] != 0 && missing(buckets[i], bits0, bits2, bits4, bits6) == 0) {
                marks[i] = mark;
                marked++;
            }
        }
        return marked;
    }

    static void add(long page, int length, long hash) {
        int h = (int) hash;
        int sparse = sparse(length);
        long bucket = bucket(page, length, hash);
        long even = sparse == 0 ? -1 : evenMask(h, sparse);
        long odd = sparse == 0 ? -1 : oddMask(h, sparse);
        set(bucket, bits(h, SALT_0, SALT_1) & even);
        set(bucket + 8, bits(h, SALT_2, SALT_3) & odd);
        set(bucket + 16, bits(h, SALT_4, SALT_5) & even);
        set(bucket + 24, bits(h, SALT_6, SALT_7) & odd);
    }

    /** Where a page has the bits of a hash. */
    static long bucket(long page, int length, long hash) {
        int buckets = (length - HEADER_BYTES) / BUCKET_BYTES;
        return page + HEADER_BYTES + (((hash >>> 32) * buckets) >>> 32) * BUCKET_BYTES;
    }

    /** One bit in each of two neighbouring words. */
    private static long bits(int hash, int salt, int nextSalt) {
        return (1L << ((hash * salt) >>> 27)) | (1L << (Integer.SIZE + ((hash * nextSalt) >>> 27)));
    }

    /**
     * Of bits in the eight words of a bucket, those that are not set; all at once, as where to stop could not be
     * predicted.
     */
    private static long missing(long bucket, long bits0, long bits2, long bits4, long bits6) {
        return (bits0 & ~Memory.getLong(bucket))
                | (bits2 & ~Memory.getLong(bucket + 8))
                | (bits4 & ~Memory.getLong(bucket + 16))
                | (bits6 & ~Memory.getLong(bucket + 24));
    }

    private static void set(long words, long bits) {
        Memory.putLong(words, Memory.getLong(words) | bits);
    }
}
