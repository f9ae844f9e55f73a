package io.drey.store.read;

import io.drey.store.entry.EntryKey;

/**
 * Remembers the map that was last found to be nowhere in the runs: what asks for it next is likely its first entry,
 * which needs not ask all filters again. Right for one version of the runs only. One thread.
 */
final class AbsentMaps {
    private final EntryKey absent = new EntryKey();
    private boolean isKnown;

    /** Whether the map of a key is known to be absent. */
    boolean isAbsent(EntryKey key) {
        return isKnown && absent.isSameRow(key);
    }

    /** The map of a key was asked for. */
    void answered(EntryKey key, boolean mayBeThere) {
        if (!mayBeThere) {
            absent.set(key);
            isKnown = true;
        }
    }

    /** Another version of the runs is in force. */
    void forget() {
        isKnown = false;
    }
}
