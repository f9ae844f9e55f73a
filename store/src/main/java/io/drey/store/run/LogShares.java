package io.drey.store.run;

import io.drey.store.file.FileId;
import io.drey.store.value.ValuePointer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts what the pointers of a run point to while it is written or verified. One thread; allocates only to grow. */
public final class LogShares {
    private long[] highs = new long[8];
    private long[] lows = new long[8];
    private long[] bytes = new long[8];
    private int count;

    /** Where the log of the last pointer is: neighbours often point to the same one. */
    private int last;

    public void add(long pointer) {
        long high = ValuePointer.idHigh(pointer);
        long low = ValuePointer.idLow(pointer);
        if (count == 0 || highs[last] != high || lows[last] != low) {
            last = find(high, low);
        }
        bytes[last] += ValuePointer.storedLength(pointer);
    }

    private int find(long high, long low) {
        for (int i = 0; i < count; i++) {
            if (highs[i] == high && lows[i] == low) {
                return i;
            }
        }
        if (count == highs.length) {
            highs = Arrays.copyOf(highs, count * 2);
            lows = Arrays.copyOf(lows, count * 2);
            bytes = Arrays.copyOf(bytes, count * 2);
        }
        highs[count] = high;
        lows[count] = low;
        return count++;
    }

    /** The logs in the order in which they were first pointed to. */
    public List<LogShare> shares() {
        List<LogShare> shares = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            shares.add(new LogShare(new FileId(highs[i], lows[i]), bytes[i]));
        }
        return shares;
    }
}
