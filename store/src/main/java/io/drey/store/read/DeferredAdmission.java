package io.drey.store.read;

import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;

/**
 * The value that was found in runs last, until it is kept in the log: at the next operation, unless that sets the same
 * entry. Who reads an entry often writes it next, and a copy of the old value in the log would be for nothing then.
 *
 * <p>Every operation but such a change has it kept before it does anything, so it is never older than the store's
 * state.
 */
public final class DeferredAdmission {
    private final EntryKey key = new EntryKey();
    private final Bytes value = new Bytes();
    private boolean isWaiting;

    public boolean isWaiting() {
        return isWaiting;
    }

    public void set(EntryKey newKey, Bytes newValue) {
        key.set(newKey);
        value.clear();
        value.append(newValue.array(), 0, newValue.length());
        isWaiting = true;
    }

    /** It waits no longer. */
    public void taken() {
        isWaiting = false;
    }

    /** An entry is about to be set: the value that it had need not be kept. */
    public void replaced(EntryKey by) {
        if (isWaiting && key.isSame(by)) {
            isWaiting = false;
        }
    }

    public EntryKey key() {
        return key;
    }

    public Bytes value() {
        return value;
    }
}
