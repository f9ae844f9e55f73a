package io.drey.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What stores with expiring entries may hold. An entry that had expired once may be gone since then; one that was seen
 * gone stays so.
 */
final class ExpiryModel {
    /** A value, or all that was added to a list. */
    static final class Entry {
        byte[] bytes;
        long lastAccess;
        boolean mayBeGone;

        /** In a list, what was there before each addition: it may be gone while the rest is there. */
        private final List<Beginning> beginnings = new ArrayList<>();

        private record Beginning(int length, long lastAccess, boolean mayBeGone) {}

        Entry(byte[] bytes, long lastAccess) {
            this.bytes = bytes;
            this.lastAccess = lastAccess;
        }

        Entry copy() {
            Entry copy = new Entry(bytes, lastAccess);
            copy.mayBeGone = mayBeGone;
            copy.beginnings.addAll(beginnings);
            return copy;
        }

        void append(byte[] more, long access) {
            beginnings.add(new Beginning(bytes.length, lastAccess, mayBeGone));
            mayBeGone = false;
            byte[] both = Arrays.copyOf(bytes, bytes.length + more.length);
            System.arraycopy(more, 0, both, bytes.length, more.length);
            bytes = both;
            lastAccess = Math.max(lastAccess, access);
        }

        void expire(long until) {
            mayBeGone |= lastAccess <= until;
            beginnings.replaceAll(
                    part -> new Beginning(part.length, part.lastAccess, part.mayBeGone || part.lastAccess <= until));
        }

        /** Whether the entry may read so; if it does, what is missing is gone for good. */
        boolean accept(byte[] found) {
            int gone = bytes.length - found.length;
            if (gone != 0 && beginnings.stream().noneMatch(part -> part.length == gone && part.mayBeGone)) {
                return false;
            }
            if (!Arrays.equals(bytes, gone, bytes.length, found, 0, found.length)) {
                return false;
            }
            bytes = found;
            beginnings.removeIf(part -> part.length <= gone);
            beginnings.replaceAll(part -> new Beginning(part.length - gone, part.lastAccess, part.mayBeGone));
            return true;
        }
    }

    final Map<ModelState.Row, Entry> values = new HashMap<>();
    final Map<ModelState.Row, Entry> lists = new HashMap<>();
    final Map<ModelState.Row, TreeMap<byte[], Entry>> maps = new HashMap<>();

    ExpiryModel copy() {
        ExpiryModel copy = new ExpiryModel();
        values.forEach((row, entry) -> copy.values.put(row, entry.copy()));
        lists.forEach((row, entry) -> copy.lists.put(row, entry.copy()));
        maps.forEach((row, map) -> map.forEach((key, entry) -> copy.map(row).put(key, entry.copy())));
        return copy;
    }

    TreeMap<byte[], Entry> map(ModelState.Row row) {
        return maps.computeIfAbsent(row, absent -> new TreeMap<>(Arrays::compareUnsigned));
    }

    /** Entries of these times and before have expired. */
    void expire(long valuesUntil, long listsUntil, long mapsUntil) {
        values.values().forEach(entry -> entry.expire(valuesUntil));
        lists.values().forEach(entry -> entry.expire(listsUntil));
        maps.values().forEach(map -> map.values().forEach(entry -> entry.expire(mapsUntil)));
    }

    /** A value of random length that begins with some bytes and its time. */
    static byte[] timed(byte[] before, long time, byte[] payload) {
        return ByteBuffer.allocate(before.length + Long.BYTES + payload.length)
                .put(before)
                .putLong(time)
                .put(payload)
                .array();
    }
}
