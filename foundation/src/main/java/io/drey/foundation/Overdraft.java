package io.drey.foundation;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory borrowed beyond an {@link Arena}: bounded, counted, and zero unless single values are huge or the pages that
 * are free do not lie side by side.
 */
public final class Overdraft {
    /** How long those who can wait do so while others have too much of it. */
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    private final long bytesMax;

    /** Lent now, to all; those who wait do so on it. */
    private final AtomicLong bytes;

    private final long waitNanosMax;

    /** Lent through this instance: who waits does not wait for that. */
    private final AtomicLong own = new AtomicLong();

    public Overdraft(long bytesMax) {
        this(bytesMax, new AtomicLong(), 0);
    }

    private Overdraft(long bytesMax, AtomicLong bytes, long waitNanosMax) {
        this.bytesMax = bytesMax;
        this.bytes = bytes;
        this.waitNanosMax = waitNanosMax;
    }

    /** The same memory for threads that can wait until others, in other threads, give some back. */
    public Overdraft waiting() {
        return waiting(WAIT_NANOS_MAX);
    }

    /** The same for at most so long. */
    public Overdraft waiting(long nanosMax) {
        return new Overdraft(bytesMax, bytes, nanosMax);
    }

    public long bytes() {
        return bytes.get();
    }

    public long bytesMax() {
        return bytesMax;
    }

    long borrow(int count) {
        if (!take(count) && (own.get() + count > bytesMax || !awaitTaking(count))) {
            throw new LentOutException("expected single values to borrow at most " + bytesMax
                    + " bytes beside the managed memory, found " + bytes.get() + " in use by all operators of the slot"
                    + " and " + count + " more wanted: make values smaller, or give the task more managed memory");
        }
        own.addAndGet(count);
        long address = 0;
        try {
            address = Memory.allocateUnset(count);
            Memory.fill(address, count, (byte) 0);
        } finally {
            if (address == 0) {
                giveBack(count);
            }
        }
        return address;
    }

    /** What is refused is never counted: another thread would be refused for it. */
    private boolean take(int count) {
        long before = bytes.getAndUpdate(used -> used + count > bytesMax ? used : used + count);
        return before + count <= bytesMax;
    }

    private boolean awaitTaking(int count) {
        long end = System.nanoTime() + waitNanosMax;
        synchronized (bytes) {
            while (!take(count)) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                try {
                    bytes.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new DreyException("interrupted while waiting for memory: the task is being cancelled", e);
                }
            }
        }
        return true;
    }

    void repay(long address, int count) {
        Memory.free(address, count);
        giveBack(count);
    }

    private void giveBack(int count) {
        own.addAndGet(-count);
        synchronized (bytes) {
            bytes.addAndGet(-count);
            bytes.notifyAll();
        }
    }
}
