package io.drey.store.run;

import io.drey.store.file.FileId;
import java.util.List;

/**
 * Facts about a run, from its footer.
 *
 * @param name the file's name
 * @param bytes the file's size
 * @param rawBytes bytes of all blocks before compression
 * @param keyGroupMin smallest key group in it, 0 if it is empty
 * @param keyGroupMax largest key group in it, -1 if it is empty
 * @param firstPrefix prefix of the first entry
 * @param lastPrefix prefix of the last entry
 * @param tables what it holds of each table, by table
 * @param logs the value logs that its entries point to
 */
public record RunInfo(
        String name,
        FileId id,
        long bytes,
        long rawBytes,
        long entries,
        int keyGroupMin,
        int keyGroupMax,
        long firstPrefix,
        long lastPrefix,
        List<TableCount> tables,
        List<LogShare> logs) {
    public RunInfo {
        tables = List.copyOf(tables);
        logs = List.copyOf(logs);
    }

    public boolean isEmpty() {
        return entries == 0;
    }
}
