package io.drey.foundation;

import java.util.LinkedHashSet;
import java.util.TreeMap;

/**
 * Equal parts of an {@link Arena}'s pages, for what is smaller than a page and there many times. A page is taken when no
 * part is free, and given back with its last part. What the arena does not have is borrowed beyond it, see {@link
 * Scratch}. Thread safe, with a lock.
 */
public final class PageParts {
    private static final int PARTS = 16;
    private static final int PART_BYTES_MIN = 64;

    private final Arena arena;
    private final Overdraft overdraft;
    private final Arena.Use use;
    private final int partBytes;
    private final int allTaken;

    /** All pages by their addresses. */
    private final TreeMap<Long, Page> pages = new TreeMap<>();

    /** Those with free parts; the oldest are filled first, so that younger ones become empty. */
    private final LinkedHashSet<Page> open = new LinkedHashSet<>();

    /** A page, of the arena if nothing is borrowed; parts that are taken are the bits of {@code taken}. */
    private static final class Page {
        private final Scratch borrowed;
        private final long address;
        private int taken;

        private Page(long address, Scratch borrowed) {
            this.address = address;
            this.borrowed = borrowed;
        }
    }

    public PageParts(Arena arena, Overdraft overdraft, Arena.Use use) {
        this.arena = arena;
        this.overdraft = overdraft;
        this.use = use;
        this.partBytes = Math.max(PART_BYTES_MIN, arena.pageBytes() / PARTS);
        this.allTaken = (1 << (arena.pageBytes() / partBytes)) - 1;
    }

    /** Bytes of a part: a power of two. */
    int partBytes() {
        return partBytes;
    }

    /** The address of a part. */
    synchronized long take() {
        Page page = open.isEmpty() ? newPage() : open.iterator().next();
        int number = Integer.numberOfTrailingZeros(~page.taken);
        page.taken |= 1 << number;
        if (page.taken == allTaken) {
            open.remove(page);
        }
        return page.address + (long) number * partBytes;
    }

    private Page newPage() {
        long taken = arena.take(use);
        Scratch borrowed = taken == Arena.FULL ? new Scratch(arena, overdraft) : null;
        long address = borrowed == null ? taken : borrowed.reserve(arena.pageBytes());
        Page page = new Page(address, borrowed);
        pages.put(address, page);
        open.add(page);
        return page;
    }

    synchronized void give(long part) {
        Page page = pages.floorEntry(part).getValue();
        page.taken &= ~(1 << ((part - page.address) / partBytes));
        open.add(page);
        if (page.taken == 0) {
            open.remove(page);
            pages.remove(page.address);
            if (page.borrowed == null) {
                arena.give(page.address, use);
            } else {
                page.borrowed.close();
            }
        }
    }
}
