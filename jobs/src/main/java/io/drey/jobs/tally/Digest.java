package io.drey.jobs.tally;

/**
 * The hash of a result row. Start with {@link #START}; for a text, each UTF-16 unit and then 0xFFFF, for a number the
 * 64-bit value (a double as its IEEE bits): {@code h = (h ^ x) * 0x100000001B3}, after a number also
 * {@code h ^= h >>> 32}; at the end the finalizer of Murmur 3. A null text is {@code "NA"}. The digests of all rows are
 * added up modulo 2^64, so that the order of rows does not matter. Hot path: static, no allocation.
 */
public final class Digest {
    public static final long START = 0xCBF29CE484222325L;

    private static final long PRIME = 0x100000001B3L;
    private static final int TEXT_END = 0xFFFF;

    private Digest() {}

    public static long text(long hash, String text) {
        String value = text == null ? "NA" : text;
        long h = hash;
        for (int i = 0; i < value.length(); i++) {
            h = (h ^ value.charAt(i)) * PRIME;
        }
        return (h ^ TEXT_END) * PRIME;
    }

    public static long number(long hash, long number) {
        long h = (hash ^ number) * PRIME;
        return h ^ h >>> 32;
    }

    public static long number(long hash, double number) {
        return number(hash, Double.doubleToLongBits(number));
    }

    public static long end(long hash) {
        long h = hash ^ hash >>> 33;
        h *= 0xFF51AFD7ED558CCDL;
        h ^= h >>> 33;
        h *= 0xC4CEB9FE1A85EC53L;
        return h ^ h >>> 33;
    }
}
