package io.drey.store.compaction;

import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import io.drey.store.value.SeparatingCursor;
import io.drey.store.value.ValueLog;
import io.drey.store.value.ValuePointer;
import io.drey.store.value.ValueReader;
import java.util.List;

/** Values that live in logs to be emptied move to a new log; all others stay where they are and are not read. */
final class MovedValues implements SeparatingCursor.Rule {
    private final ValueLog[] logs;
    private final ValueReader reader;

    /** @param logs the logs to be emptied, open as long as this is used */
    MovedValues(List<ValueLog> logs, ValueReader reader) {
        this.logs = logs.toArray(new ValueLog[0]);
        this.reader = reader;
    }

    @Override
    public boolean separates(EntryCursor entry) {
        if (entry.kind() != EntryKind.POINTER) {
            return false;
        }
        long pointer = entry.valueAddress();
        for (ValueLog log : logs) {
            if (ValuePointer.isInto(pointer, log)) {
                reader.read(entry.table(), log, pointer);
                return true;
            }
        }
        return false;
    }

    @Override
    public long valueAddress() {
        return reader.address();
    }

    @Override
    public int valueLength() {
        return reader.length();
    }
}
