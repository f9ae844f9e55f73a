package io.drey.jobs.commit;

import java.util.Arrays;

/** The rows of a file, counted by the times at which their events were created. One thread. */
final class RowCounts {
    /** Of one file; rows beyond count with the last. */
    private static final int TIMES_MAX = 1 << 20;

    private long[] nanos = new long[1024];
    private long[] rows = new long[1024];
    private int size;

    /** One more row. Hot path. */
    void add(long created) {
        if (size > 0 && (nanos[size - 1] == created || size == TIMES_MAX)) {
            rows[size - 1]++;
        } else {
            if (size == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * size);
                rows = Arrays.copyOf(rows, 2 * size);
            }
            nanos[size] = created;
            rows[size++] = 1;
        }
    }

    int size() {
        return size;
    }

    long nanos(int index) {
        return nanos[index];
    }

    long rows(int index) {
        return rows[index];
    }
}
