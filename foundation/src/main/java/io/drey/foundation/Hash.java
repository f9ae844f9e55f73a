package io.drey.foundation;

/**
 * A 64-bit hash in the style of wyhash: 128-bit multiplications folded by xor. The value is part of the file formats
 * (runs are ordered by it), so it never changes; {@code HashTest} holds its vectors.
 */
public final class Hash {
    private static final long S0 = 0x2d358dccaa6c78a5L;
    private static final long S1 = 0x8bb84b93962eacc9L;
    private static final long S2 = 0x4b33a62ed433d4a3L;

    private Hash() {}

    /** The hash of {@code bytes[offset, offset + length)} under a seed. */
    public static long hash(byte[] bytes, int offset, int length, long seed) {
        return hash(bytes, offset, length, seed, S0, S1, S2);
    }

    /** The hash of {@code length} bytes of memory: equal to that of the same bytes in an array. */
    public static long hash(long address, int length, long seed) {
        return hash(address, length, seed, S0, S1, S2);
    }

    /** The same with other constants. */
    static long hash(byte[] bytes, int offset, int length, long seed, long s0, long s1, long s2) {
        long h = seed ^ mix(seed ^ s0, s1 ^ length);
        int i = offset;
        int end = offset + length;
        for (; i + 16 < end; i += 16) {
            h = mix(Memory.getLong(bytes, i) ^ s1, Memory.getLong(bytes, i + 8) ^ h);
        }
        int left = end - i;
        long a;
        long b;
        if (left > 8) {
            a = Memory.getLong(bytes, i);
            b = Memory.getLong(bytes, end - 8);
        } else if (left >= 4) {
            a = Memory.getInt(bytes, i) & 0xffffffffL;
            b = Memory.getInt(bytes, end - 4) & 0xffffffffL;
        } else if (left > 0) {
            a = (bytes[i] & 0xffL) << 16 | (bytes[i + (left >> 1)] & 0xffL) << 8 | (bytes[end - 1] & 0xffL);
            b = 0;
        } else {
            a = 0;
            b = 0;
        }
        return finish(a, b, h, length, s0, s1, s2);
    }

    /** The same for bytes in memory. */
    static long hash(long address, int length, long seed, long s0, long s1, long s2) {
        long h = seed ^ mix(seed ^ s0, s1 ^ length);
        long i = address;
        long end = address + length;
        for (; i + 16 < end; i += 16) {
            h = mix(Memory.getLong(i) ^ s1, Memory.getLong(i + 8) ^ h);
        }
        int left = (int) (end - i);
        long a;
        long b;
        if (left > 8) {
            a = Memory.getLong(i);
            b = Memory.getLong(end - 8);
        } else if (left >= 4) {
            a = Memory.getInt(i) & 0xffffffffL;
            b = Memory.getInt(end - 4) & 0xffffffffL;
        } else if (left > 0) {
            a = (Memory.getByte(i) & 0xffL) << 16
                    | (Memory.getByte(i + (left >> 1)) & 0xffL) << 8
                    | (Memory.getByte(end - 1) & 0xffL);
            b = 0;
        } else {
            a = 0;
            b = 0;
        }
        return finish(a, b, h, length, s0, s1, s2);
    }

    /** One long from two: the product in 128 bits, folded. */
    public static long mix(long a, long b) {
        return (a * b) ^ Math.multiplyHigh(a, b);
    }

    /** A hash of two hashes. */
    public static long combine(long a, long b) {
        return mix(a ^ S1, b ^ S2);
    }

    private static long finish(long a, long b, long h, int length, long s0, long s1, long s2) {
        long x = a ^ s1;
        long y = b ^ h;
        return mix((x * y) ^ s0 ^ length, Math.multiplyHigh(x, y) ^ s2 ^ h);
    }
}
