package io.drey.store.memory;

import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of all stores of a slot: one arena, allocated once, and each store's fair share of it. A store that opens
 * makes the others' shares smaller; they are asked to shrink and do so in their own threads. Thread safe.
 */
public final class SlotMemory implements AutoCloseable {
    /**
     * What single large values may borrow for a moment, beside the arena and so beside what Flink counts: this part of
     * the arena, which a container's reserve for the virtual machine bears.
     */
    private static final int OVERDRAFT_FRACTION = 8;

    /** At least that much. */
    private static final long OVERDRAFT_BYTES_MIN = 64L << 20;

    private final Arena arena;
    private final Overdraft overdraft;
    private final List<Runnable> members = new ArrayList<>();
    private volatile int pagesPerStore;

    public SlotMemory(long bytes, int pageBytes) {
        arena = new Arena(bytes, pageBytes);
        pagesPerStore = arena.pages();
        overdraft = new Overdraft(Math.max(OVERDRAFT_BYTES_MIN, bytes / OVERDRAFT_FRACTION));
    }

    public Arena arena() {
        return arena;
    }

    public Overdraft overdraft() {
        return overdraft;
    }

    /** Stores that share the memory now. */
    public int stores() {
        synchronized (members) {
            return members.size();
        }
    }

    /** Pages that each store may hold now. */
    public int pagesPerStore() {
        return pagesPerStore;
    }

    /** A store joins; the others are asked, through what they passed here, to shrink. */
    public void join(Runnable shrinkRequest) {
        List<Runnable> others;
        synchronized (members) {
            others = List.copyOf(members);
            members.add(shrinkRequest);
            pagesPerStore = arena.pages() / members.size();
        }
        others.forEach(Runnable::run);
    }

    /** A store that joined leaves, all its pages given back. */
    public void leave(Runnable shrinkRequest) {
        synchronized (members) {
            members.remove(shrinkRequest);
            pagesPerStore = arena.pages() / Math.max(1, members.size());
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
