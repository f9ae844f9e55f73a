package io.drey.store.run;

import io.drey.foundation.Memory;
import io.drey.store.file.FileId;
import java.util.ArrayList;
import java.util.List;

/** The footer of a run, see {@link RunLayout}. */
record RunFooter(
        long entries,
        long rawBytes,
        long firstPrefix,
        long lastPrefix,
        int keyGroupMin,
        int keyGroupMax,
        long residentOffset,
        int blocks,
        int separators,
        int filterPages,
        int residentChecksum,
        List<TableCount> tables) {

    int bytes() {
        return RunLayout.FOOTER_FIXED_BYTES + tables.size() * RunLayout.FOOTER_TABLE_BYTES;
    }

    RunInfo info(String name, FileId id, long fileBytes) {
        return new RunInfo(
                name, id, fileBytes, rawBytes, entries, keyGroupMin, keyGroupMax, firstPrefix, lastPrefix, tables);
    }

    void encode(long at) {
        Memory.putLong(at, entries);
        Memory.putLong(at + 8, rawBytes);
        Memory.putLong(at + 16, firstPrefix);
        Memory.putLong(at + 24, lastPrefix);
        Memory.putInt(at + 32, keyGroupMin);
        Memory.putInt(at + 36, keyGroupMax);
        Memory.putLong(at + 40, residentOffset);
        Memory.putInt(at + 48, blocks);
        Memory.putInt(at + 52, separators);
        Memory.putInt(at + 56, filterPages);
        Memory.putInt(at + 60, residentChecksum);
        Memory.putInt(at + 64, tables.size());
        long table = at + RunLayout.FOOTER_FIXED_BYTES;
        for (TableCount count : tables) {
            Memory.putInt(table, count.table());
            Memory.putLong(table + 4, count.entries());
            Memory.putLong(table + 12, count.groupTombstones());
            table += RunLayout.FOOTER_TABLE_BYTES;
        }
    }

    /** Reads what {@link #encode} wrote; null if that cannot have so many bytes. */
    static RunFooter decode(long at, int length) {
        if (length < RunLayout.FOOTER_FIXED_BYTES) {
            return null;
        }
        int tableCount = Memory.getInt(at + 64);
        if (tableCount < 0
                || length != RunLayout.FOOTER_FIXED_BYTES + (long) tableCount * RunLayout.FOOTER_TABLE_BYTES) {
            return null;
        }
        List<TableCount> tables = new ArrayList<>(tableCount);
        for (int i = 0; i < tableCount; i++) {
            long table = at + RunLayout.FOOTER_FIXED_BYTES + (long) i * RunLayout.FOOTER_TABLE_BYTES;
            tables.add(new TableCount(Memory.getInt(table), Memory.getLong(table + 4), Memory.getLong(table + 12)));
        }
        return new RunFooter(
                Memory.getLong(at),
                Memory.getLong(at + 8),
                Memory.getLong(at + 16),
                Memory.getLong(at + 24),
                Memory.getInt(at + 32),
                Memory.getInt(at + 36),
                Memory.getLong(at + 40),
                Memory.getInt(at + 48),
                Memory.getInt(at + 52),
                Memory.getInt(at + 56),
                Memory.getInt(at + 60),
                tables);
    }
}
