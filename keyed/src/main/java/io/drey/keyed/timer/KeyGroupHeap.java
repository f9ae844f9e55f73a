package io.drey.keyed.timer;

import java.util.Arrays;

/** The key groups that have far timers, as a heap by their bounds. Each knows its place in it. One thread. */
final class KeyGroupHeap {
    private KeyGroupBuckets[] groups = new KeyGroupBuckets[8];
    private int size;

    int size() {
        return size;
    }

    /** The i-th group in no order, but for the first, which none is before. */
    KeyGroupBuckets get(int i) {
        return groups[i];
    }

    /** Takes in a group, or learns that its bound has moved. */
    void moved(KeyGroupBuckets group) {
        if (group.place < 0) {
            if (size == groups.length) {
                groups = Arrays.copyOf(groups, size * 2);
            }
            group.place = size;
            groups[size++] = group;
        }
        siftUp(group);
        siftDown(group);
    }

    /** Takes out the first group. */
    void removeFirst() {
        groups[0].place = -1;
        KeyGroupBuckets last = groups[--size];
        groups[size] = null;
        if (size > 0) {
            last.place = 0;
            groups[0] = last;
            siftDown(last);
        }
    }

    private void siftUp(KeyGroupBuckets group) {
        int child = group.place;
        while (child > 0) {
            KeyGroupBuckets parent = groups[(child - 1) >>> 1];
            if (!group.isBefore(parent)) {
                break;
            }
            groups[child] = parent;
            int up = parent.place;
            parent.place = child;
            child = up;
        }
        groups[child] = group;
        group.place = child;
    }

    private void siftDown(KeyGroupBuckets group) {
        int parent = group.place;
        int child = 2 * parent + 1;
        while (child < size) {
            if (child + 1 < size && groups[child + 1].isBefore(groups[child])) {
                child++;
            }
            if (!groups[child].isBefore(group)) {
                break;
            }
            groups[parent] = groups[child];
            groups[parent].place = parent;
            parent = child;
            child = 2 * parent + 1;
        }
        groups[parent] = group;
        group.place = parent;
    }
}
