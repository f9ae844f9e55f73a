package io.drey.flink.state.timer;

import io.drey.foundation.Bytes;
import io.drey.store.MapScan;
import io.drey.store.Store;
import io.drey.store.entry.EntryKey;

/**
 * The elements of one key group of a timer queue in the store: the map keys of one group without key and namespace. Byte
 * order is timer order, because Flink's timer serializer writes the time first.
 */
final class TimerStore {
    private static final byte[] NOTHING = new byte[0];
    private static final Bytes EMPTY = new Bytes(0);

    private final Store store;
    private final EntryKey group;

    TimerStore(Store store, int table, int keyGroup) {
        this.store = store;
        this.group = new EntryKey().group(table, keyGroup, EMPTY, EMPTY);
    }

    void add(byte[] element) {
        store.put(group.mapKey(element, 0, element.length), NOTHING, 0, 0);
    }

    void remove(byte[] element) {
        store.delete(group.mapKey(element, 0, element.length));
    }

    /** Walks all elements after the given one, or all of them, in order; their bytes are the scan's keys. */
    MapScan scan(byte[] after) {
        return store.scanMap(group.groupEntry(), after);
    }
}
