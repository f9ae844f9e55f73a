package io.drey.store.run;

import io.drey.store.value.LogIds;
import io.drey.store.value.ValuePointer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts what the pointers of a run point to while it is written or verified. One thread; allocates only to grow. */
public final class LogShares {
    private final LogIds logs = new LogIds();
    private long[] bytes = new long[8];

    /** The log of the last pointer: neighbours often point to the same one. */
    private int last;

    public void add(long pointer) {
        if (logs.count() == 0 || !logs.isInto(pointer, last)) {
            last = logs.add(pointer);
            if (last == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * last);
            }
        }
        bytes[last] += ValuePointer.storedLength(pointer);
    }

    /** The logs in the order in which they were first pointed to. */
    public List<LogShare> shares() {
        List<LogShare> shares = new ArrayList<>(logs.count());
        for (int i = 0; i < logs.count(); i++) {
            shares.add(new LogShare(logs.id(i), bytes[i]));
        }
        return shares;
    }
}
