package io.drey.store;

import io.drey.store.entry.EntryKey;
import io.drey.store.log.HybridLog;

/**
 * Reads small maps whole from runs into the log, so that one of which several entries are asked for, after a restore say,
 * is complete in memory at once: then neither its other entries nor those that it has not cost a look into runs.
 */
final class MapPrefetch {
    private final Store store;
    private final HybridLog log;
    private final EntryKey key = new EntryKey();
    private long loaded;

    MapPrefetch(Store store, HybridLog log) {
        this.store = store;
        this.log = log;
    }

    /** Maps that were read whole so far. */
    long loaded() {
        return loaded;
    }

    /** Reads the map of a key, which {@link HybridLog#isWorthLoading}, or finds that it is too large. */
    void load(EntryKey entry) {
        int max = log.loadedMax();
        MapScan scan = store.newScan(entry, null, max + 1);
        int entries = 0;
        while (scan.next()) {
            key.rawRow(scan.table(), scan.keyGroup(), scan.row());
            key.mapKey(scan.bytes(), scan.keyOffset(), scan.keyLength());
            if (++entries > max || !store.keep(key, scan.bytes(), scan.valueOffset(), scan.valueLength())) {
                scan.abandon();
                giveUp(entry);
                return;
            }
        }
        log.completeIfAllHere(entry, entries);
        loaded++;
    }

    private void giveUp(EntryKey entry) {
        // Else pages have become short meanwhile, and it is not the map's fault.
        if (log.isWorthLoading(entry)) {
            log.notLoaded(entry);
        }
    }
}
