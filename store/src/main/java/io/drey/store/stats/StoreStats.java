package io.drey.store.stats;

import io.drey.store.run.Run;
import java.util.Collection;

/**
 * What a store holds and has done. Counters only grow and begin at zero when it opens; sizes are of now. The owner's
 * counters are read while it counts, so that those of one reading may belong to moments a little apart.
 *
 * @param memoryBytes pages that the log holds, in bytes
 * @param young runs that are not in a level yet
 * @param levels runs of all levels
 * @param flushes runs written from memory
 * @param compactions compactions finished
 * @param entriesExpired expired entries that flushes and compactions dropped, or turned into tombstones
 * @param runsExpired runs dropped whole, because all of them had expired
 * @param foreground I/O of the owner; its writes are values too large for the log
 * @param flush I/O of flushes
 * @param compact I/O of compactions
 * @param blocks the cache of blocks
 * @param compressed the cache of blocks as they are stored, asked when the other has none
 * @param filters the cache of filter pages
 * @param filterNegatives lookups of a run that its filter ended
 * @param filterErrors lookups of a run that its filter let pass, for an entry that was not there
 * @param stalls how often the owner waited for memory or for compactions
 * @param stallNanos how long
 * @param valueLogBytes bytes of value logs; they are among {@code localBytes}
 * @param valueLogBytesLive bytes of value logs that runs point to
 * @param valuesSeparated values written into value logs by flushes
 * @param valuesCompressed values that flushes compressed by themselves
 * @param valuesRead values read from value logs by the owner
 * @param valueLogsDropped value logs deleted because nothing pointed to them any more
 * @param bytesRelocated bytes of live values that compactions moved to new value logs
 */
public record StoreStats(
        long memoryBytes,
        Files young,
        Files levels,
        long flushes,
        long compactions,
        long entriesExpired,
        long runsExpired,
        Io foreground,
        Io flush,
        Io compaction,
        Cache blocks,
        Cache compressed,
        Cache filters,
        long filterNegatives,
        long filterErrors,
        long stalls,
        long stallNanos,
        long valueLogBytes,
        long valueLogBytesLive,
        long valuesSeparated,
        long valuesCompressed,
        long valuesRead,
        long valueLogsDropped,
        long bytesRelocated) {

    /** Some files of the store. */
    public record Files(int count, long bytes) {
        public static Files of(Collection<Run> runs) {
            long bytes = 0;
            for (Run run : runs) {
                bytes += run.info().bytes();
            }
            return new Files(runs.size(), bytes);
        }
    }

    /** Reads and writes of files, and their bytes. */
    public record Io(long reads, long bytesRead, long writes, long bytesWritten) {}

    /** How often a cache was asked, and had it. */
    public record Cache(long hits, long misses) {}

    /** Bytes of the store's local files. */
    public long localBytes() {
        return young.bytes + levels.bytes + valueLogBytes;
    }

    /** Number of the store's runs. */
    public int runs() {
        return young.count + levels.count;
    }

    /** Bytes written for each byte that came from memory; 0 before the first. */
    public double writeAmplification() {
        long fromMemory = foreground.bytesWritten + flush.bytesWritten;
        return fromMemory == 0 ? 0 : (double) (fromMemory + compaction.bytesWritten) / fromMemory;
    }
}
