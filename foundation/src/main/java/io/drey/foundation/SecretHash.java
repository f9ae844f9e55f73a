package io.drey.foundation;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The function of {@link Hash} with constants that nobody outside the process knows: for places in memory, where keys
 * made to collide would make all that share a place slow. Never part of a file, nor of anything that leaves the process.
 *
 * <p>The system property {@value #SEED_PROPERTY} fixes the constants, so that a history can be repeated exactly.
 */
public final class SecretHash {
    /** Fixes the constants if it is set, to a number. */
    public static final String SEED_PROPERTY = "drey.hash.seed";

    private static final long S0;
    private static final long S1;
    private static final long S2;

    static {
        Long seed = Long.getLong(SEED_PROPERTY);
        RandomGenerator random = seed == null ? new SecureRandom() : new SplittableRandom(seed);
        // The lowest bit is set so that none is 0.
        S0 = random.nextLong() | 1;
        S1 = random.nextLong() | 1;
        S2 = random.nextLong() | 1;
    }

    private SecretHash() {}

    /** The hash of {@code bytes[offset, offset + length)}. */
    public static long hash(byte[] bytes, int offset, int length) {
        return Hash.hash(bytes, offset, length, 0, S0, S1, S2);
    }

    /** The hash of {@code length} bytes of memory: equal to that of the same bytes in an array. */
    public static long hash(long address, int length) {
        return Hash.hash(address, length, 0, S0, S1, S2);
    }

    /** A hash of two hashes. */
    public static long combine(long a, long b) {
        return Hash.mix(a ^ S1, b ^ S2);
    }
}
