package io.drey.store.run;

import io.drey.foundation.Bytes;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockDecompressor;
import io.drey.store.block.BlockSearch;
import io.drey.store.block.SmallBuffers;
import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.file.FileReads;
import io.drey.store.filter.FilterLayout;
import io.drey.store.tuning.DiskSpeed;
import io.drey.store.value.ValueReader;
import java.util.ArrayList;
import java.util.List;

/**
 * The tools with which one thread reads runs, again and again: buffers, checksum, caches, pooled cursors, counters. Hot
 * path; allocates only until it is warm.
 */
public final class ReadSession implements AutoCloseable {
    /** What one expensive read brings at most, and as a part of all memory; a disk counts that as one I/O. */
    private static final int AROUND_BYTES_MAX = 64 << 10;

    private static final int AROUND_FRACTION = 256;

    private final RunMemory memory;
    private final FrameCache blocks;
    private final CompressedBlockCache compressed;
    private final PageReader pages;
    private final int readAheadBytes;
    private final int aroundBytes;
    private final DiskSpeed disk;
    private final FileReads files;
    private final ValueReader values;

    /** Whether pointers are followed; a job that only moves entries moves pointers. */
    private final boolean follows;

    /**
     * Whether compressed values are decompressed; a job that only moves entries moves them as they are, but for a
     * major compaction with Zstandard.
     */
    private boolean decompresses;

    private final BlockDecompressor decompressor = new BlockDecompressor();
    private final BlockSearch search = new BlockSearch();
    private final Bytes rowBody = new Bytes();
    private final SmallBuffers keys;
    private final Scratch stored;
    private final Scratch raw;
    private final Scratch indexPage;

    /** Where the key sought last is: the page of the index, and the block in it. */
    private final IndexPage index = new IndexPage();

    private int block;
    private final List<RunCursor> idleCursors = new ArrayList<>();
    private int blockLength;
    private long valueAddress;
    private int valueLength;
    private long filterNegatives;
    private long filterErrors;
    private long emptySearches;
    private long decompressed;
    private boolean isFetchedFromDisk;
    private long readsOfFrames;
    private long readsWithoutZstd;

    private ReadSession(RunMemory memory, Caches caches, int readAheadBytes, boolean follows) {
        this.memory = memory;
        this.blocks = caches.blocks();
        this.compressed = caches.compressed();
        this.disk = new DiskSpeed(caches.thresholds());
        this.files = new FileReads(caches.thresholds().clock());
        this.pages = new PageReader(caches.pages(), files, disk, memory);
        this.readAheadBytes = readAheadBytes;
        this.aroundBytes = (int) Math.min(AROUND_BYTES_MAX, memory.arena().bytes() / AROUND_FRACTION);
        this.follows = follows;
        this.decompresses = follows;
        this.values = new ValueReader(files, memory.arena(), memory.overdraft());
        this.keys = new SmallBuffers(memory.arena(), memory.overdraft());
        this.stored = new Scratch(memory.arena(), memory.overdraft());
        this.raw = new Scratch(memory.arena(), memory.overdraft());
        this.indexPage = new Scratch(memory.arena(), memory.overdraft());
    }

    /**
     * A session of the owner: blocks and filter pages are read through the caches, which stay the caller's. A cursor
     * that goes on for more than a few blocks reads so many bytes ahead, past the caches.
     */
    public static ReadSession owner(RunMemory memory, Caches caches, int readAheadBytes) {
        return new ReadSession(memory, caches, readAheadBytes, true);
    }

    /**
     * A session of a background job: no caches, no filters, sequential reads of {@code readAheadBytes}. Values in value
     * logs stay there: their entries are of kind POINTER. Compressed ones stay compressed, unless {@link
     * #decompressValues} says otherwise.
     */
    public static ReadSession background(RunMemory memory, int readAheadBytes) {
        return new ReadSession(memory, Caches.NONE, readAheadBytes, false);
    }

    /**
     * The same for who wants values: there are no kinds POINTER and COMPRESSED, and a value is read from its log, or
     * decompressed, when asked for.
     */
    public static ReadSession scan(RunMemory memory, int readAheadBytes) {
        return new ReadSession(memory, Caches.NONE, readAheadBytes, true);
    }

    /** Address of the value found last; valid until the session is used again. */
    public long valueAddress() {
        return valueAddress;
    }

    public int valueLength() {
        return valueLength;
    }

    /** Reads of files so far. */
    public long reads() {
        return files.count();
    }

    /** How long all reads took. */
    public long readNanos() {
        return files.nanos();
    }

    /** What it found out about the disk. */
    public DiskSpeed disk() {
        return disk;
    }

    /** Blocks decompressed for lookups so far. */
    public long decompressed() {
        return decompressed;
    }

    /** Of the misses that a somewhat larger cache of frames would not have had, those that were read from disk. */
    public long readsOfFrames() {
        return readsOfFrames;
    }

    /** Blocks so far that were read from disk while the disk was slow, and that were not compressed with Zstandard. */
    public long readsWithoutZstd() {
        return readsWithoutZstd;
    }

    public long bytesRead() {
        return files.bytes();
    }

    /** Reads of filter pages so far; they are among {@link #reads()}. */
    public long filterReads() {
        return pages.filterReads();
    }

    /** How often a page of a filter was in memory when it was asked. */
    public long filterHits() {
        return pages.filterHits();
    }

    /** Reads of pages of indexes so far; they are among {@link #reads()}. */
    public long indexReads() {
        return pages.indexReads();
    }

    /** How often a page of an index was in memory when it was asked. */
    public long indexHits() {
        return pages.indexHits();
    }

    /** How often a filter ended a search. */
    public long filterNegatives() {
        return filterNegatives;
    }

    /** How often a block was searched for an entry that was not there, with a filter before it or without. */
    public long emptySearches() {
        return emptySearches;
    }

    /** How often a filter let a search for an absent entry pass. */
    public long filterErrors() {
        return filterErrors;
    }

    /** See {@link RunView#find}; the ordinal is that of the key's table in the run. */
    byte find(Run run, int ordinal, EntryKey key) {
        int table = key.table();
        byte kind = find(run, ordinal, key, key.body(), key.bodyLength(), FilterLayout.hash(key.entryHash(), table));
        if (kind != 0 || !key.isMapEntry() || !run.hasRowTombstones(ordinal)) {
            return kind;
        }
        int length = setRowBody(key);
        kind = find(run, ordinal, key, rowBody.array(), length, FilterLayout.tombstoneHash(key.rowHash(), table));
        return kind == EntryKind.ROW_TOMBSTONE ? kind : 0;
    }

    /**
     * Finds a body of the key's row. Where it is likely absent the filter is asked first, and then there is nothing
     * else to do; where it is likely there, only if its block is not in memory.
     */
    private byte find(Run run, int ordinal, EntryKey key, byte[] body, int bodyLength, long filterHash) {
        boolean hasFilter = hasFilter(run);
        boolean likely = !hasFilter || !run.isFilterWorthReading(ordinal);
        if (!likely && !pages.passes(run, filterPage(run, key, body, bodyLength), filterHash)) {
            run.sought(ordinal, false);
            filterNegatives++;
            return 0;
        }
        if (!locate(run, key, body, bodyLength)) {
            return 0;
        }
        long offset = index.offset(block);
        int frame = cached(run, offset);
        boolean asks = false;
        if (likely && hasFilter && frame == FrameCache.NONE) {
            int sure = run.filterPages().of(key.prefix());
            int page = sure == FilterPages.UNSURE ? run.filterPages().ofBlock(offset) : sure;
            asks = isAtHand(run, ordinal, page);
            if (asks && !pages.passes(run, page, filterHash)) {
                run.sought(ordinal, false);
                filterNegatives++;
                return 0;
            }
            if (asks) {
                // The page of the index may have left its frame to that of the filter.
                pages.open(run, index.number(), index, indexPage);
            }
        }
        search.target(key.table(), key.keyGroup(), key.rowHash(), body, bodyLength);
        long address = frame == FrameCache.NONE ? read(run) : block(frame);
        byte kind = search.find(address, blockLength);
        if (pages.isCached()) {
            run.sought(ordinal, kind != 0);
        }
        if (bringsValue(kind)) {
            bringValue(run, offset, kind, key.table(), search.valueAddress(), search.valueLength());
            valueAddress = values.address();
            valueLength = values.length();
            return EntryKind.VALUE;
        }
        if (kind != 0) {
            valueAddress = search.valueAddress();
            valueLength = search.valueLength();
        } else {
            emptySearches++;
            filterErrors += !likely || asks ? 1 : 0;
        }
        return kind;
    }

    /** A filter said in a probe that a key is not in a run. */
    public void foundAbsent(Run run, int table) {
        run.sought(run.ordinal(table), false);
        filterNegatives++;
    }

    private boolean hasFilter(Run run) {
        return pages.isCached() && !run.filterPages().isEmpty();
    }

    /** Sets page and block to the one block that can hold a body of the key's row; false if it is before the first. */
    private boolean locate(Run run, EntryKey key, byte[] body, int bodyLength) {
        block = pages.locate(run, index, indexPage, key.prefix(), key.rowHash(), body, bodyLength);
        return block >= 0;
    }

    /** Bytes of the one block that can hold an entry, as it is stored; reads at most a page of the index. */
    long blockBytes(Run run, EntryKey key) {
        return locate(run, key, key.body(), key.bodyLength()) ? index.end(block) - index.offset(block) : 0;
    }

    /** Whether an entry of a kind has something else for a value, and the session's users want the value. */
    boolean bringsValue(byte kind) {
        return (kind == EntryKind.POINTER && follows) || (kind == EntryKind.COMPRESSED && decompresses);
    }

    /** Brings the value of an entry of such a kind, which stands in a block of a run: {@link #values()} has it then. */
    void bringValue(Run run, long blockOffset, byte kind, int table, long address, int length) {
        if (kind == EntryKind.POINTER) {
            values.read(table, run.log(address), address);
        } else {
            values.decompress(address, length, run.info().name(), blockOffset);
        }
    }

    /** Whether compressed values are decompressed from now on. */
    public void decompressValues(boolean newDecompresses) {
        decompresses = newDecompresses;
    }

    /** Whether the run may have entries in the row of a key; if not, it certainly has none. */
    boolean mayHoldRow(Run run, EntryKey key) {
        if (!hasFilter(run)) {
            return true;
        }
        long hash = FilterLayout.hash(key.rowHash(), key.table());
        int page = run.filterPages().of(key.prefix());
        if (page != FilterPages.UNSURE) {
            return mayPass(run, page, key.table(), hash);
        }
        int length = setRowBody(key);
        boolean isLocated = locate(run, key, rowBody.array(), length);
        // The row's entries may all be in the block that follows, and its filter page is another one then.
        return mayBeginNext(run, isLocated, key.prefix())
                || (isLocated && mayPass(run, run.filterPages().ofBlock(index.offset(block)), key.table(), hash));
    }

    /** Whether the block behind the one located, or the first, begins with a prefix. */
    private boolean mayBeginNext(Run run, boolean isLocated, long prefix) {
        RunIndex top = run.index();
        if (!isLocated) {
            return top.prefix(0) == prefix;
        }
        if (block + 1 < index.blocks()) {
            return index.prefix(block + 1) == prefix;
        }
        return index.number() + 1 < top.pages() && top.prefix(index.number() + 1) == prefix;
    }

    /** Whether the run may have a tombstone of the row of a key. */
    boolean mayHoldRowTombstone(Run run, EntryKey key) {
        int ordinal = run.ordinal(key.table());
        if (ordinal < 0 || !run.hasRowTombstones(ordinal)) {
            return false;
        }
        if (!hasFilter(run)) {
            return true;
        }
        int length = setRowBody(key);
        int page = filterPage(run, key, rowBody.array(), length);
        return mayPass(run, page, key.table(), FilterLayout.tombstoneHash(key.rowHash(), key.table()));
    }

    /** Whether the run may hold an entry of a key; if not, it certainly does not. */
    boolean mayHold(Run run, EntryKey key) {
        if (!hasFilter(run)) {
            return true;
        }
        int page = filterPage(run, key, key.body(), key.bodyLength());
        return mayPass(run, page, key.table(), FilterLayout.hash(key.entryHash(), key.table()));
    }

    private int setRowBody(EntryKey key) {
        rowBody.clear();
        rowBody.append(key.body(), 0, key.rowLength());
        rowBody.append(EntryKey.ROW);
        return rowBody.length();
    }

    /** The page of the filter that covers a body of the key's row, or -1 if it is before the first block. */
    private int filterPage(Run run, EntryKey key, byte[] body, int bodyLength) {
        int page = run.filterPages().of(key.prefix());
        if (page != FilterPages.UNSURE) {
            return page;
        }
        return locate(run, key, body, bodyLength) ? run.filterPages().ofBlock(index.offset(block)) : -1;
    }

    private boolean mayPass(Run run, int page, int table, long hash) {
        if (page < 0) {
            return false;
        }
        int ordinal = run.ordinal(table);
        boolean asks = run.isFilterWorthReading(ordinal) || isAtHand(run, ordinal, page);
        return !asks || pages.passes(run, page, hash);
    }

    private boolean isAtHand(Run run, int ordinal, int page) {
        return pages.isFilterAtHand(run, page, run.isFilterOfUse(ordinal));
    }

    /** Gives back what a large value needed: {@link #valueAddress} is not valid any more. */
    public void trim() {
        stored.trim();
        raw.trim();
        values.trim();
    }

    /** Points a page at one of a run's index, in the buffer unless it is in the cache. */
    public void openIndexPage(Run run, int number, IndexPage page, Scratch buffer) {
        pages.open(run, number, page, buffer);
    }

    public void readFilterPage(Run run, int page, long address) {
        pages.readFilterPage(run, page, address);
    }

    /** The raw bytes of the block located, which is not in the cache, as {@link #block}. */
    private long read(Run run) {
        long offset = index.offset(block);
        fetch(run, index, block);
        int frame = place(run, offset);
        if (frame != FrameCache.NONE) {
            return block(frame);
        }
        blockLength = decompressor.rawLength();
        if (decompressor.isRaw()) {
            return decompressor.payload();
        }
        long address = raw.reserveAnew(blockLength);
        decompressor.decompress(address);
        return address;
    }

    /** The raw bytes of a block, and in {@link #blockLength} how many; valid until the session is used again. */
    private long block(int frame) {
        blockLength = blocks.length(frame);
        return blocks.address(frame);
    }

    /** The frame of the block at an offset that is in the cache, or {@link FrameCache#NONE}. */
    int cached(Run run, long offset) {
        return blocks == null ? FrameCache.NONE : blocks.find(run.number(), offset);
    }

    /**
     * Brings a block that is in no frame: from where it is in memory as it is stored, else from disk, checked, and then
     * it is kept there. It is in the {@link #decompressor()} then.
     */
    public void fetch(Run run, IndexPage page, int number) {
        decompressed++;
        boolean wasCompressed = decompressor.isCompressed();
        long offset = page.offset(number);
        long kept = compressed == null ? CompressedBlockCache.NONE : compressed.find(run.number(), offset);
        isFetchedFromDisk = kept == CompressedBlockCache.NONE;
        if (kept != CompressedBlockCache.NONE) {
            decompressor.at(run.info().name(), offset).open(kept, run.seed());
            return;
        }
        boolean isSlow = disk.isSlow();
        if (compressed != null && wasCompressed && isSlow && compressed.hasRoom()) {
            readAround(run, page, number);
        } else {
            long address = readStored(run, offset, page.end(number));
            check(run, page, number, address);
            keepCompressed(run, offset, address);
        }
        if (isSlow && decompressor.isWithoutZstd()) {
            readsWithoutZstd++;
        }
    }

    /**
     * Where the disk is slow and memory is left, the blocks around the one that is wanted come with it, to be kept as
     * they are stored; not if the block before was not compressed. Places in the file are divided into windows, so that
     * each is read once.
     */
    private void readAround(Run run, IndexPage page, int number) {
        long offset = page.offset(number);
        long windowFrom = offset - offset % Math.max(1, aroundBytes);
        long windowTo = windowFrom + aroundBytes;
        int first = number;
        while (first > 0 && page.offset(first - 1) >= windowFrom) {
            first--;
        }
        int last = number;
        // Behind the window may be the rest of a block, but not of one that is large: it would be read for nothing.
        while (last + 1 < page.blocks()
                && page.offset(last + 1) < windowTo
                && page.end(last + 1) - windowTo <= aroundBytes) {
            last++;
        }
        long from = page.offset(first);
        long address = readStored(run, from, page.end(last));
        for (int i = first; i <= last; i++) {
            long other = page.offset(i);
            if (i != number && !compressed.contains(run.number(), other)) {
                check(run, page, i, address + (other - from));
                keepCompressed(run, other, address + (other - from));
            }
        }
        check(run, page, number, address + (offset - from));
        keepCompressed(run, offset, address + (offset - from));
    }

    private long readStored(Run run, long from, long to) {
        int length = (int) (to - from);
        long address = stored.reserveAnew(length);
        long before = files.nanos();
        files.read(run.file(), from, address, length);
        disk.read(files.nanos() - before);
        return address;
    }

    private void check(Run run, IndexPage page, int number, long address) {
        long offset = page.offset(number);
        decompressor.at(run.info().name(), offset).check(address, page.end(number) - offset, run.seed());
    }

    /** Keeps the block just checked as it is stored, if it is compressed. */
    private void keepCompressed(Run run, long offset, long address) {
        if (compressed != null && decompressor.isCompressed() && disk.isKeepingWorth()) {
            compressed.add(run.number(), offset, address, decompressor.storedLength());
        }
    }

    /** Puts the block just fetched into the cache, if there is one and it fits a frame: its frame. */
    int place(Run run, long offset) {
        int length = decompressor.rawLength();
        if (blocks == null || length > blocks.frameBytes()) {
            return FrameCache.NONE;
        }
        long missesOfSize = blocks.missesOfSize();
        int frame = blocks.add(run.number(), offset, length);
        if (isFetchedFromDisk) {
            readsOfFrames += blocks.missesOfSize() - missesOfSize;
        }
        if (frame != FrameCache.NONE) {
            boolean filled = false;
            try {
                decompressor.decompress(blocks.address(frame));
                filled = true;
            } finally {
                if (!filled) {
                    blocks.remove(frame);
                }
            }
        }
        return frame;
    }

    /** What follows pointers, and counts that. */
    public ValueReader values() {
        return values;
    }

    public RunMemory memory() {
        return memory;
    }

    FrameCache blocks() {
        return blocks;
    }

    /** What brings pages of indexes and filters. */
    PageReader pages() {
        return pages;
    }

    int readAheadBytes() {
        return readAheadBytes;
    }

    FileReads files() {
        return files;
    }

    public BlockDecompressor decompressor() {
        return decompressor;
    }

    public SmallBuffers keys() {
        return keys;
    }

    /** A cursor that is not in use. */
    RunCursor cursor() {
        int last = idleCursors.size() - 1;
        return last < 0 ? new RunCursor(this) : idleCursors.remove(last);
    }

    void recycle(RunCursor cursor) {
        idleCursors.add(cursor);
    }

    /** Gives back all memory; cursors must be closed before. */
    @Override
    public void close() {
        keys.close();
        values.close();
        stored.close();
        raw.close();
        pages.close();
        indexPage.close();
        idleCursors.clear();
    }
}
