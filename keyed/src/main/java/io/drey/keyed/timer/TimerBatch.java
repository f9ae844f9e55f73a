package io.drey.keyed.timer;

import io.drey.foundation.Bytes;
import java.util.Arrays;

/** Copies of some elements, one after the other: a step of a {@link TimerScan}. One thread; reused. */
final class TimerBatch implements HeapTimers.Taker {
    /** Elements after which no more are read from the store. */
    private static final int ELEMENTS_MAX = 256;

    private final Bytes bytes = new Bytes();
    private int[] ends = new int[ELEMENTS_MAX];
    private int size;

    void clear() {
        bytes.clear();
        size = 0;
    }

    @Override
    public void take(Element element) {
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, size * 2);
        }
        bytes.append(element.bytes(), element.offset(), element.length());
        ends[size++] = bytes.length();
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean isFull() {
        return size >= ELEMENTS_MAX;
    }

    int size() {
        return size;
    }

    /** Holds element i in {@code [start(i), end(i))}. */
    byte[] bytes() {
        return bytes.array();
    }

    int start(int i) {
        return i == 0 ? 0 : ends[i - 1];
    }

    int end(int i) {
        return ends[i];
    }
}
