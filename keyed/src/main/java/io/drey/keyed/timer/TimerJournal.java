package io.drey.keyed.timer;

import io.drey.foundation.Bytes;
import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;

/**
 * Additions and removals of some elements of a key group, in the order in which they came: a list to append to, without
 * looking at what is in it. Note after note:
 *
 * <pre>
 *  varint  twice the length of the element, and one more if it was removed
 *  bytes   the element
 * </pre>
 *
 * One thread; reused.
 */
public final class TimerJournal {
    private static final int REMOVED = 1;

    private final Bytes notes = new Bytes();
    private final Element element = new Element();
    private int position;
    private boolean removal;

    /**
     * What a stored journal of a key group comes to, in byte order: elements that were added and not removed after
     * that.
     */
    public static Collection<byte[]> elements(int keyGroup, byte[] stored) {
        TimerJournal journal = new TimerJournal();
        journal.notes.append(stored, 0, stored.length);
        TreeSet<byte[]> elements = new TreeSet<>(Arrays::compareUnsigned);
        while (journal.next(keyGroup)) {
            byte[] noted = journal.element.toArray();
            if (journal.removal) {
                elements.remove(noted);
            } else {
                elements.add(noted);
            }
        }
        return elements;
    }

    /** The bytes, to store, or to fill behind a {@link #clear}. */
    Bytes notes() {
        return notes;
    }

    void clear() {
        notes.clear();
        position = 0;
    }

    /** Notes that an element was added or, in place of that, removed. */
    void note(Element noted, boolean removed) {
        notes.appendVarint(noted.length() << 1 | (removed ? REMOVED : 0));
        notes.append(noted.bytes(), noted.offset(), noted.length());
    }

    /** Steps to the next note; false at the end. */
    boolean next(int keyGroup) {
        if (position == notes.length()) {
            return false;
        }
        int head = readHead();
        int length = head >>> 1;
        if (length > notes.length() - position) {
            throw new IllegalStateException("expected a timer within the " + notes.length()
                    + " bytes noted for key group " + keyGroup + ", found one of " + length + " bytes at " + position
                    + ": the checkpoint is damaged");
        }
        removal = (head & REMOVED) != 0;
        element.at(keyGroup, notes.array(), position, length);
        position += length;
        return true;
    }

    private int readHead() {
        byte[] bytes = notes.array();
        int head = 0;
        int shift = 0;
        while (position < notes.length() - 1 && bytes[position] < 0) {
            head |= (bytes[position++] & 0x7f) << shift;
            shift += 7;
        }
        return head | (bytes[position++] & 0xff) << shift;
    }

    /** The element of the note. */
    Element element() {
        return element;
    }

    /** What all notes together count for, see {@link Element#weight()}. */
    int weight(int keyGroup) {
        int weight = 0;
        position = 0;
        while (next(keyGroup)) {
            weight += element.weight();
        }
        return weight;
    }

    /** Does what is noted to a set that has no element of the bucket yet. */
    void replay(int keyGroup, HeapTimers into) {
        position = 0;
        while (next(keyGroup)) {
            if (removal) {
                into.remove(element);
            } else {
                into.add(element);
            }
        }
    }
}
