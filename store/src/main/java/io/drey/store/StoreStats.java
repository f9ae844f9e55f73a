package io.drey.store;

/**
 * What a store holds and has done. Counters only grow; sizes are of now.
 *
 * @param memoryBytes pages that the store holds, in bytes
 * @param localBytes bytes of its local files
 * @param runs number of its runs
 * @param seals runs written from memory
 * @param merges merges finished
 * @param bytesSealed bytes written by seals, to runs and value logs
 * @param bytesMerged bytes written by merges, to runs and value logs
 * @param readIos reads of files by the owner
 * @param stallNanos time the owner waited for memory
 * @param valueLogBytes bytes of value logs; they are among {@code localBytes}
 * @param valueLogBytesLive bytes of value logs that runs point to
 * @param valuesSeparated values written into value logs by seals
 * @param valuesRead values read from value logs by the owner
 * @param valueLogsDropped value logs deleted because nothing pointed to them any more
 * @param bytesRelocated bytes of live values that merges moved to new value logs
 */
public record StoreStats(
        long memoryBytes,
        long localBytes,
        int runs,
        long seals,
        long merges,
        long bytesSealed,
        long bytesMerged,
        long readIos,
        long stallNanos,
        long valueLogBytes,
        long valueLogBytesLive,
        long valuesSeparated,
        long valuesRead,
        long valueLogsDropped,
        long bytesRelocated) {}
