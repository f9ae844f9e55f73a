package io.drey.store.value;

import io.drey.store.file.FileId;
import java.util.Arrays;

/** Numbers value logs from 0, in the order in which they were added, and finds them. Allocates only to grow. */
public final class LogIds {
    /** No log of that id was added. */
    public static final int NONE = -1;

    private long[] highs = new long[8];
    private long[] lows = new long[8];

    /** A hash table of numbers plus one, 0 where empty; at most half full. Ids are random. */
    private int[] table = new int[16];

    private int count;

    public int count() {
        return count;
    }

    public FileId id(int number) {
        return new FileId(highs[number], lows[number]);
    }

    /** The number of the log that a pointer leads into, or {@link #NONE}. */
    public int find(long pointer) {
        return table[slot(ValuePointer.idHigh(pointer), ValuePointer.idLow(pointer))] - 1;
    }

    /** Whether it leads into the log of that number. */
    public boolean isInto(long pointer, int number) {
        return highs[number] == ValuePointer.idHigh(pointer) && lows[number] == ValuePointer.idLow(pointer);
    }

    /** The number of the log that a pointer leads into, new or not. */
    public int add(long pointer) {
        return add(ValuePointer.idHigh(pointer), ValuePointer.idLow(pointer));
    }

    /** The same of a log. */
    public int add(FileId log) {
        return add(log.high(), log.low());
    }

    private int add(long high, long low) {
        int slot = slot(high, low);
        if (table[slot] == 0) {
            if (count == highs.length) {
                grow();
                slot = slot(high, low);
            }
            highs[count] = high;
            lows[count] = low;
            table[slot] = ++count;
        }
        return table[slot] - 1;
    }

    private void grow() {
        highs = Arrays.copyOf(highs, 2 * count);
        lows = Arrays.copyOf(lows, 2 * count);
        table = new int[4 * count];
        for (int number = 0; number < count; number++) {
            table[slot(highs[number], lows[number])] = number + 1;
        }
    }

    /** Where an id is in the table, or has its place. */
    private int slot(long high, long low) {
        int mask = table.length - 1;
        int slot = (int) (high ^ low) & mask;
        while (table[slot] != 0 && (highs[table[slot] - 1] != high || lows[table[slot] - 1] != low)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
