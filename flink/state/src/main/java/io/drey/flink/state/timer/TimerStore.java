package io.drey.flink.state.timer;

import io.drey.store.MapScan;
import io.drey.store.Store;
import io.drey.store.entry.EntryKey;

/**
 * A timer queue in the store, in two tables of maps, all entries under the empty key:
 *
 * <pre>
 *  table       namespace            map key            value
 *  pq:(name)   8 bytes, rank        element            -               a bucket: elements of that rank and above
 *  pq:(name)   -                    element            -               elements in no bucket: what a savepoint brings
 *  pb:(name)   -                    8 bytes, rank      -               the bucket of that rank exists
 *  pb:(name)   -                    4 bytes, number    elements        a part of the image of the near elements
 * </pre>
 *
 * Ranks are in byte order, see {@link Element}. One thread.
 */
final class TimerStore {
    private static final byte[] NOTHING = new byte[0];

    private final Store store;
    private final int elements;
    private final int directory;
    private final EntryKey bucket = new EntryKey();
    private final EntryKey entry = new EntryKey();
    private final byte[] rankBytes = new byte[Long.BYTES];
    private final byte[] partBytes = new byte[Integer.BYTES];
    private int bucketKeyGroup = -1;
    private long bucketLow;

    TimerStore(Store store, int elements, int directory) {
        this.store = store;
        this.elements = elements;
        this.directory = directory;
    }

    private EntryKey bucket(int keyGroup, long low) {
        if (bucketKeyGroup != keyGroup || bucketLow != low) {
            Element.putRank(low, rankBytes);
            bucket.group(elements, keyGroup, NOTHING, 0, rankBytes, rankBytes.length);
            bucketKeyGroup = keyGroup;
            bucketLow = low;
        }
        return bucket;
    }

    /** Puts an element into a bucket of its key group. */
    void put(long low, Element element) {
        EntryKey key = bucket(element.keyGroup(), low).mapKey(element.bytes(), element.offset(), element.length());
        store.put(key, NOTHING, 0, 0);
    }

    /** Deletes an element, which may not be there, from a bucket of its key group. */
    void delete(long low, Element element) {
        store.delete(bucket(element.keyGroup(), low).mapKey(element.bytes(), element.offset(), element.length()));
    }

    /** Walks a bucket after an element, or all of it if that is null. */
    MapScan scan(int keyGroup, long low, byte[] after) {
        return store.scanMap(bucket(keyGroup, low).groupEntry(), after);
    }

    /** Makes a bucket known. */
    void addBucket(int keyGroup, long low) {
        store.put(rankEntry(keyGroup, low), NOTHING, 0, 0);
    }

    /** Removes a bucket with all that is in it. */
    void clearBucket(int keyGroup, long low) {
        store.clearMap(bucket(keyGroup, low).groupEntry());
        store.delete(rankEntry(keyGroup, low));
    }

    private EntryKey rankEntry(int keyGroup, long low) {
        Element.putRank(low, rankBytes);
        return entry.group(directory, keyGroup, NOTHING, 0, NOTHING, 0).mapKey(rankBytes, 0, rankBytes.length);
    }

    /** Walks the names of the buckets of a key group in order, and the numbers of the parts of its image. */
    MapScan scanDirectory(int keyGroup) {
        return store.scanMap(entry.group(directory, keyGroup, NOTHING, 0, NOTHING, 0), null);
    }

    void putPart(int keyGroup, int number, byte[] part, int length) {
        store.put(partEntry(keyGroup, number), part, 0, length);
    }

    void deletePart(int keyGroup, int number) {
        store.delete(partEntry(keyGroup, number));
    }

    private EntryKey partEntry(int keyGroup, int number) {
        for (int i = 0; i < partBytes.length; i++) {
            partBytes[i] = (byte) (number >>> (8 * (partBytes.length - 1 - i)));
        }
        return entry.group(directory, keyGroup, NOTHING, 0, NOTHING, 0).mapKey(partBytes, 0, partBytes.length);
    }

    /** Puts an element into no bucket. */
    void putLoose(Element element) {
        entry.group(elements, element.keyGroup(), NOTHING, 0, NOTHING, 0);
        store.put(entry.mapKey(element.bytes(), element.offset(), element.length()), NOTHING, 0, 0);
    }

    MapScan scanLoose(int keyGroup) {
        return store.scanMap(entry.group(elements, keyGroup, NOTHING, 0, NOTHING, 0), null);
    }

    void clearLoose(int keyGroup) {
        store.clearMap(entry.group(elements, keyGroup, NOTHING, 0, NOTHING, 0));
    }
}
