package io.drey.store.entry;

/**
 * Walks entries in the order of {@link EntryKey}, all kinds, each key at most once. What its accessors return is valid
 * until the next call of {@link #next()}. One thread.
 */
public interface EntryCursor extends AutoCloseable {
    /** Steps to the next entry, false at the end; starts before the first. */
    boolean next();

    /** The store's number of the table. */
    int table();

    int keyGroup();

    long rowHash();

    /** Address of the whole body, as {@link EntryKey} draws it. */
    long bodyAddress();

    int bodyLength();

    int rowLength();

    /** One of {@link EntryKind}. */
    byte kind();

    long valueAddress();

    int valueLength();

    /** The last access of a whole value or an APPEND, or {@link Expiry#NEVER}: not known, or it does not expire. */
    default long lastAccess() {
        return Expiry.NEVER;
    }

    /**
     * The value stood on, or before, is not asked for soon, if at all: what is borrowed for a large one is given back,
     * and it is read again when it is asked for.
     */
    default void letGo() {}

    /** Gives back all memory; does not throw. */
    @Override
    void close();
}
