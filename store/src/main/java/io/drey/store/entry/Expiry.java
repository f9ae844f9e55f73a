package io.drey.store.entry;

/**
 * The time to live of a table's entries, counted from their last access, which their values carry. Given by the caller,
 * who knows what the values mean. The store drops expired entries when it comes past them anyway, and never earlier;
 * until then reads still find them.
 *
 * <p>Asked by background threads; immutable or thread safe.
 */
public interface Expiry {
    /** The last access of a value that does not expire. */
    long NEVER = Long.MAX_VALUE;

    /** The last access of nothing; it has always expired. */
    long NOTHING = Long.MIN_VALUE;

    /** Entries whose last access was then or before have expired now. */
    long expiredUntil();

    /** Reads last accesses from now on. */
    Reader reader();

    /** Reads last accesses, for one thread. */
    @FunctionalInterface
    interface Reader {
        /** The last access that a value carries, of a list the latest one of its elements; {@link #NEVER} if none. */
        long lastAccess(long valueAddress, int valueLength);

        /**
         * Of the list that was looked at last: bytes at its begin that are elements which had expired; 0 if it is to
         * stay as it is. An element that comes after one that is alive is kept.
         */
        default int expiredHead() {
            return 0;
        }

        /** The last access of a whole value by its first bytes; {@link #NEVER} if they do not tell. */
        default long lastAccessOfHead(long address, int length) {
            return NEVER;
        }
    }
}
