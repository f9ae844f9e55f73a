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
        long indexOffset,
        long topOffset,
        int blocks,
        int indexPages,
        int filterPages,
        int topChecksum,
        List<TableCount> tables,
        List<LogShare> logs) {

    int bytes() {
        return RunLayout.FOOTER_FIXED_BYTES
                + tables.size() * RunLayout.FOOTER_TABLE_BYTES
                + logs.size() * RunLayout.FOOTER_LOG_BYTES;
    }

    /** Bytes of the top. */
    long topBytes() {
        return (long) indexPages * RunLayout.INDEX_ENTRY_BYTES + (long) filterPages * RunLayout.FILTER_ENTRY_BYTES;
    }

    RunInfo info(String name, FileId id, long fileBytes) {
        return new RunInfo(
                name,
                id,
                fileBytes,
                rawBytes,
                entries,
                keyGroupMin,
                keyGroupMax,
                firstPrefix,
                lastPrefix,
                tables,
                logs);
    }

    void encode(long at) {
        Memory.putLong(at, entries);
        Memory.putLong(at + 8, rawBytes);
        Memory.putLong(at + 16, firstPrefix);
        Memory.putLong(at + 24, lastPrefix);
        Memory.putInt(at + 32, keyGroupMin);
        Memory.putInt(at + 36, keyGroupMax);
        Memory.putLong(at + 40, indexOffset);
        Memory.putLong(at + 48, topOffset);
        Memory.putInt(at + 56, blocks);
        Memory.putInt(at + 60, indexPages);
        Memory.putInt(at + 64, filterPages);
        Memory.putInt(at + 68, topChecksum);
        Memory.putInt(at + 72, tables.size());
        Memory.putInt(at + 76, logs.size());
        long table = at + RunLayout.FOOTER_FIXED_BYTES;
        for (TableCount count : tables) {
            Memory.putInt(table, count.table());
            Memory.putLong(table + 4, count.entries());
            Memory.putLong(table + 12, count.rowTombstones());
            Memory.putLong(table + 20, count.untimed());
            Memory.putLong(table + 28, count.medianAccess());
            Memory.putLong(table + 36, count.latestAccess());
            table += RunLayout.FOOTER_TABLE_BYTES;
        }
        for (LogShare share : logs) {
            Memory.putLong(table, share.log().high());
            Memory.putLong(table + 8, share.log().low());
            Memory.putLong(table + 16, share.bytes());
            table += RunLayout.FOOTER_LOG_BYTES;
        }
    }

    /** Reads what {@link #encode} wrote; null if that cannot have so many bytes. */
    static RunFooter decode(long at, int length) {
        if (length < RunLayout.FOOTER_FIXED_BYTES) {
            return null;
        }
        int tableCount = Memory.getInt(at + 72);
        int logCount = Memory.getInt(at + 76);
        long expected = RunLayout.FOOTER_FIXED_BYTES
                + (long) tableCount * RunLayout.FOOTER_TABLE_BYTES
                + (long) logCount * RunLayout.FOOTER_LOG_BYTES;
        if (tableCount < 0 || logCount < 0 || length != expected) {
            return null;
        }
        List<TableCount> tables = new ArrayList<>(tableCount);
        for (int i = 0; i < tableCount; i++) {
            long table = at + RunLayout.FOOTER_FIXED_BYTES + (long) i * RunLayout.FOOTER_TABLE_BYTES;
            tables.add(new TableCount(
                    Memory.getInt(table),
                    Memory.getLong(table + 4),
                    Memory.getLong(table + 12),
                    Memory.getLong(table + 20),
                    Memory.getLong(table + 28),
                    Memory.getLong(table + 36)));
        }
        List<LogShare> logs = new ArrayList<>(logCount);
        for (int i = 0; i < logCount; i++) {
            long log = at + length - (long) (logCount - i) * RunLayout.FOOTER_LOG_BYTES;
            FileId id = new FileId(Memory.getLong(log), Memory.getLong(log + 8));
            logs.add(new LogShare(id, Memory.getLong(log + 16)));
        }
        return new RunFooter(
                Memory.getLong(at),
                Memory.getLong(at + 8),
                Memory.getLong(at + 16),
                Memory.getLong(at + 24),
                Memory.getInt(at + 32),
                Memory.getInt(at + 36),
                Memory.getLong(at + 40),
                Memory.getLong(at + 48),
                Memory.getInt(at + 56),
                Memory.getInt(at + 60),
                Memory.getInt(at + 64),
                Memory.getInt(at + 68),
                tables,
                logs);
    }
}
