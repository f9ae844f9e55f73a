package io.drey.jobs.replay;

import java.util.Arrays;

/**
 * Codes of events sorted by the second of their arrival and, within a second, by code. One long per event: the upper
 * half is the second after the earliest, the lower half is the code.
 */
final class ArrivalOrder {
    private final long[] sorted;

    private ArrivalOrder(long[] sorted) {
        this.sorted = sorted;
    }

    /** Number of events. */
    int size() {
        return sorted.length;
    }

    /** The code of the event that arrives at a position. */
    int code(int position) {
        return (int) sorted[position];
    }

    /** Collects events in any order. */
    static final class Builder {
        private static final int CAPACITY_FIRST = 1 << 16;

        private long[] arrivalsS = new long[CAPACITY_FIRST];
        private int[] codes = new int[CAPACITY_FIRST];
        private int size;

        /** Adds an event; the code is not negative and says everything about it. */
        void add(long arrivalS, int code) {
            if (size == codes.length) {
                arrivalsS = Arrays.copyOf(arrivalsS, size * 2);
                codes = Arrays.copyOf(codes, size * 2);
            }
            arrivalsS[size] = arrivalS;
            codes[size] = code;
            size++;
        }

        ArrivalOrder build() {
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            for (int i = 0; i < size; i++) {
                first = Math.min(first, arrivalsS[i]);
                last = Math.max(last, arrivalsS[i]);
            }
            if (size > 0 && last - first > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("The data set spans " + (last - first) / 86_400
                        + " days, more than the " + Integer.MAX_VALUE / 86_400 + " that can be replayed.");
            }
            long[] sorted = new long[size];
            for (int i = 0; i < size; i++) {
                sorted[i] = (arrivalsS[i] - first) << 32 | codes[i];
            }
            Arrays.sort(sorted);
            return new ArrivalOrder(sorted);
        }
    }
}
