package io.drey.bench.jmh.store;

import io.drey.foundation.Hash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The key of a record, 8 to 16 bytes made of a number, and its key group. Reused for every record; allocates nothing.
 */
final class RecordKey {
    /** As many as Flink has for one subtask; their prefix is one byte. */
    static final int KEY_GROUPS = 128;

    private static final int BYTES_MIN = 8;
    private static final int BYTES_MAX = 16;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes = new byte[BYTES_MAX];
    private int length;
    private int keyGroup;

    RecordKey of(long number) {
        long hash = Hash.mix(number + 1, 0x9E3779B97F4A7C15L);
        LONG.set(bytes, 0, hash);
        LONG.set(bytes, 8, ~hash);
        length = BYTES_MIN + (int) ((hash >>> 32) % (BYTES_MAX - BYTES_MIN + 1));
        keyGroup = (int) hash & KEY_GROUPS - 1;
        return this;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    int keyGroup() {
        return keyGroup;
    }
}
