package io.drey.jobs.generate;

/**
 * Random numbers without a state: each is a hash of a seed and a place, so that an event is the same whenever and
 * however often it is made. Hot path: static, no allocation.
 */
public final class Draw {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Draw() {}

    /** A permutation of all 64-bit numbers that looks random: the finalizer of SplitMix64. */
    public static long mix(long value) {
        long z = value + GOLDEN;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** 64 random bits. */
    public static long bits(long seed, long position) {
        return mix(mix(position) ^ seed);
    }

    /** 64 random bits, others for each purpose. */
    public static long bits(long seed, long position, int purpose) {
        return mix(bits(seed, position) + purpose * GOLDEN);
    }

    /** A number from 0 to below the bound, which is positive and less than 2^62, from the high bits. */
    public static long below(long bits, long bound) {
        return Math.multiplyHigh(bits >>> 1, bound << 1);
    }

    /** A number from 0 to below 1, from the high 53 bits. */
    static double fraction(long bits) {
        return (bits >>> 11) * 0x1.0p-53;
    }
}
