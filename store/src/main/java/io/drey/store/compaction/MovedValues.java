package io.drey.store.compaction;

import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import io.drey.store.value.LogIds;
import io.drey.store.value.SeparatingCursor;
import io.drey.store.value.ValueLog;
import io.drey.store.value.ValueReader;
import java.util.List;

/** Values that live in logs to be emptied move to a new log; all others stay where they are and are not read. */
final class MovedValues implements SeparatingCursor.Rule {
    private final List<ValueLog> logs;
    private final LogIds ids = new LogIds();
    private final ValueReader reader;

    /** @param logs the logs to be emptied, open as long as this is used */
    MovedValues(List<ValueLog> logs, ValueReader reader) {
        this.logs = logs;
        logs.forEach(log -> ids.add(log.id()));
        this.reader = reader;
    }

    @Override
    public boolean separates(EntryCursor entry) {
        return entry.kind() == EntryKind.POINTER && logOf(entry.valueAddress()) != null;
    }

    @Override
    public void fetch(EntryCursor entry) {
        reader.read(entry.table(), logOf(entry.valueAddress()), entry.valueAddress());
    }

    /** The log to be emptied that a pointer leads into, or null. */
    private ValueLog logOf(long pointer) {
        int number = ids.find(pointer);
        return number == LogIds.NONE ? null : logs.get(number);
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
