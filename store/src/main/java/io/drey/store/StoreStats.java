package io.drey.store;

/**
 * What a store holds and has done. Counters only grow; sizes are of now.
 *
 * @param memoryBytes pages that the store holds, in bytes
 * @param localBytes bytes of its local files
 * @param runs number of its runs
 * @param seals runs written from memory
 * @param merges merges finished
 * @param bytesSealed bytes written by seals
 * @param bytesMerged bytes written by merges
 * @param readIos reads of files by the owner
 * @param stallNanos time the owner waited for memory
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
        long stallNanos) {}
