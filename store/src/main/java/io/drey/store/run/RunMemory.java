package io.drey.store.run;

import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import io.drey.foundation.PageParts;

/**
 * Where runs, their readers and writers take memory from: the slot's arena, and what may be borrowed beyond it.
 *
 * @param tops for what open runs keep, which share pages: most need much less than one
 */
public record RunMemory(Arena arena, Overdraft overdraft, PageParts tops) {
    public RunMemory(Arena arena, Overdraft overdraft) {
        this(arena, overdraft, new PageParts(arena, overdraft, Arena.Use.METADATA));
    }

    /** The same for threads that can wait until others give back what they have borrowed. */
    public RunMemory waiting() {
        return new RunMemory(arena, overdraft.waiting(), tops);
    }

    /** The same for at most so long. */
    public RunMemory waiting(long nanosMax) {
        return new RunMemory(arena, overdraft.waiting(nanosMax), tops);
    }
}
