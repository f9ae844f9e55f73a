package io.drey.foundation;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory borrowed beyond an {@link Arena}: bounded, counted, and zero unless single values are huge or the pages that
 * are free do not lie side by side.
 */
public final class Overdraft {
    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();

    public Overdraft(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public long bytes() {
        return bytes.get();
    }

    public long bytesMax() {
        return bytesMax;
    }

    long borrow(int count) {
        // What is refused is never counted: another thread would be refused for it.
        long before = bytes.getAndUpdate(used -> used + count > bytesMax ? used : used + count);
        if (before + count > bytesMax) {
            throw new DreyException("expected single values to borrow at most " + bytesMax
                    + " bytes beside the managed memory, found " + before + " in use and " + count
                    + " more wanted: make values smaller, or give the task more managed memory");
        }
        long address = 0;
        try {
            address = Memory.allocate(count);
        } finally {
            if (address == 0) {
                bytes.addAndGet(-count);
            }
        }
        return address;
    }

    void repay(long address, int count) {
        Memory.free(address, count);
        bytes.addAndGet(-count);
    }
}
