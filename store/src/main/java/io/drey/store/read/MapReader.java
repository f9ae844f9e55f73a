package io.drey.store.read;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.MapBatch;
import io.drey.store.log.HybridLog;
import java.util.ArrayDeque;

/**
 * Reads the entries of maps in batches, for {@link MapScan}s: from the log alone where that has the whole map, else
 * merged with what the runs have. The owner's. A batch is a copy, so nothing is held between two of them.
 */
public final class MapReader {
    /** Batches of scans that are kept for the next: as many as maps are usually walked at once. */
    private static final int SPARE_BATCHES_MAX = 4;

    private final HybridLog log;
    private final VersionReader runs;
    private final Overdraft overdraft;
    private final Runnable beforeEach;
    private final EntryKey key = new EntryKey();
    private final Bytes bound = new Bytes();
    private final ArrayDeque<MapBatch> spareBatches = new ArrayDeque<>();

    /** @param beforeEach what the store does before it reads */
    public MapReader(HybridLog log, VersionReader runs, Overdraft overdraft, Runnable beforeEach) {
        this.log = log;
        this.runs = runs;
        this.overdraft = overdraft;
        this.beforeEach = beforeEach;
    }

    /** A scan from the first map key after {@code after}, or from the first of all if that is null. */
    public MapScan scan(EntryKey row, byte[] after) {
        return scan(row, after, MapScan.BATCH_MIN);
    }

    /** The same, with a first batch of about so many entries. */
    public MapScan scan(EntryKey row, byte[] after, int firstBatch) {
        Bytes part = new Bytes(row.rowLength());
        part.append(row.body(), 0, row.rowLength());
        return new MapScan(this, row.table(), row.keyGroup(), part, after, firstBatch);
    }

    /** An empty batch, for a scan that is about to fill it. */
    MapBatch takeBatch() {
        MapBatch spare = spareBatches.pollLast();
        return spare == null ? new MapBatch() : spare;
    }

    /** Takes back the batch of a scan that has ended. */
    void giveBatch(MapBatch batch) {
        if (spareBatches.size() < SPARE_BATCHES_MAX && batch.isSmall()) {
            batch.clear();
            spareBatches.addLast(batch);
        }
    }

    /** Fills the batch of a scan with about so many entries, or bytes; false if nothing comes after it. */
    boolean fill(MapScan scan, int wanted, int bytesMax) {
        beforeEach.run();
        scan.rowInto(key);
        boolean complete = log.chooseRange(key, scan.after(), wanted);
        return complete ? fillFromLog(scan, bytesMax) : fillMerged(scan, wanted, bytesMax);
    }

    private boolean fillFromLog(MapScan scan, int bytesMax) {
        int copied = log.copyRange(scan.batch(), bytesMax);
        if (copied == log.rangeSize() && !log.rangeHasMore()) {
            return false;
        }
        scan.after(mapKey(copied - 1));
        return true;
    }

    private byte[] mapKey(int inRange) {
        bound.clear();
        log.rangeKey(inRange, bound);
        return bound.toArray();
    }

    private boolean fillMerged(MapScan scan, int wanted, int bytesMax) {
        // Beyond this map key the log has entries that are not in the range.
        byte[] last = log.rangeHasMore() ? mapKey(log.rangeSize() - 1) : null;
        EntryCursor newest = log.rangeCursor(key, overdraft);
        if (scan.after() != null) {
            key.mapKey(scan.after(), 0, scan.after().length);
        }
        try (EntryCursor entries = runs.scanMap(key, newest)) {
            while (entries.next()) {
                if (isMapEntry(entries) && !add(scan, entries, last, wanted, bytesMax)) {
                    return true;
                }
            }
        } finally {
            runs.session().trim();
        }
        if (last == null && scan.after() == null) {
            log.completeIfAllHere(key.rowEntry(), scan.batch().entries());
        }
        scan.after(last);
        return last != null;
    }

    private static boolean isMapEntry(EntryCursor entry) {
        return Memory.getByte(entry.bodyAddress() + entry.rowLength()) == EntryKey.MAP_ENTRY;
    }

    /** Adds an entry; false if the batch is to end before it, and where the next one starts is noted. */
    private static boolean add(MapScan scan, EntryCursor entry, byte[] last, int wanted, int bytesMax) {
        long mapKey = entry.bodyAddress() + entry.rowLength() + 1;
        int mapKeyLength = entry.bodyLength() - entry.rowLength() - 1;
        MapBatch batch = scan.batch();
        if (last != null && Memory.compare(mapKey, mapKeyLength, last, 0, last.length) > 0) {
            scan.after(last);
            return false;
        }
        if (batch.entries() >= wanted || batch.bytes().length() >= bytesMax) {
            scan.after(batch.lastKey());
            return false;
        }
        Bytes bytes = batch.bytes();
        int start = bytes.length();
        bytes.append(mapKey, mapKeyLength);
        bytes.append(entry.valueAddress(), entry.valueLength());
        batch.add(start, mapKeyLength, entry.valueLength());
        return true;
    }
}
