package io.drey.store.filter;

import io.drey.foundation.Hash;
import io.drey.foundation.Memory;

/**
 * A page of a filter: a split-block Bloom filter over the entries of some neighbouring blocks, numbers little endian:
 *
 * <pre>
 *  0        4                 36                68
 *  +--------+-----------------+-----------------+-----
 *  | CRC32C | bucket 0, 8 x 4 | bucket 1, 8 x 4 | ...
 *  +--------+-----------------+-----------------+-----
 * </pre>
 *
 * The upper half of a hash chooses the bucket, the lower half one bit in each of its eight words, so a probe touches one
 * or two cache lines. The checksum is seeded with the file's id and the page's offset. The page holds a hash for each
 * entry, one for each group that begins in its blocks, and another one for each group tombstone.
 */
public final class FilterLayout {
    public static final int HEADER_BYTES = 4;
    static final int BUCKET_BYTES = 32;

    /** Tenths of bits for a hash: about one probe in a hundred errs. */
    static final int BITS_PER_HASH_TENTHS = 105;

    private static final int SALT_0 = 0x47b6137b;
    private static final int SALT_1 = 0x44974d91;
    private static final int SALT_2 = 0x8824ad5b;
    private static final int SALT_3 = 0xa2b7289d;
    private static final int SALT_4 = 0x705495c7;
    private static final int SALT_5 = 0x2df1424b;
    private static final int SALT_6 = 0x9efc4947;
    private static final int SALT_7 = 0x5c6bfb31;

    /** Sets the hashes of group tombstones apart from those of entries; tables have 16 bits. */
    private static final long TOMBSTONE_SALT = 1L << 32;

    private FilterLayout() {}

    /** What the filter holds for an entry, or for a group by its group hash. */
    public static long hash(long entryHash, int table) {
        return Hash.combine(entryHash, table);
    }

    /** What the filter holds for the tombstone of a group. */
    public static long tombstoneHash(long groupHash, int table) {
        return Hash.combine(groupHash, table | TOMBSTONE_SALT);
    }

    /** Whether a page may hold a hash; if not, it certainly does not. */
    public static boolean mayHold(long page, int length, long hash) {
        long bucket = bucket(page, (length - HEADER_BYTES) / BUCKET_BYTES, hash);
        int h = (int) hash;
        // All words at once: for a key that is not here, where to stop could not be predicted.
        return (missing(bucket, h * SALT_0, h * SALT_1)
                        | missing(bucket + 8, h * SALT_2, h * SALT_3)
                        | missing(bucket + 16, h * SALT_4, h * SALT_5)
                        | missing(bucket + 24, h * SALT_6, h * SALT_7))
                == 0;
    }

    static void add(long page, int length, long hash) {
        long bucket = bucket(page, (length - HEADER_BYTES) / BUCKET_BYTES, hash);
        int h = (int) hash;
        set(bucket, h * SALT_0);
        set(bucket + 4, h * SALT_1);
        set(bucket + 8, h * SALT_2);
        set(bucket + 12, h * SALT_3);
        set(bucket + 16, h * SALT_4);
        set(bucket + 20, h * SALT_5);
        set(bucket + 24, h * SALT_6);
        set(bucket + 28, h * SALT_7);
    }

    private static long bucket(long page, int buckets, long hash) {
        return page + HEADER_BYTES + (((hash >>> 32) * buckets) >>> 32) * BUCKET_BYTES;
    }

    /** Of one bit in each of two neighbouring words, those that are not set. */
    private static long missing(long words, int product, int nextProduct) {
        long bits = (1L << (product >>> 27)) | (1L << (Integer.SIZE + (nextProduct >>> 27)));
        return bits & ~Memory.getLong(words);
    }

    private static void set(long word, int product) {
        Memory.putInt(word, Memory.getInt(word) | 1 << (product >>> 27));
    }
}
