package io.drey.store.entry;

/** The kinds of entries, as they stand in memory and in files. A newer entry of a key always hides the older ones. */
public final class EntryKind {
    /** The whole value of a key. */
    public static final byte VALUE = 1;

    /** Bytes to append to whatever older entries of the key make up. */
    public static final byte APPEND = 2;

    /** The key has no value. */
    public static final byte TOMBSTONE = 3;

    /** All older entries of the row have no value; stands before the entries of its row ({@link EntryKey}). */
    public static final byte ROW_TOMBSTONE = 4;

    /** The whole value of a key, which stands in a value log; the entry has a pointer for a value. */
    public static final byte POINTER = 5;

    /** The whole value of a key, compressed by itself. */
    public static final byte COMPRESSED = 6;

    private EntryKind() {}

    /** Whether an entry of this kind is the whole value of its key, wherever and however that stands. */
    public static boolean isWhole(byte kind) {
        return kind == VALUE || kind == POINTER || kind == COMPRESSED;
    }

    public static boolean isKnown(byte kind) {
        return kind >= VALUE && kind <= COMPRESSED;
    }
}
