package io.drey.store.flush;

import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import io.drey.store.tuning.ValuePlacement;
import io.drey.store.value.SeparatingCursor;

/** Values that leave memory go into value logs if they are as large as the threshold of their table. */
final class LargeValues implements SeparatingCursor.Rule {
    private final ValuePlacement.Places places;
    private long address;
    private int length;

    LargeValues(ValuePlacement.Places places) {
        this.places = places;
    }

    @Override
    public boolean separates(EntryCursor entry) {
        return entry.kind() == EntryKind.VALUE
                && places.of(entry.table(), entry.valueLength()) == ValuePlacement.Place.VALUE_LOG;
    }

    @Override
    public void fetch(EntryCursor entry) {
        address = entry.valueAddress();
        length = entry.valueLength();
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
