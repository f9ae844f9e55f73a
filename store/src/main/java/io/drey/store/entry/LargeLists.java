package io.drey.store.entry;

import io.drey.foundation.DreyException;
import io.drey.foundation.Memory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lists that are so large that appends may take them past what can be read as one value. An append reads nothing,
 * so nobody knows how large a list is; but whoever writes a large part of one, or puts parts together, tells it here,
 * and from then on appends to that list are counted. What is not known here are some small parts, for which {@link
 * #BYTES_MAX} leaves room.
 *
 * <p>Thread safe in {@link #seen}; all else is the owner's, and allocates nothing as long as no list is large.
 */
public final class LargeLists {
    /** Most bytes of a list that ships: of the 2 GB that an array can have, it leaves some for parts not yet known. */
    public static final long BYTES_MAX = 3L << 29;

    /** A list is large from this part of the most on: so many of them are in runs, flushes and the log at a time. */
    private static final int LARGE_FRACTION = 256;

    /** An append from this part of the most on counts: those that do not are a sixteenth when their chain is counted. */
    private static final int APPENDED_FRACTION = 4096;

    /**
     * Lists that are known at most. Beyond that all are forgotten: those that have expired, of which nobody is told, and
     * the others until the next large part of them is written or compacted.
     */
    private static final int KNOWN_MAX = 1 << 16;

    /** Bytes of a key that an error shows. */
    private static final int SHOWN_BYTES_MAX = 64;

    /** Tells how large a list is now. */
    public interface Sizes {
        /** @param exactly without what is hidden by newer versions; reads all of the list */
        long bytesOf(EntryKey key, boolean exactly);
    }

    /** An address of a list, and what is known of it. */
    private static final class Known {
        private static final long UNKNOWN = -1;

        private final int table;
        private final int keyGroup;
        private final byte[] body;

        /** At most the bytes that it has; only for the owner. */
        private long bytes = UNKNOWN;

        Known(int table, int keyGroup, byte[] body) {
            this.table = table;
            this.keyGroup = keyGroup;
            this.body = body;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Known known
                    && table == known.table
                    && keyGroup == known.keyGroup
                    && Arrays.equals(body, known.body);
        }

        @Override
        public int hashCode() {
            return (int) EntryKey.memoryHash(body, body.length) ^ table;
        }
    }

    private final long bytesMax;
    private final long largeBytes;
    private final ConcurrentHashMap<Known, Known> lists = new ConcurrentHashMap<>();

    /** Whether there ever was one. */
    private volatile boolean used;

    public LargeLists(long bytesMax) {
        this.bytesMax = bytesMax;
        this.largeBytes = bytesMax / LARGE_FRACTION;
    }

    /** Whether a value, or a part of a list, of so many bytes is to be {@link #seen}. */
    public boolean isLarge(long bytes) {
        return bytes >= largeBytes;
    }

    /** A large value, or part of a list, is under a key; any thread. */
    public void seen(EntryCursor entry) {
        byte[] body = new byte[entry.bodyLength()];
        Memory.copy(entry.bodyAddress(), body, 0, body.length);
        seen(new Known(entry.table(), entry.keyGroup(), body));
    }

    /** The same for a key. */
    public void seen(EntryKey key) {
        seen(known(key));
    }

    private void seen(Known known) {
        if (lists.size() >= KNOWN_MAX) {
            lists.clear();
        }
        lists.putIfAbsent(known, known);
        used = true;
    }

    int known() {
        return lists.size();
    }

    private static Known known(EntryKey key) {
        return new Known(key.table(), key.keyGroup(), Arrays.copyOf(key.body(), key.bodyLength()));
    }

    /** An append to a list is about to be done; throws if that would be too large. */
    public void appending(EntryKey key, int bytes, Sizes sizes) {
        if (bytes >= bytesMax / APPENDED_FRACTION) {
            seen(key);
        }
        Known list = used ? lists.get(known(key)) : null;
        if (list == null) {
            return;
        }
        if (list.bytes == Known.UNKNOWN || list.bytes + bytes > bytesMax) {
            // Part of it may have expired since it was counted.
            list.bytes = sizes.bytesOf(key, false);
        }
        if (list.bytes + bytes > bytesMax) {
            list.bytes = sizes.bytesOf(key, true);
        }
        if (list.bytes + bytes > bytesMax) {
            int shown = Math.min(SHOWN_BYTES_MAX, key.bodyLength());
            throw new DreyException("expected lists of at most " + bytesMax + " bytes, found one of " + list.bytes
                    + " to which " + bytes + " are to be added, in table " + key.table() + ", key group "
                    + key.keyGroup() + ", under " + HexFormat.of().formatHex(key.body(), 0, shown)
                    + ": spread it over more keys, or clear it more often");
        }
        list.bytes += bytes;
    }

    /** A list got another value, or is gone. */
    public void replacing(EntryKey key) {
        if (used) {
            lists.remove(known(key));
        }
    }
}
