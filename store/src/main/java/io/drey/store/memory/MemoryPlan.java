package io.drey.store.memory;

import io.drey.foundation.Arena;
import io.drey.store.cache.GhostList;
import io.drey.store.log.HybridLog;
import io.drey.store.tuning.DiskSpeed;
import io.drey.store.tuning.MemoryBalance;

/**
 * Divides a store's share of the slot's memory: limits of the caches, a fixed part for what jobs need for a while, what
 * the indexes of runs and the caches take now, and the rest for the log. For the owner, who asks at every change: what
 * depends on the share and on the indexes is computed when one of them has changed.
 */
public final class MemoryPlan {
    /** Of state of many times the memory they take all of it, and are asked more often than any block. */
    private static final int PAGES_PERCENT = 60;

    private static final int JOBS_PERCENT = 8;

    /** What is written at once is at most this part of a share. */
    private static final int WRITES_IN_SHARE = 128;

    /** Blocks leave so much to the log, however large indexes and filters are. */
    private static final int LOG_PERCENT_MIN = 20;

    /** The same where the disk is so slow that it does not matter how often the log is flushed. */
    private static final int LOG_PERCENT_MIN_SLOW = 5;

    /** About what a record takes in the log; only to choose how many that it evicted are noted. */
    private static final int RECORD_BYTES = 96;

    /** What the log leaves for caches to grow into. */
    private static final int GROWTH_PERCENT = 2;

    private final SlotMemory memory;
    private final Arena arena;
    private int knownShare = -1;
    private long knownMetadataBytes = -1;
    private int metadataPages;
    private int pagesWithoutCaches;

    /** The bytes that the caches of blocks may hold now. */
    public record BlockLimits(int frames, int compressedPages) {}

    public MemoryPlan(SlotMemory memory) {
        this.memory = memory;
        this.arena = memory.arena();
    }

    /** Most frames of blocks, for a cache that never has more. */
    public int framesMax(int blockBytes) {
        return frames(MemoryBalance.FRAMES_PERCENT_MAX, blockBytes);
    }

    /** The list of records that the log evicted lately. */
    public GhostList recordGhosts() {
        long windowBytes = MemoryBalance.windowBytes(shareBytes());
        return new GhostList((int) (windowBytes / arena.pageBytes()), windowBytes / RECORD_BYTES);
    }

    /** Most pages of compressed blocks. */
    public int compressedPagesMax() {
        return (int) ((long) memory.pagesPerStore() * MemoryBalance.COMPRESSED_PERCENT_MAX / 100);
    }

    /** So many percent of the memory for each, but together only so many. */
    public BlockLimits blockLimits(int framesPercent, int compressedPercent, int percentMax, int blockBytes) {
        int percent = Math.max(1, framesPercent + compressedPercent);
        double fit = percent <= percentMax ? 1 : (double) percentMax / percent;
        return new BlockLimits(Math.max(1, (int) (frames(framesPercent, blockBytes) * fit)), (int)
                ((long) memory.pagesPerStore() * compressedPercent / 100 * fit));
    }

    /** How many percent of the memory the caches of blocks may hold together, so that the log has its least. */
    public int blocksPercentMax(int framePages, DiskSpeed disk) {
        refresh();
        int share = knownShare;
        int logPercent = disk.isSlow() ? LOG_PERCENT_MIN_SLOW : LOG_PERCENT_MIN;
        long other = (long) share * (JOBS_PERCENT + GROWTH_PERCENT + logPercent) / 100;
        return (int) (Math.max(0, share - other - metadataPages - framePages) * 100 / Math.max(1, share));
    }

    /** Most bytes of compressed blocks, where pages of indexes and filters take so many pages. */
    public long compressedBytesMax(int framePages, DiskSpeed disk) {
        int percent = Math.min(MemoryBalance.COMPRESSED_PERCENT_MAX, blocksPercentMax(framePages, disk));
        return shareBytes() * percent / 100;
    }

    /** Bytes that are written at once, of what is wished; a job with some inputs has some. */
    public int writeBytes(int wished) {
        return (int) Math.min(wished, shareBytes() / WRITES_IN_SHARE);
    }

    /** Bytes that are read at once of each of so many inputs of a job: larger reads are fewer, but all have to fit. */
    public int readBytes(int wished, int inputs) {
        long most = shareBytes() * JOBS_PERCENT / 100 / Math.max(1, inputs);
        return (int) Math.max(Math.min(writeBytes(wished), most), Math.min(wished, most / 2));
    }

    /** Most frames of pages of indexes and filters. */
    public int pageFrames(int pageBytes) {
        return frames(PAGES_PERCENT, pageBytes);
    }

    /** Bytes that pages of indexes and filters may take. */
    public long pagesBytes() {
        return shareBytes() * PAGES_PERCENT / 100;
    }

    private int frames(int percent, int frameBytes) {
        long bytes = shareBytes() * percent / 100;
        return (int) Math.max(1, Math.min(1 << 28, bytes / frameBytes));
    }

    /** Pages that caches must leave for what jobs of all stores need for a while. */
    public int scratchPages() {
        return (int) ((long) arena.pages() * JOBS_PERCENT / 100);
    }

    public long shareBytes() {
        return (long) memory.pagesPerStore() * arena.pageBytes();
    }

    /** Pages that the log may hold now, where caches hold so many. Hot path. */
    public int logPages(int cachePages) {
        refresh();
        return Math.max(HybridLog.pagesMin(), pagesWithoutCaches - cachePages);
    }

    private void refresh() {
        int share = memory.pagesPerStore();
        long metadataBytes = arena.usedBytes(Arena.Use.METADATA);
        if (share != knownShare || metadataBytes != knownMetadataBytes) {
            compute(share, metadataBytes);
            knownShare = share;
            knownMetadataBytes = metadataBytes;
        }
    }

    private void compute(int share, long metadataBytes) {
        // The store's part of the pages that the tops of indexes take.
        metadataPages = (int) (metadataBytes / arena.pageBytes() * share / arena.pages());
        long fixed = (long) share * (JOBS_PERCENT + GROWTH_PERCENT) / 100;
        pagesWithoutCaches = (int) (share - fixed - metadataPages);
    }
}
