package io.drey.store.entry;

/** The kinds of entries, as they stand in memory and in files. A newer entry of a key always hides the older ones. */
public final class EntryKind {
    /** The whole value of a key. */
    public static final byte VALUE = 1;

    /** Bytes to append to whatever older entries of the key make up. */
    public static final byte APPEND = 2;

    /** The key has no value. */
    public static final byte TOMBSTONE = 3;

    /** All older entries of the group have no value; stands before the entries of its group ({@link EntryKey}). */
    public static final byte GROUP_TOMBSTONE = 4;

    private EntryKind() {}

    /** Whether older entries of the same key still matter below an entry of this kind. */
    public static boolean isFinal(byte kind) {
        return kind == VALUE || kind == TOMBSTONE;
    }

    public static boolean isKnown(byte kind) {
        return kind >= VALUE && kind <= GROUP_TOMBSTONE;
    }
}
