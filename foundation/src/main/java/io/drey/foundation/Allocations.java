package io.drey.foundation;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The live allocations of {@link Memory}: consulted only while assertions are on. */
final class Allocations {
    private static final ConcurrentSkipListMap<Long, Long> LIVE = new ConcurrentSkipListMap<>();
    private static final AtomicLong BYTES = new AtomicLong();

    /** The range this thread touched last: nearly every access is in it, so the check stays cheap enough for models. */
    private static final ThreadLocal<long[]> LAST = ThreadLocal.withInitial(() -> new long[3]);

    /** Grows with each free, so that remembered ranges are forgotten. */
    private static volatile long frees;

    private Allocations() {}

    static boolean add(long address, long bytes) {
        LIVE.put(address, bytes);
        BYTES.addAndGet(bytes);
        return true;
    }

    static synchronized boolean remove(long address, long bytes) {
        Long found = LIVE.remove(address);
        if (found == null || found != bytes) {
            throw new AssertionError("freed " + bytes + " bytes at " + Long.toHexString(address)
                    + ", expected an allocation of " + found + " there");
        }
        BYTES.addAndGet(-bytes);
        frees++;
        return true;
    }

    static long bytes() {
        return BYTES.get();
    }

    static boolean contains(long address, long bytes) {
        if (bytes == 0) {
            return true;
        }
        long[] last = LAST.get();
        if (address >= last[0] && address + bytes <= last[1] && last[2] == frees) {
            return true;
        }
        long seen = frees;
        Map.Entry<Long, Long> range = LIVE.floorEntry(address);
        if (range == null || bytes < 0 || address + bytes > range.getKey() + range.getValue()) {
            throw new AssertionError("touched " + bytes + " bytes at " + Long.toHexString(address)
                    + ", expected them inside an allocation, nearest " + range);
        }
        last[0] = range.getKey();
        last[1] = range.getKey() + range.getValue();
        last[2] = seen;
        return true;
    }
}
