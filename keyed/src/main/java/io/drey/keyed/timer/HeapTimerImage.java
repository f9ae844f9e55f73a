package io.drey.keyed.timer;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The near elements in the store, as they were at the last snapshot: written right before one, read by a restore only.
 * For checkpoints a few large entries per key group that has changed, so that the barrier is not held up; for canonical
 * savepoints, whose rows are single elements, an entry each, which the next snapshot removes.
 *
 * <p>A part is a {@link TimerJournal} of additions.
 */
final class HeapTimerImage {
    /** A part ends with the element that makes it this long; so parts of small elements fit the pages of any slot. */
    private static final int PART_BYTES = 2 << 10;

    private final TimerStore store;
    private final HeapTimers near;
    private final int keyGroupFrom;
    private final int keyGroups;
    private final Element written = new Element();
    private final TimerJournal part = new TimerJournal();
    private final BitSet loose = new BitSet();

    /** Parts of each key group in the store; grows with the key groups that have any. */
    private int[] parts = new int[0];

    HeapTimerImage(TimerStore store, HeapTimers near, int keyGroupFrom, int keyGroups) {
        this.store = store;
        this.near = near;
        this.keyGroupFrom = keyGroupFrom;
        this.keyGroups = keyGroups;
    }

    /** Brings the image up to date. */
    void write() {
        clearLoose();
        BitSet changed = near.changed();
        if (changed.isEmpty()) {
            return;
        }
        int[] ends = new int[keyGroups];
        int[] slots = near.slotsByGroup(ends);
        for (int group = changed.nextSetBit(0); group >= 0; group = changed.nextSetBit(group + 1)) {
            write(group, slots, group == 0 ? 0 : ends[group - 1], ends[group]);
        }
        changed.clear();
    }

    private void write(int group, int[] slots, int from, int to) {
        int number = 0;
        part.clear();
        for (int i = from; i < to; i++) {
            part.note(near.read(slots[i], written), false);
            if (part.notes().length() >= PART_BYTES) {
                store.putPart(keyGroupFrom + group, number++, part.notes());
                part.clear();
            }
        }
        if (part.notes().length() > 0) {
            store.putPart(keyGroupFrom + group, number++, part.notes());
        }
        int before = group < parts.length ? parts[group] : 0;
        for (int gone = number; gone < before; gone++) {
            store.deletePart(keyGroupFrom + group, gone);
        }
        parts(group, number);
    }

    private void parts(int group, int count) {
        if (group >= parts.length) {
            if (count == 0) {
                return;
            }
            parts = Arrays.copyOf(parts, Math.max(group + 1, parts.length * 2));
        }
        parts[group] = count;
    }

    /** Puts every near element into the store as an entry of its own. */
    void writeLoose() {
        clearLoose();
        near.walk(written, element -> {
            store.putLoose(element);
            loose.set(element.keyGroup() - keyGroupFrom);
        });
    }

    private void clearLoose() {
        for (int group = loose.nextSetBit(0); group >= 0; group = loose.nextSetBit(group + 1)) {
            store.clearLoose(keyGroupFrom + group);
        }
        loose.clear();
    }

    /** Hands out a key group's buckets, and the elements of its image, which counts as out of date from then on. */
    void restore(int keyGroup, TimerStore.BucketTaker buckets, HeapTimers.Taker taker) {
        int count = store.restore(keyGroup, buckets, taker);
        if (count > 0) {
            parts(keyGroup - keyGroupFrom, count);
            near.changed().set(keyGroup - keyGroupFrom);
        }
    }
}
