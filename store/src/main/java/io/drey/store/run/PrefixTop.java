package io.drey.store.run;

import io.drey.foundation.PagedBytes;

/**
 * Searches pages of a run by the prefixes of their first entries, which lie side by side in resident memory. Immutable.
 * Hot path.
 *
 * <p>The prefixes of a table are spread evenly, as most of their bits are of a hash: so a search guesses the place, and
 * is right within a few pages, which are neighbours in memory. Where they are not, it gallops.
 */
final class PrefixTop {
    /** Guesses before a search gallops. */
    private static final int GUESSES = 3;

    private final PagedBytes bytes;
    private final long from;
    private final int entryBytes;
    private final int pages;

    /** The tables of the run, in order, and where the pages of each begin; one more for the end of the last. */
    private final int[] tables;

    private final int[] firstPages;
    private final long[] firstPrefixes;

    /** Pages of a table for each step of the prefix, in 2^-64 of a page. */
    private final long[] densities;

    /** Of so many entries of one size, each of which begins with a prefix, at an offset of the bytes. */
    PrefixTop(PagedBytes bytes, long from, int entryBytes, int pages, int[] tables) {
        this.bytes = bytes;
        this.from = from;
        this.entryBytes = entryBytes;
        this.pages = pages;
        this.tables = tables;
        this.firstPages = new int[tables.length + 1];
        this.firstPrefixes = new long[tables.length];
        this.densities = new long[tables.length];
        for (int i = 0; i < tables.length; i++) {
            firstPages[i] = firstFrom(tables[i], i == 0 ? 0 : firstPages[i - 1]);
        }
        firstPages[tables.length] = pages;
        for (int i = 0; i < tables.length; i++) {
            int first = firstPages[i];
            int last = Math.max(first, firstPages[i + 1] - 1);
            firstPrefixes[i] = first < pages ? prefix(first) : 0;
            densities[i] = last > first ? density(last - first, prefix(last) - firstPrefixes[i]) : 0;
        }
    }

    /** Pages for each of so many steps of the prefix, in 2^-64. */
    static long density(int pages, long prefixes) {
        return (long) Math.scalb(pages / (double) Math.max(1, prefixes), Long.SIZE);
    }

    /** Pages along so many steps of the prefix, given their density, without the fraction. */
    static long along(long prefixes, long density) {
        long pages = Math.multiplyHigh(prefixes, density);
        return pages < 0 ? pages + 1 : pages;
    }

    int pages() {
        return pages;
    }

    /** The prefix of the first entry of a page. */
    long prefix(int page) {
        return bytes.getLong(from + (long) page * entryBytes);
    }

    /** What an entry holds at an offset, a multiple of 8. */
    long word(int page, int offset) {
        return bytes.getLong(from + (long) page * entryBytes + offset);
    }

    /** The first page, not before {@code start}, that begins with this table or a later one. */
    private int firstFrom(int table, int start) {
        int low = start;
        int high = pages;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (prefix(middle) >>> 48 < table) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** About where the last page not above a prefix is, without looking at pages. */
    int guess(long prefix) {
        int ordinal = ordinalNotAbove(prefix);
        return ordinal < 0 || prefix < firstPrefixes[ordinal] ? 0 : guess(prefix, ordinal);
    }

    private int guess(long prefix, int ordinal) {
        long above = along(prefix - firstPrefixes[ordinal], densities[ordinal]);
        return (int) Math.max(0, Math.min(firstPages[ordinal + 1] - 1, firstPages[ordinal] + above));
    }

    /** The last table of the run that is not after a prefix, or -1. */
    private int ordinalNotAbove(long prefix) {
        int table = (int) (prefix >>> 48);
        int ordinal = tables.length - 1;
        while (ordinal >= 0 && tables[ordinal] > table) {
            ordinal--;
        }
        return ordinal;
    }

    /** The last page whose first prefix is not above, or -1. */
    int lastNotAbove(long prefix) {
        int ordinal = ordinalNotAbove(prefix);
        if (ordinal < 0 || tables[ordinal] < (int) (prefix >>> 48)) {
            return ordinal < 0 ? -1 : firstPages[ordinal + 1] - 1;
        }
        int first = firstPages[ordinal];
        int last = firstPages[ordinal + 1] - 1;
        if (first > last || prefix < firstPrefixes[ordinal]) {
            return first - 1;
        }
        long density = densities[ordinal];
        int at = guess(prefix, ordinal);
        for (int guess = 0; guess < GUESSES; guess++) {
            long step = along(prefix - prefix(at), density);
            if (step == 0) {
                break;
            }
            at = (int) Math.max(first, Math.min(last, at + step));
        }
        return gallop(prefix, at, first, last);
    }

    /** The same from a guess on, where the answer is known to be in {@code first..last}; all of one table. */
    private int gallop(long prefix, int guess, int first, int last) {
        int low = guess;
        int high = guess;
        int step = 1;
        while (low > first && prefix(low) > prefix) {
            high = low;
            low = Math.max(first, low - step);
            step <<= 1;
        }
        if (high == guess) {
            high = guess + 1;
            while (high <= last && prefix(high) <= prefix) {
                low = high;
                high += step;
                step <<= 1;
            }
            high = Math.min(high, last + 1);
        }
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (prefix(middle) <= prefix) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first page whose first prefix is not below, or {@link #pages()}. */
    int lowerBound(long prefix) {
        return prefix == 0 ? 0 : lastNotAbove(prefix - 1) + 1;
    }

    /** The same, searched at growing distances from a guess on, which may be any number. */
    int lowerBound(long prefix, long guess) {
        int low = (int) Math.max(0, Math.min(pages, guess));
        int high = low;
        int step = 1;
        while (low > 0 && !isBelow(low - 1, prefix)) {
            high = low - 1;
            low = Math.max(0, low - step);
            step <<= 1;
        }
        while (high < pages && isBelow(high, prefix)) {
            low = high + 1;
            high = Math.min(pages, high + step);
            step <<= 1;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBelow(middle, prefix)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isBelow(int page, long prefix) {
        return Long.compareUnsigned(prefix(page), prefix) < 0;
    }
}
