package io.drey.jobs.generate;

import java.io.Serializable;

/**
 * Draws one of a number of keys for each position, uniformly or by Zipf's law. Constant time and space: for Zipf's law,
 * a continuous density like it is cut into {@link #SLICES} slices of the same probability, a slice is drawn, and then a
 * point in it, whose nearest whole number is the rank. The density differs from Zipf's law by at most some percent at
 * any rank.
 *
 * <p>The slices are computed by {@link StrictMath}, so that a key is the same on every machine and after every restart.
 * Ranks are spread over the keys by an affine map, so that neighbours in rank are none in number. Immutable; hot path.
 */
public final class KeyDraw implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final double EXPONENT = 0.99;
    private static final int SLICES = 1 << 12;
    private static final double ONE_MINUS = 1 - EXPONENT;
    private static final double GOLDEN_SHARE = 0.6180339887498949;

    private final long seed;
    private final long keys;
    private final long factor;

    /** Where slices begin, and where the last one ends; or null if all keys are equally frequent. */
    private final double[] slices;

    /**
     * @param seed of the draws
     * @param skew how often the same keys come back
     * @param keys how many there are, from 1 to {@link LoadSettings#ALIVE_MAX}
     */
    public KeyDraw(long seed, KeySkew skew, long keys) {
        if (keys < 1 || keys > LoadSettings.ALIVE_MAX) {
            throw new IllegalArgumentException(
                    "The number of keys must be from 1 to " + LoadSettings.ALIVE_MAX + ", is " + keys);
        }
        this.seed = seed;
        this.keys = keys;
        factor = coprime(keys);
        slices = skew == KeySkew.ZIPF ? slices(keys) : null;
    }

    /** The first rank gets the mass 1 that is its due, and not that of half a unit on each side of 1, which is more. */
    private static double[] slices(long keys) {
        double first = integral(1.5) - 1;
        double width = (integral(keys + 0.5) - first) / SLICES;
        double[] slices = new double[SLICES + 1];
        for (int i = 0; i <= SLICES; i++) {
            slices[i] = inverse(first + i * width);
        }
        return slices;
    }

    /** How many keys there are. */
    public long keys() {
        return keys;
    }

    /** The key of a position, from 0. */
    public long key(long position) {
        return spread(rank(position));
    }

    /** The rank of a position, from 0 for the most frequent. */
    public long rank(long position) {
        long bits = Draw.bits(seed, position);
        return slices == null ? Draw.below(bits, keys) : zipfRank(bits);
    }

    /** About which share of the draws has a rank less than this, from 0 to 1. */
    public double shareBelow(long rank) {
        if (slices == null) {
            return (double) rank / keys;
        }
        double first = integral(1.5) - 1;
        return rank == 0 ? 0 : (integral(rank + 0.5) - first) / (integral(keys + 0.5) - first);
    }

    /** A permutation of the keys. */
    public long spread(long key) {
        return key * factor % keys;
    }

    private long zipfRank(long bits) {
        int slice = (int) (bits & SLICES - 1);
        double point = slices[slice] + Draw.fraction(bits) * (slices[slice + 1] - slices[slice]);
        return Math.min(keys, Math.max(1, (long) (point + 0.5))) - 1;
    }

    private static double integral(double x) {
        return (StrictMath.pow(x, ONE_MINUS) - 1) / ONE_MINUS;
    }

    private static double inverse(double y) {
        return StrictMath.pow(1 + y * ONE_MINUS, 1 / ONE_MINUS);
    }

    private static long coprime(long n) {
        long factor = Math.max(1, (long) (n * GOLDEN_SHARE));
        while (divisor(factor, n) != 1) {
            factor++;
        }
        return factor;
    }

    private static long divisor(long a, long b) {
        return b == 0 ? a : divisor(b, a % b);
    }
}
