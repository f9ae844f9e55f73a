package io.drey.keyed.timer;

import java.util.Arrays;

/**
 * Walks all elements of some key groups, key group by key group. It remembers only the element it handed out last, so
 * that it stays right while elements become near or far: one added or removed meanwhile may or may not be seen, all
 * others are seen once. One thread.
 */
public final class TimerScan {
    private final TimerSet set;
    private final TimerBatch batch = new TimerBatch();
    private final int keyGroupTo;
    private int keyGroup;
    private int position = -1;

    /** Walks the key groups from the first up to and with the last. */
    public TimerScan(TimerSet set, int keyGroupFrom, int keyGroupTo) {
        this.set = set;
        this.keyGroup = keyGroupFrom;
        this.keyGroupTo = keyGroupTo;
    }

    /** Steps to the next element; false at the end. */
    public boolean next() {
        byte[] after = null;
        if (position >= 0) {
            if (++position < batch.size()) {
                return true;
            }
            int last = batch.size() - 1;
            after = Arrays.copyOfRange(batch.bytes(), batch.start(last), batch.end(last));
        }
        position = -1;
        while (keyGroup <= keyGroupTo) {
            batch.clear();
            set.collect(keyGroup, after, batch);
            if (!batch.isEmpty()) {
                position = 0;
                return true;
            }
            keyGroup++;
            after = null;
        }
        return false;
    }

    /** Holds the element at {@link #offset}, {@link #length} bytes long, until the next step. */
    public byte[] bytes() {
        return batch.bytes();
    }

    public int offset() {
        return batch.start(position);
    }

    public int length() {
        return batch.end(position) - batch.start(position);
    }
}
