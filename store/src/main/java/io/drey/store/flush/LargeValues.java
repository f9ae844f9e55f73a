package io.drey.store.flush;

import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import io.drey.store.value.SeparatingCursor;

/** Values that leave memory go into value logs if they are as large as the threshold of their table. */
final class LargeValues implements SeparatingCursor.Rule {
    private final int[] thresholds;
    private long address;
    private int length;

    /** @param thresholds by table; tables beyond the end have none */
    LargeValues(int[] thresholds) {
        this.thresholds = thresholds;
    }

    @Override
    public boolean separates(EntryCursor entry) {
        int table = entry.table();
        if (entry.kind() != EntryKind.VALUE || table >= thresholds.length || entry.valueLength() < thresholds[table]) {
            return false;
        }
        address = entry.valueAddress();
        length = entry.valueLength();
        return true;
    }

    @Override
    public long valueAddress() {
        return address;
    }

    @Override
    public int valueLength() {
        return length;
    }
}
