package io.drey.foundation;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.misc.Unsafe;

/**
 * Raw memory: the one class through which Drey touches memory outside the heap, so that a foreign-memory variant can
 * replace it. Addresses are plain longs; every access is little endian on every machine that Drey supports and may be
 * unaligned, except the ordered ones, which must be aligned to their size.
 *
 * <p>With assertions on (as in all tests) each access is checked against the live allocations, and freed memory is
 * poisoned, so that a read after free shows.
 */
public final class Memory {
    /** The byte that fills freed memory when assertions are on. */
    public static final byte POISON = (byte) 0xDB;

    private static final Unsafe UNSAFE = unsafe();
    private static final long BYTE_ARRAY = Unsafe.ARRAY_BYTE_BASE_OFFSET;

    private static final int LARGE_BYTES = 1 << 20;

    /**
     * A C library keeps what was freed for the thread that had it, up to its largest threshold for memory from the
     * system. Beyond that the memory goes back at once, and none is taken up that is not touched.
     */
    private static final int RETURNED_BYTES_MIN = (32 << 20) + 1;

    /** Copies up to this size are done with a few reads and writes. */
    private static final int SMALL_BYTES_MAX = 32;

    private static final Class<?> DIRECT_BUFFER = ByteBuffer.allocateDirect(1).getClass();
    private static final long BUFFER_ADDRESS = bufferField("address");
    private static final long BUFFER_CAPACITY = bufferField("capacity");

    static {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new ExceptionInInitializerError("expected a little-endian machine, found " + ByteOrder.nativeOrder()
                    + ": Drey does not support it");
        }
    }

    private Memory() {}

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static long bufferField(String name) {
        try {
            return UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField(name));
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Allocates {@code bytes} bytes of zeroed memory outside the heap and returns its address. */
    public static long allocate(long bytes) {
        long address = allocateUnset(bytes);
        UNSAFE.setMemory(address, bytes, (byte) 0);
        return address;
    }

    /**
     * The same, but what is in it is undefined. So much memory takes long to set: the system gives each page of it when
     * it is touched first. What is large goes back to the system when it is freed.
     */
    public static long allocateUnset(long bytes) {
        long address = UNSAFE.allocateMemory(bytes < LARGE_BYTES ? bytes : Math.max(bytes, RETURNED_BYTES_MIN));
        assert Allocations.add(address, bytes);
        assert poison(address, bytes);
        return address;
    }

    /** Frees what {@link #allocate} returned. */
    public static void free(long address, long bytes) {
        assert Allocations.remove(address, bytes);
        assert poison(address, bytes);
        UNSAFE.freeMemory(address);
    }

    private static boolean poison(long address, long bytes) {
        UNSAFE.setMemory(address, bytes, POISON);
        return true;
    }

    /** Bytes allocated and not yet freed by this process; counted only while assertions are on, else -1. */
    public static long allocatedBytes() {
        long bytes = -1;
        assert (bytes = Allocations.bytes()) >= 0;
        return bytes;
    }

    public static byte getByte(long address) {
        assert Allocations.contains(address, 1);
        return UNSAFE.getByte(address);
    }

    public static void putByte(long address, byte value) {
        assert Allocations.contains(address, 1);
        UNSAFE.putByte(address, value);
    }

    public static short getShort(long address) {
        assert Allocations.contains(address, 2);
        return UNSAFE.getShort(address);
    }

    public static void putShort(long address, short value) {
        assert Allocations.contains(address, 2);
        UNSAFE.putShort(address, value);
    }

    public static int getInt(long address) {
        assert Allocations.contains(address, 4);
        return UNSAFE.getInt(address);
    }

    public static void putInt(long address, int value) {
        assert Allocations.contains(address, 4);
        UNSAFE.putInt(address, value);
    }

    public static long getLong(long address) {
        assert Allocations.contains(address, 8);
        return UNSAFE.getLong(address);
    }

    public static void putLong(long address, long value) {
        assert Allocations.contains(address, 8);
        UNSAFE.putLong(address, value);
    }

    /** Copies between two addresses; the ranges may overlap. */
    public static void copy(long from, long to, long bytes) {
        assert Allocations.contains(from, bytes) && Allocations.contains(to, bytes);
        if (bytes <= SMALL_BYTES_MAX) {
            copySmall(null, from, null, to, (int) bytes);
        } else {
            UNSAFE.copyMemory(from, to, bytes);
        }
    }

    /**
     * Copies at most 32 bytes, all read before the first is written, so that ranges may overlap: most keys and many
     * values are that small, and the general copy costs several times as much for them.
     */
    private static void copySmall(Object from, long source, Object to, long target, int bytes) {
        if (bytes >= 16) {
            long first = UNSAFE.getLong(from, source);
            long second = UNSAFE.getLong(from, source + 8);
            long third = UNSAFE.getLong(from, source + bytes - 16);
            long last = UNSAFE.getLong(from, source + bytes - 8);
            UNSAFE.putLong(to, target, first);
            UNSAFE.putLong(to, target + 8, second);
            UNSAFE.putLong(to, target + bytes - 16, third);
            UNSAFE.putLong(to, target + bytes - 8, last);
        } else if (bytes >= 8) {
            long first = UNSAFE.getLong(from, source);
            long last = UNSAFE.getLong(from, source + bytes - 8);
            UNSAFE.putLong(to, target, first);
            UNSAFE.putLong(to, target + bytes - 8, last);
        } else if (bytes >= 4) {
            int first = UNSAFE.getInt(from, source);
            int last = UNSAFE.getInt(from, source + bytes - 4);
            UNSAFE.putInt(to, target, first);
            UNSAFE.putInt(to, target + bytes - 4, last);
        } else if (bytes > 0) {
            byte first = UNSAFE.getByte(from, source);
            byte middle = UNSAFE.getByte(from, source + (bytes >>> 1));
            byte last = UNSAFE.getByte(from, source + bytes - 1);
            UNSAFE.putByte(to, target, first);
            UNSAFE.putByte(to, target + (bytes >>> 1), middle);
            UNSAFE.putByte(to, target + bytes - 1, last);
        }
    }

    /** Copies {@code bytes[offset, offset + length)} to {@code address}. */
    public static void copy(byte[] bytes, int offset, long address, int length) {
        assert Allocations.contains(address, length) && inside(bytes, offset, length);
        if (length <= SMALL_BYTES_MAX) {
            copySmall(bytes, BYTE_ARRAY + offset, null, address, length);
        } else {
            UNSAFE.copyMemory(bytes, BYTE_ARRAY + offset, null, address, length);
        }
    }

    /** Copies {@code length} bytes at {@code address} to {@code bytes[offset, ..)}. */
    public static void copy(long address, byte[] bytes, int offset, int length) {
        assert Allocations.contains(address, length) && inside(bytes, offset, length);
        if (length <= SMALL_BYTES_MAX) {
            copySmall(null, address, bytes, BYTE_ARRAY + offset, length);
        } else {
            UNSAFE.copyMemory(null, address, bytes, BYTE_ARRAY + offset, length);
        }
    }

    /** Copies {@code from[fromOffset, fromOffset + length)} to {@code to[toOffset, ..)}; the ranges may overlap. */
    public static void copy(byte[] from, int fromOffset, byte[] to, int toOffset, int length) {
        assert inside(from, fromOffset, length) && inside(to, toOffset, length);
        if (length <= SMALL_BYTES_MAX) {
            copySmall(from, BYTE_ARRAY + fromOffset, to, BYTE_ARRAY + toOffset, length);
        } else {
            System.arraycopy(from, fromOffset, to, toOffset, length);
        }
    }

    public static void fill(long address, long bytes, byte value) {
        assert Allocations.contains(address, bytes);
        UNSAFE.setMemory(address, bytes, value);
    }

    /** Little-endian long at {@code bytes[offset]}. */
    public static long getLong(byte[] bytes, int offset) {
        assert inside(bytes, offset, 8);
        return UNSAFE.getLong(bytes, BYTE_ARRAY + offset);
    }

    /** Little-endian int at {@code bytes[offset]}. */
    public static int getInt(byte[] bytes, int offset) {
        assert inside(bytes, offset, 4);
        return UNSAFE.getInt(bytes, BYTE_ARRAY + offset);
    }

    /** Whether {@code length} bytes at the address equal {@code bytes[offset, ..)}. */
    public static boolean equal(long address, byte[] bytes, int offset, int length) {
        assert Allocations.contains(address, length) && inside(bytes, offset, length);
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            if (UNSAFE.getLong(address + i) != UNSAFE.getLong(bytes, BYTE_ARRAY + offset + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (UNSAFE.getByte(address + i) != bytes[offset + i]) {
                return false;
            }
        }
        return true;
    }

    /** Unsigned byte order of two ranges; a proper prefix comes first. Negative, zero or positive. */
    public static int compare(long a, int aLength, long b, int bLength) {
        assert Allocations.contains(a, aLength) && Allocations.contains(b, bLength);
        int length = Math.min(aLength, bLength);
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long x = UNSAFE.getLong(a + i);
            long y = UNSAFE.getLong(b + i);
            if (x != y) {
                return Long.compareUnsigned(Long.reverseBytes(x), Long.reverseBytes(y));
            }
        }
        for (; i < length; i++) {
            int x = UNSAFE.getByte(a + i) & 0xff;
            int y = UNSAFE.getByte(b + i) & 0xff;
            if (x != y) {
                return x - y;
            }
        }
        return aLength - bLength;
    }

    /** Unsigned byte order of memory and {@code bytes[offset, offset + length)}; a proper prefix comes first. */
    public static int compare(long a, int aLength, byte[] bytes, int offset, int bLength) {
        assert Allocations.contains(a, aLength) && inside(bytes, offset, bLength);
        int length = Math.min(aLength, bLength);
        int i = mismatch(a, bytes, offset, length);
        return i == length ? aLength - bLength : (UNSAFE.getByte(a + i) & 0xff) - (bytes[offset + i] & 0xff);
    }

    /** How many of the first {@code length} bytes of two ranges are equal before the first that differs. */
    public static int mismatch(long a, long b, int length) {
        assert Allocations.contains(a, length) && Allocations.contains(b, length);
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long difference = UNSAFE.getLong(a + i) ^ UNSAFE.getLong(b + i);
            if (difference != 0) {
                return i + (Long.numberOfTrailingZeros(difference) >>> 3);
            }
        }
        while (i < length && UNSAFE.getByte(a + i) == UNSAFE.getByte(b + i)) {
            i++;
        }
        return i;
    }

    /** The same for memory and {@code bytes[offset, offset + length)}. */
    public static int mismatch(long a, byte[] bytes, int offset, int length) {
        assert Allocations.contains(a, length) && inside(bytes, offset, length);
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long difference = UNSAFE.getLong(a + i) ^ UNSAFE.getLong(bytes, BYTE_ARRAY + offset + i);
            if (difference != 0) {
                return i + (Long.numberOfTrailingZeros(difference) >>> 3);
            }
        }
        while (i < length && UNSAFE.getByte(a + i) == bytes[offset + i]) {
            i++;
        }
        return i;
    }

    /** A byte buffer over memory that the caller owns; it does not free it and must not outlive it. */
    public static ByteBuffer wrap(long address, int bytes) {
        assert Allocations.contains(address, bytes);
        try {
            ByteBuffer buffer = (ByteBuffer) UNSAFE.allocateInstance(DIRECT_BUFFER);
            rewrap(buffer, address, bytes);
            return buffer.order(ByteOrder.LITTLE_ENDIAN);
        } catch (InstantiationException e) {
            throw new IllegalStateException("expected to wrap memory in " + DIRECT_BUFFER + ", found no way to", e);
        }
    }

    /** Points a buffer made by {@link #wrap} at other memory, without allocating. */
    public static void rewrap(ByteBuffer buffer, long address, int bytes) {
        assert Allocations.contains(address, bytes);
        UNSAFE.putLong(buffer, BUFFER_ADDRESS, address);
        UNSAFE.putInt(buffer, BUFFER_CAPACITY, bytes);
        buffer.clear();
    }

    private static boolean inside(byte[] bytes, int offset, int length) {
        return offset >= 0 && length >= 0 && offset + length <= bytes.length;
    }
}
