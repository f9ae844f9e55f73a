package io.drey.jobs.generate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes of rows. They compress about 2:1, like most rows: of every 24 bytes 8 are random and 16 the same. A pure
 * function of the random bits that it is given. Hot path: allocates the array and nothing else.
 */
public final class Payload {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long FILLER_ONE = 0x20746E6967756F72L;
    private static final long FILLER_TWO = 0x2068747561657320L;
    private static final int UNIT = 3 * Long.BYTES;
    private static final long PRIME = 0x9E3779B185EBCA87L;

    private Payload() {}

    /** A payload of a size between two limits, both possible. */
    public static byte[] between(long bits, int bytesMin, int bytesMax) {
        return ofSize(Draw.mix(bits), bytesMin + (int) Draw.below(bits, bytesMax - bytesMin + 1L));
    }

    /** A payload of a size. */
    public static byte[] ofSize(long bits, int size) {
        byte[] payload = new byte[size];
        long random = bits;
        int at = 0;
        while (at + UNIT <= size) {
            random = Draw.mix(random);
            LONGS.set(payload, at, random);
            LONGS.set(payload, at + Long.BYTES, FILLER_ONE);
            LONGS.set(payload, at + 2 * Long.BYTES, FILLER_TWO);
            at += UNIT;
        }
        random = Draw.mix(random);
        while (at < size) {
            payload[at] = (byte) (random >>> ((at & 7) * Byte.SIZE));
            at++;
        }
        return payload;
    }

    /** A payload of a size that no codec makes shorter. */
    public static byte[] incompressible(long bits, int size) {
        byte[] payload = new byte[size];
        long random = bits;
        int at = 0;
        while (at + Long.BYTES <= size) {
            random = Draw.mix(random);
            LONGS.set(payload, at, random);
            at += Long.BYTES;
        }
        random = Draw.mix(random);
        while (at < size) {
            payload[at] = (byte) (random >>> ((at & 7) * Byte.SIZE));
            at++;
        }
        return payload;
    }

    /** A hash over all bytes and their number. */
    public static long digest(byte[] payload) {
        long hash = payload.length * PRIME;
        int at = 0;
        while (at + Long.BYTES <= payload.length) {
            hash = step(hash, (long) LONGS.get(payload, at));
            at += Long.BYTES;
        }
        while (at < payload.length) {
            hash = step(hash, payload[at]);
            at++;
        }
        return hash;
    }

    private static long step(long hash, long value) {
        return Long.rotateLeft(hash ^ value, 27) * PRIME;
    }
}
