package io.drey.store.stats;

import io.drey.store.run.Run;
import io.drey.store.tuning.CompactionPace;
import io.drey.store.tuning.CompactionPayoff;
import io.drey.store.tuning.CompressionPolicy;
import io.drey.store.tuning.DiskSpeed;
import io.drey.store.tuning.FlushPace;
import io.drey.store.tuning.MemoryBalance;
import io.drey.store.tuning.RunShape;
import io.drey.store.tuning.TreeShape;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Statistics of a store: its contents now, and its work so far. Counters only grow and begin at zero when it opens;
 * sizes are of now. The owner's counters are read while it counts, so that those of one reading may belong to moments a
 * little apart.
 *
 * @param log the mutable level in memory
 * @param runs files with entries
 * @param jobs flushes, compactions, and waits for them
 * @param io reads and writes by their cause
 * @param caches what lookups find in memory of runs
 * @param values what is kept apart from entries in value logs
 * @param tuning what the rules that adapt the store decided last, and why
 */
public record StoreStats(Log log, Runs runs, Jobs jobs, IoByCause io, Caches caches, Values values, Tuning tuning) {

    /**
     * The log, and what it did to have room.
     *
     * @param memoryBytes pages that it holds, in bytes
     * @param changedBytes bytes that changed since the last flush began
     * @param recordsDirty records that the next flush writes
     * @param isFlushing whether a frozen epoch is being flushed
     * @param recordsKept values that were read from runs and kept
     * @param recordsMoved records that were asked for lately when their page was evicted, and got a second chance
     * @param recordsCompacted records moved out of pages that were mostly dead
     * @param mapsJoined how often the records of a map became one inline map
     * @param mapsLinked inline maps that grew into linked ones
     * @param mapsPrefetched maps read whole from runs
     * @param tablesLoaded tables of values or lists read whole from runs
     */
    public record Log(
            long memoryBytes,
            long changedBytes,
            long recordsDirty,
            boolean isFlushing,
            long recordsKept,
            long recordsMoved,
            long recordsCompacted,
            long mapsJoined,
            long mapsLinked,
            long mapsPrefetched,
            long tablesLoaded) {}

    /**
     * The runs.
     *
     * @param young those that are not in a level yet
     * @param levels those of all levels
     */
    public record Runs(Files young, Files levels) {
        public int count() {
            return young.count + levels.count;
        }

        public long bytes() {
            return young.bytes + levels.bytes;
        }
    }

    /**
     * The work done in the background, and the owner's waits for it.
     *
     * @param flushes runs written from memory
     * @param compactions compactions finished
     * @param bytesFlushed bytes of runs that flushes wrote
     * @param youngBytesCompacted bytes of runs that compactions of young runs wrote
     * @param levelBytesCompacted bytes of runs that major compactions wrote
     * @param entriesExpired expired entries that flushes and compactions dropped, or turned into tombstones
     * @param runsExpired runs dropped whole, because all of them had expired
     * @param stalls how often the owner waited for memory or for compactions
     * @param stallNanos how long
     * @param backlog young runs that wait to be compacted, as a part of those at which the owner waits
     */
    public record Jobs(
            long flushes,
            long compactions,
            long bytesFlushed,
            long youngBytesCompacted,
            long levelBytesCompacted,
            long entriesExpired,
            long runsExpired,
            long stalls,
            long stallNanos,
            double backlog) {}

    /**
     * I/O by its cause.
     *
     * @param foreground I/O of the owner; its writes are values too large for the log
     * @param flush I/O of flushes
     * @param compaction I/O of compactions
     * @param foregroundReadNanos how long the owner's reads took
     */
    public record IoByCause(Io foreground, Io flush, Io compaction, long foregroundReadNanos) {}

    /**
     * Caches and filters.
     *
     * @param blocks the cache of blocks
     * @param compressed the cache of blocks as they are stored, asked when the other has none
     * @param indexes pages of indexes, asked for each block sought; misses are reads
     * @param filters pages of filters; misses are reads
     * @param filterNegatives lookups of a run that its filter ended
     * @param filterErrors lookups of a run that its filter let pass, for an entry that was not there
     * @param emptySearches lookups that searched a block for an entry that was not there
     * @param balance how memory is divided between them and the log
     */
    public record Caches(
            Cache blocks,
            Cache compressed,
            Cache indexes,
            Cache filters,
            long filterNegatives,
            long filterErrors,
            long emptySearches,
            Balance balance) {}

    /**
     * The division of the store's memory.
     *
     * @param framesPercent the most that blocks may have
     * @param compressedPercent the most that blocks as they are stored may have
     * @param moves how often some of it was moved from one side to another
     */
    public record Balance(int framesPercent, int compressedPercent, long moves) {}

    /**
     * Values kept apart.
     *
     * @param logBytes bytes of value logs
     * @param logBytesLive those of them that runs point to
     * @param logsDropped value logs deleted because nothing pointed to them any more
     * @param separated values written into value logs by flushes
     * @param compressed values that flushes compressed by themselves
     * @param read values read from value logs by the owner
     * @param bytesRelocated bytes of live values that compactions moved to new value logs
     */
    public record Values(
            long logBytes,
            long logBytesLive,
            long logsDropped,
            long separated,
            long compressed,
            long read,
            long bytesRelocated) {}

    /**
     * Decisions with their reasons.
     *
     * @param disk what the disk is like now
     * @param memory where memory was moved
     * @param payoff whether lookups lost enough by reads for a major compaction
     * @param compression how the last major compaction compressed
     * @param shape how the last level was written last
     * @param tree why the tree has its shape
     * @param compactionPace why the last compaction was as fast as it was
     * @param flushPace why the last flush was as fast as it was
     */
    public record Tuning(
            DiskSpeed.Grade disk,
            MemoryBalance.Decision memory,
            CompactionPayoff.Decision payoff,
            CompressionPolicy.Decision compression,
            RunShape shape,
            TreeShape.Reason tree,
            CompactionPace.Reason compactionPace,
            FlushPace.Reason flushPace) {
        /** The rules, and for each what it decided last and why, in one word. */
        public SortedMap<String, String> reasons() {
            return new TreeMap<>(Map.of(
                    "Disk", disk.name(),
                    "Memory", memory.name(),
                    "Payoff", payoff.name(),
                    "Compression", compression.name(),
                    "Tree", tree.name(),
                    "CompactionPace", compactionPace.name(),
                    "FlushPace", flushPace.name()));
        }
    }

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

    /** Lookups in a cache, and hits among them. */
    public record Cache(long hits, long misses) {}

    /** Bytes of the store's local files. */
    public long localBytes() {
        return runs.bytes() + values.logBytes;
    }

    /** Bytes written for each byte that came from memory; 0 before the first. */
    public double writeAmplification() {
        long fromMemory = io.foreground.bytesWritten + io.flush.bytesWritten;
        return fromMemory == 0 ? 0 : (double) (fromMemory + io.compaction.bytesWritten) / fromMemory;
    }
}
