package io.drey.foundation;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The live allocations of {@link Memory}: consulted only while assertions are on. */
final class Allocations {
    private static final ConcurrentSkipListMap<Long, Long> LIVE = new ConcurrentSkipListMap<>();
    private static final AtomicLong BYTES = new AtomicLong();

    /** Ranges that were touched lately, by address: nearly every access is in one, so that the check stays cheap. */
    private static final Range[] LATELY = new Range[1 << 8];

    private static final int ADDRESS_SHIFT = 16;

    /** Grows with each free, so that remembered ranges are forgotten. */
    private static volatile long frees;

    /** An allocation, as it was after so many frees. */
    private record Range(long begin, long end, long freed) {}

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
        Range lately = LATELY[slotOf(address)];
        return (lately != null && address >= lately.begin && address + bytes <= lately.end && lately.freed == frees)
                || find(address, bytes);
    }

    private static int slotOf(long address) {
        return (int) (address >>> ADDRESS_SHIFT) & LATELY.length - 1;
    }

    private static boolean find(long address, long bytes) {
        long seen = frees;
        Map.Entry<Long, Long> range = LIVE.floorEntry(address);
        if (range == null || bytes < 0 || address + bytes > range.getKey() + range.getValue()) {
            throw new AssertionError("touched " + bytes + " bytes at " + Long.toHexString(address)
                    + ", expected them inside an allocation, nearest " + range);
        }
        LATELY[slotOf(address)] = new Range(range.getKey(), range.getKey() + range.getValue(), seen);
        return true;
    }
}
