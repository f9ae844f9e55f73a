package io.drey.store.log.record;

import io.drey.foundation.Memory;
import java.util.Arrays;

/**
 * The pages of a log in which something was written since the last freeze: so that a freeze, for which the owner waits,
 * looks at none of the others, and at these not one by one. Each knows its place here. One thread.
 */
final class DirtyPages {
    private static final int PAGES_FIRST = 64;

    private long[] pages = new long[PAGES_FIRST];
    private int count;
    private int size;

    /** How many pages these are, all those of spans counted. */
    int size() {
        return size;
    }

    /** Takes up a page that is not here, or the first of a span. */
    void add(long page, int span) {
        if (count == pages.length) {
            pages = Arrays.copyOf(pages, 2 * count);
        }
        put(page, count++);
        size += span;
    }

    /** Leaves out a page that is here. */
    void remove(long page, int span) {
        int place = Memory.getInt(page + LogPages.DIRTY_PLACE);
        assert pages[place] == page;
        put(pages[--count], place);
        size -= span;
    }

    private void put(long page, int place) {
        pages[place] = page;
        Memory.putInt(page + LogPages.DIRTY_PLACE, place);
    }

    /** Leaves out all pages and returns them, in any order. */
    long[] removeAll() {
        long[] all = Arrays.copyOf(pages, count);
        count = 0;
        size = 0;
        return all;
    }
}
