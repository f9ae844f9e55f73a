package io.drey.shuffle.worker.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Slabs of workers that are no more, for the next ones: memory outside the heap is slow to make. */
public final class SlabShelf {
    private final ArrayDeque<Slab> shelf = new ArrayDeque<>();
    private final List<Slab> out = new ArrayList<>();

    /** A pool whose slabs come from the shelf. */
    public SlabPool pool(long bytes) {
        return new SlabPool(bytes, () -> {
            Slab slab = shelf.isEmpty() ? new Slab() : shelf.pop();
            out.add(slab);
            return slab;
        });
    }

    /** All pools are no more. */
    public void reclaim() {
        shelf.addAll(out);
        out.clear();
    }
}
