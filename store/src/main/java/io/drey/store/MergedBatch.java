package io.drey.store;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.MapBatch;

/** Copies compacted entries of a map into the batch of a scan, up to a bound and a size. */
final class MergedBatch {
    private MergedBatch() {}

    static boolean isMapEntry(EntryCursor entry) {
        return Memory.getByte(entry.bodyAddress() + entry.rowLength()) == EntryKey.MAP_ENTRY;
    }

    /**
     * Adds an entry; false if the batch is to end before it, and where the next one starts is noted.
     *
     * @param bound the last map key that may be added, or null: beyond it the log has entries that were not compacted
     */
    static boolean add(MapScan scan, EntryCursor entry, byte[] bound, int wanted) {
        long mapKey = entry.bodyAddress() + entry.rowLength() + 1;
        int mapKeyLength = entry.bodyLength() - entry.rowLength() - 1;
        MapBatch batch = scan.batch();
        if (bound != null && Memory.compare(mapKey, mapKeyLength, bound, 0, bound.length) > 0) {
            scan.after(bound);
            return false;
        }
        if (batch.entries() >= wanted || batch.bytes().length() >= MapScan.BATCH_BYTES_MAX) {
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
