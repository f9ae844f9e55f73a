package io.drey.store.read;

import io.drey.store.entry.EntryKey;
import io.drey.store.log.HybridLog;

/**
 * Reads small maps whole from runs into the log, so that one of which several entries are asked for, after a restore
 * say, is complete in memory at once: then neither its other entries nor those that it has not cost a look into runs.
 */
public final class MapPrefetch {
    /** Takes an entry that was read into the log. */
    @FunctionalInterface
    public interface Admission {
        /** Keeps a copy of the value, if pages are to be had without waiting; whether it is there. */
        boolean keep(EntryKey key, byte[] value, int offset, int length);
    }

    private final MapReader maps;
    private final HybridLog log;
    private final Admission admission;
    private final EntryKey key = new EntryKey();
    private long loaded;

    public MapPrefetch(MapReader maps, HybridLog log, Admission admission) {
        this.maps = maps;
        this.log = log;
        this.admission = admission;
    }

    /** Maps that were read whole so far. */
    public long loaded() {
        return loaded;
    }

    /** Reads the map of a key, which {@link HybridLog#isWorthLoading}, or finds that it is too large. */
    public void load(EntryKey entry) {
        int max = log.loadedMax();
        MapScan scan = maps.scan(entry, null, max + 1);
        int entries = 0;
        while (scan.next()) {
            scan.rowInto(key).mapKey(scan.bytes(), scan.keyOffset(), scan.keyLength());
            if (++entries > max || !admission.keep(key, scan.bytes(), scan.valueOffset(), scan.valueLength())) {
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
