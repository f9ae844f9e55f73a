package io.drey.foundation;

/**
 * A growable buffer outside the heap, taken from an {@link Arena} and owned by one thread. When the arena has no span
 * that long left, it borrows memory beyond the arena and counts that in {@link Overdraft}, so that a value larger than
 * what is free is slow and visible instead of fatal.
 */
public final class Scratch implements AutoCloseable {
    /** A buffer that grew beyond this for one huge value or block is given back before the next small one. */
    public static final int RETAINED_BYTES_MAX = 256 << 10;

    private final Arena arena;
    private final Overdraft overdraft;
    private long address;
    private int capacity;

    /** Pages of the arena that the buffer has; 0 if it is borrowed. */
    private int pages;

    public Scratch(Arena arena, Overdraft overdraft) {
        this.arena = arena;
        this.overdraft = overdraft;
    }

    /** The address of at least {@code bytes} bytes; what was in the buffer before is lost. */
    public long reserve(int bytes) {
        if (bytes > capacity) {
            close();
            acquire(bytes);
        }
        return address;
    }

    /** The same as {@link #reserve}, but what is large is not kept for what is small. */
    public long reserveAnew(int bytes) {
        if (bytes <= RETAINED_BYTES_MAX) {
            trim();
        }
        return reserve(bytes);
    }

    /** Gives back what is large, when nobody needs what is in it any more. */
    public void trim() {
        if (capacity > RETAINED_BYTES_MAX) {
            close();
        }
    }

    /** The address of at least {@code bytes} bytes that start with the first {@code keep} bytes of before. */
    public long grow(int bytes, int keep) {
        if (bytes > capacity) {
            long oldAddress = address;
            int oldCapacity = capacity;
            int oldPages = pages;
            acquire(oldCapacity < (1 << 29) ? Math.max(bytes, oldCapacity * 2) : bytes);
            if (oldCapacity > 0) {
                Memory.copy(oldAddress, address, keep);
                release(oldAddress, oldCapacity, oldPages);
            }
        }
        return address;
    }

    public long address() {
        return address;
    }

    /** Whether the buffer is not the arena's, of whose kind there is less. */
    public boolean isBorrowed() {
        return capacity > 0 && pages == 0;
    }

    public int capacity() {
        return capacity;
    }

    private void acquire(int bytes) {
        int wanted = (int) Math.max(1, (bytes - 1L + arena.pageBytes()) / arena.pageBytes());
        long span = arena.takeSpan(wanted, Arena.Use.SCRATCH);
        long taken = span == Arena.FULL ? overdraft.borrow(bytes) : span;
        pages = span == Arena.FULL ? 0 : wanted;
        // The whole pages of nearly two gigabytes may be more than an int counts.
        capacity = pages == 0 ? bytes : (int) Math.min(Integer.MAX_VALUE, (long) pages * arena.pageBytes());
        address = taken;
    }

    private void release(long oldAddress, int oldCapacity, int oldPages) {
        if (oldPages == 0) {
            overdraft.repay(oldAddress, oldCapacity);
        } else {
            arena.giveSpan(oldAddress, oldPages, Arena.Use.SCRATCH);
        }
    }

    /** Gives the memory back; the buffer can be used again. */
    @Override
    public void close() {
        if (capacity > 0) {
            release(address, capacity, pages);
            address = 0;
            capacity = 0;
        }
    }
}
