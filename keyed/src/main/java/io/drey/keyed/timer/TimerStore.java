package io.drey.keyed.timer;

import io.drey.foundation.Bytes;
import io.drey.store.Store;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.read.MapScan;

/**
 * A timer queue in the store, in two tables of maps and one of lists, all entries under the empty key:
 *
 * <pre>
 *  table       namespace            map key            value
 *  pj:(name)   8 bytes, rank                           {@link TimerJournal}  a bucket: elements of that rank and above
 *  pq:(name)   8 bytes, rank        element            -                a bucket that is a map
 *  pq:(name)   -                    element            -                elements in no bucket: what a savepoint brings
 *  pb:(name)   -                    8 bytes, rank      form             the bucket of that rank exists
 *  pb:(name)   -                    4 bytes, number    {@link TimerJournal}  a part of the image of the near elements
 * </pre>
 *
 * Ranks are in byte order, see {@link Element}. The form of a bucket that is a map is the highest rank in it, of
 * another one a byte. One thread.
 */
public final class TimerStore {
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] IS_JOURNAL = {1};
    private static final String DIRECTORY = "pb:";
    private static final String JOURNALS = "pj:";

    /** Entries that a restore reads in one, as it reads all: for each further batch all runs are searched anew. */
    private static final int RESTORED_AT_ONCE = 4 << 10;

    private final Store store;
    private final int elements;
    private final int directory;
    private final int journals;
    private final EntryKey bucket = new EntryKey();
    private final EntryKey entry = new EntryKey();
    private final byte[] rankBytes = new byte[Long.BYTES];
    private final byte[] partBytes = new byte[Integer.BYTES];
    private final TimerJournal note = new TimerJournal();
    private final EntryKey journal = new EntryKey();

    /** The queue of a name, of which the table of elements is known. */
    public TimerStore(Store store, String queue, int elements) {
        this.store = store;
        this.elements = elements;
        this.directory = store.table(DIRECTORY + queue, TableKind.MAP);
        this.journals = store.table(journals(queue), TableKind.LIST);
    }

    /** The name of the table with the {@linkplain TimerJournal journals} of a queue, if it has any; no state has such a name. */
    public static String journals(String queue) {
        return JOURNALS + queue;
    }

    /** Says that what a restored queue begins with will be read soon, key group by key group. */
    public void expect() {
        store.expect(directory);
        store.expect(elements);
    }

    private EntryKey journal(int keyGroup, long low) {
        Element.putRank(low, rankBytes);
        return journal.row(journals, keyGroup, NOTHING, 0, rankBytes, rankBytes.length);
    }

    /** Notes in the journal of a bucket that an element of its key group was added or removed. */
    void note(long low, Element element, boolean removed) {
        note.clear();
        note.note(element, removed);
        Bytes bytes = note.notes();
        store.append(journal(element.keyGroup(), low), bytes.array(), 0, bytes.length());
    }

    /** Reads the journal of a bucket. */
    void read(int keyGroup, long low, TimerJournal into) {
        into.clear();
        store.get(journal(keyGroup, low), into.notes());
    }

    /** Replaces the journal of a bucket. */
    void write(int keyGroup, long low, TimerJournal written) {
        Bytes bytes = written.notes();
        if (bytes.length() == 0) {
            store.delete(journal(keyGroup, low));
        } else {
            store.put(journal(keyGroup, low), bytes.array(), 0, bytes.length());
        }
    }

    private EntryKey map(int keyGroup, long low) {
        Element.putRank(low, rankBytes);
        return bucket.row(elements, keyGroup, NOTHING, 0, rankBytes, rankBytes.length);
    }

    /** Puts an element into a bucket that is a map. */
    void put(long low, Element element) {
        EntryKey key = map(element.keyGroup(), low).mapKey(element.bytes(), element.offset(), element.length());
        store.put(key, NOTHING, 0, 0);
    }

    /** Deletes an element, which may not be there, from a bucket that is a map. */
    void delete(long low, Element element) {
        store.delete(map(element.keyGroup(), low).mapKey(element.bytes(), element.offset(), element.length()));
    }

    /** Walks a bucket that is a map after an element, or all of it if that is null. */
    MapScan scan(int keyGroup, long low, byte[] after) {
        return store.scanMap(map(keyGroup, low), after);
    }

    /** Makes a bucket known that has a journal. */
    void addBucket(int keyGroup, long low) {
        store.put(rankEntry(keyGroup, low), IS_JOURNAL, 0, IS_JOURNAL.length);
    }

    /** Makes a bucket a map of elements up to a rank, if it is not; it has nothing in its journal any more. */
    void makeMap(int keyGroup, long low, long highest) {
        EntryKey key = rankEntry(keyGroup, low);
        Element.putRank(highest, rankBytes);
        store.put(key, rankBytes, 0, rankBytes.length);
    }

    /** Removes a bucket with all that is in its journal or its map. */
    void clearBucket(int keyGroup, long low, boolean isMap) {
        if (isMap) {
            store.clearMap(map(keyGroup, low));
        } else {
            store.delete(journal(keyGroup, low));
        }
        store.delete(rankEntry(keyGroup, low));
    }

    private EntryKey rankEntry(int keyGroup, long low) {
        Element.putRank(low, rankBytes);
        return entry.row(directory, keyGroup, NOTHING, 0, NOTHING, 0).mapKey(rankBytes, 0, rankBytes.length);
    }

    /** Takes the buckets of a key group, in order. */
    interface BucketTaker {
        void takeJournal(long low);

        void takeMap(long low, long highest);
    }

    /**
     * Hands out what the directory has of a key group: its buckets, and after all of them the near elements of its
     * image, which lie between. Returns of how many parts the image is.
     */
    int restore(int keyGroup, BucketTaker buckets, HeapTimers.Taker near) {
        TimerJournal image = new TimerJournal();
        int parts = 0;
        MapScan scan = scanAll(directory, keyGroup);
        while (scan.next()) {
            if (isBucket(keyGroup, scan)) {
                take(keyGroup, scan, buckets);
            } else {
                image.notes().append(scan.bytes(), scan.valueOffset(), scan.valueLength());
                parts++;
            }
        }
        while (image.next(keyGroup)) {
            near.take(image.element());
        }
        return parts;
    }

    private static void take(int keyGroup, MapScan scan, BucketTaker buckets) {
        long low = Element.rank(scan.bytes(), scan.keyOffset(), scan.keyLength());
        if (scan.valueLength() == IS_JOURNAL.length) {
            buckets.takeJournal(low);
        } else {
            checkIsMap(keyGroup, scan);
            buckets.takeMap(low, Element.rank(scan.bytes(), scan.valueOffset(), scan.valueLength()));
        }
    }

    /** Whether an entry of the directory is a bucket; otherwise it is a part. */
    private static boolean isBucket(int keyGroup, MapScan scan) {
        int length = scan.keyLength();
        if (length != Long.BYTES && length != Integer.BYTES) {
            throw new IllegalStateException("expected an entry of the directory of timers of key group " + keyGroup
                    + " under " + Integer.BYTES + " or " + Long.BYTES + " bytes, found " + length
                    + ": the checkpoint is damaged, or of another version of Drey");
        }
        return length == Long.BYTES;
    }

    private static void checkIsMap(int keyGroup, MapScan scan) {
        if (scan.valueLength() != Long.BYTES) {
            throw new IllegalStateException("expected the form of a bucket of timers of key group " + keyGroup + " in "
                    + IS_JOURNAL.length + " or " + Long.BYTES + " bytes, found " + scan.valueLength()
                    + ": the checkpoint is damaged, or of another version of Drey");
        }
    }

    void putPart(int keyGroup, int number, Bytes part) {
        store.put(partEntry(keyGroup, number), part.array(), 0, part.length());
    }

    void deletePart(int keyGroup, int number) {
        store.delete(partEntry(keyGroup, number));
    }

    private EntryKey partEntry(int keyGroup, int number) {
        for (int i = 0; i < partBytes.length; i++) {
            partBytes[i] = (byte) (number >>> (8 * (partBytes.length - 1 - i)));
        }
        return entry.row(directory, keyGroup, NOTHING, 0, NOTHING, 0).mapKey(partBytes, 0, partBytes.length);
    }

    /** Puts an element into no bucket. */
    void putLoose(Element element) {
        entry.row(elements, element.keyGroup(), NOTHING, 0, NOTHING, 0);
        store.put(entry.mapKey(element.bytes(), element.offset(), element.length()), NOTHING, 0, 0);
    }

    MapScan scanLoose(int keyGroup) {
        return scanAll(elements, keyGroup);
    }

    private MapScan scanAll(int table, int keyGroup) {
        MapScan scan = store.scanMap(entry.row(table, keyGroup, NOTHING, 0, NOTHING, 0), null);
        scan.expect(RESTORED_AT_ONCE);
        return scan;
    }

    void clearLoose(int keyGroup) {
        store.clearMap(entry.row(elements, keyGroup, NOTHING, 0, NOTHING, 0));
    }
}
