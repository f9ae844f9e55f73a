package io.drey.jobs.generate;

import java.io.Serializable;

/**
 * Draws one of a number of keys for each position, uniformly or by Zipf's law. Constant time and space: Zipf's law by
 * rejection-inversion (Hörmann and Derflinger, 1996).
 *
 * <ol>
 *   <li>The hat is h(x) = x^-e, its integral H; u is uniform between the H of both ends.
 *   <li>x = H^-1(u), rounded, is the candidate rank k.
 *   <li>Accept k if x is so near below it that it must be right, or if u falls under the bar of k; else draw again.
 * </ol>
 *
 * <p>All arithmetic is that of {@link StrictMath}, so that a key is the same on every machine and after every restart.
 * Ranks are spread over the keys by an affine map, so that neighbours in rank are none in number. Immutable; hot path.
 */
public final class KeyDraw implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final double EXPONENT = 0.99;
    private static final double ONE_MINUS = 1 - EXPONENT;
    private static final double GOLDEN_SHARE = 0.6180339887498949;

    private final long seed;
    private final long keys;
    private final boolean zipf;
    private final double integralFirst;
    private final double integralLast;
    private final double sure;
    private final long factor;

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
        zipf = skew == KeySkew.ZIPF;
        integralFirst = integral(1.5) - 1;
        integralLast = integral(keys + 0.5);
        sure = 2 - inverse(integral(2.5) - hat(2));
        factor = coprime(keys);
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
        return zipf ? zipfRank(Draw.bits(seed, position)) : Draw.below(Draw.bits(seed, position), keys);
    }

    /** About which share of the draws has a rank less than this, from 0 to 1. */
    public double shareBelow(long rank) {
        if (!zipf) {
            return (double) rank / keys;
        }
        return (integral(rank + 0.5) - integral(0.5)) / (integralLast - integral(0.5));
    }

    /** A permutation of the keys. */
    public long spread(long key) {
        return key * factor % keys;
    }

    private long zipfRank(long firstBits) {
        long bits = firstBits;
        while (true) {
            double u = integralFirst + Draw.fraction(bits) * (integralLast - integralFirst);
            double x = inverse(u);
            long k = Math.min(keys, Math.max(1, (long) (x + 0.5)));
            if (k - x <= sure || u >= integral(k + 0.5) - hat(k)) {
                return k - 1;
            }
            bits = Draw.mix(bits);
        }
    }

    private static double hat(double x) {
        return StrictMath.pow(x, -EXPONENT);
    }

    private static double integral(double x) {
        return (StrictMath.pow(x, ONE_MINUS) - 1) / ONE_MINUS;
    }

    private static double inverse(double y) {
        return StrictMath.pow(Math.max(0, 1 + y * ONE_MINUS), 1 / ONE_MINUS);
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
