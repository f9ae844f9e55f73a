package io.drey.store.run;

import io.drey.foundation.Bytes;
import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockDecompressor;
import io.drey.store.block.BlockLayout;
import io.drey.store.block.BlockSearch;
import io.drey.store.block.SmallBuffers;
import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.file.FileReads;
import io.drey.store.filter.FilterLayout;
import io.drey.store.filter.FilterProbe;
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

    /** Blocks over which the share of those in memory is averaged. */
    private static final int BLOCKS_AVERAGED = 512;

    private final RunMemory memory;
    private final FrameCache blocks;
    private final CompressedBlockCache compressed;
    private final FrameCache filters;
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
    private final Checksum checksum = new Checksum();
    private final Bytes rowBody = new Bytes();
    private final SmallBuffers keys;
    private final Scratch stored;
    private final Scratch raw;
    private final Scratch filterPage;
    private final List<RunCursor> idleCursors = new ArrayList<>();
    private int blockLength;
    private long valueAddress;
    private int valueLength;
    private long filterReads;
    private long filterNegatives;
    private long filterErrors;
    private double compressedShare;
    private long decompressed;
    private boolean isFetchedFromDisk;
    private long readsOfFrames;
    private long readsWithoutZstd;

    private ReadSession(RunMemory memory, Caches caches, int readAheadBytes, boolean follows) {
        this.memory = memory;
        this.blocks = caches.blocks();
        this.compressed = caches.compressed();
        this.filters = caches.filters();
        this.disk = new DiskSpeed(caches.thresholds());
        this.files = new FileReads(caches.thresholds().clock());
        this.readAheadBytes = readAheadBytes;
        this.aroundBytes = (int) Math.min(AROUND_BYTES_MAX, memory.arena().bytes() / AROUND_FRACTION);
        this.follows = follows;
        this.decompresses = follows;
        this.values = new ValueReader(files, memory.arena(), memory.overdraft());
        this.keys = new SmallBuffers(memory.arena(), memory.overdraft());
        this.stored = new Scratch(memory.arena(), memory.overdraft());
        this.raw = new Scratch(memory.arena(), memory.overdraft());
        this.filterPage = new Scratch(memory.arena(), memory.overdraft());
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

    /** Of the blocks that were in no frame lately, the share that was in memory as it is stored. */
    public double compressedShare() {
        return compressedShare;
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
        return filterReads;
    }

    /** How often a filter ended a search. */
    public long filterNegatives() {
        return filterNegatives;
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
        boolean likely = filters == null || !run.isFilterWorthReading(ordinal);
        if (!likely && !passesFilter(run, filterPage(run, key, body, bodyLength), filterHash)) {
            run.sought(ordinal, false);
            filterNegatives++;
            return 0;
        }
        int block = run.index().locate(key.prefix(), key.rowHash(), body, bodyLength);
        if (block < 0) {
            return 0;
        }
        int frame = cached(run, block);
        int page = run.index().filterPage(block);
        boolean asks = likely && filters != null && frame == FrameCache.NONE && isAtHand(run, ordinal, page);
        if (asks && !passesFilter(run, page, filterHash)) {
            run.sought(ordinal, false);
            filterNegatives++;
            return 0;
        }
        search.target(key.table(), key.keyGroup(), key.rowHash(), body, bodyLength);
        long address = frame == FrameCache.NONE ? read(run, block) : block(frame);
        byte kind = search.find(address, blockLength);
        if (filters != null) {
            run.sought(ordinal, kind != 0);
        }
        if (bringsValue(kind)) {
            bringValue(run, block, kind, key.table(), search.valueAddress(), search.valueLength());
            valueAddress = values.address();
            valueLength = values.length();
            return EntryKind.VALUE;
        }
        if (kind != 0) {
            valueAddress = search.valueAddress();
            valueLength = search.valueLength();
        } else if (!likely || asks) {
            filterErrors++;
        }
        return kind;
    }

    /** Whether an entry of a kind has something else for a value, and the session's users want the value. */
    boolean bringsValue(byte kind) {
        return (kind == EntryKind.POINTER && follows) || (kind == EntryKind.COMPRESSED && decompresses);
    }

    /** Brings the value of an entry of such a kind, which stands in a block of a run: {@link #values()} has it then. */
    void bringValue(Run run, int block, byte kind, int table, long address, int length) {
        if (kind == EntryKind.POINTER) {
            values.read(table, run.log(address), address);
        } else {
            values.decompress(address, length, run.info().name(), run.index().offset(block));
        }
    }

    /** Whether compressed values are decompressed from now on. */
    public void decompressValues(boolean newDecompresses) {
        decompresses = newDecompresses;
    }

    /** Whether the run may have entries in the row of a key; if not, it certainly has none. */
    boolean mayHoldRow(Run run, EntryKey key) {
        long hash = FilterLayout.hash(key.rowHash(), key.table());
        int page = run.filterPages().of(key.prefix());
        if (page != FilterPages.UNSURE) {
            return mayPass(run, page, key.table(), hash);
        }
        int length = setRowBody(key);
        RunIndex index = run.index();
        int block = index.locate(key.prefix(), key.rowHash(), rowBody.array(), length);
        // The row's entries may all be in the block that follows, and its filter page is another one then.
        boolean mayBeginNext = block + 1 < index.blocks() && index.prefix(block + 1) == key.prefix();
        return mayBeginNext || (block >= 0 && mayPass(run, index.filterPage(block), key.table(), hash));
    }

    /** Whether the run may have a tombstone of the row of a key. */
    boolean mayHoldRowTombstone(Run run, EntryKey key) {
        int ordinal = run.ordinal(key.table());
        if (ordinal < 0 || !run.hasRowTombstones(ordinal)) {
            return false;
        }
        int length = setRowBody(key);
        int page = filterPage(run, key, rowBody.array(), length);
        return mayPass(run, page, key.table(), FilterLayout.tombstoneHash(key.rowHash(), key.table()));
    }

    /** Adds a page of a run's filter if it is in memory, and certainly the one; false otherwise. */
    boolean probe(FilterPages pages, int page, FilterProbe probe) {
        int frame = page == FilterPages.UNSURE || filters == null ? FrameCache.NONE : pages.frames()[page];
        if (frame == FrameCache.NONE) {
            return false;
        }
        filters.touch(frame);
        probe.add(filters.address(frame), filters.length(frame));
        return true;
    }

    /** Whether the run may hold an entry of a key; if not, it certainly does not. */
    boolean mayHold(Run run, EntryKey key) {
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
    private static int filterPage(Run run, EntryKey key, byte[] body, int bodyLength) {
        int page = run.filterPages().of(key.prefix());
        if (page != FilterPages.UNSURE) {
            return page;
        }
        int block = run.index().locate(key.prefix(), key.rowHash(), body, bodyLength);
        return block < 0 ? -1 : run.index().filterPage(block);
    }

    private boolean mayPass(Run run, int page, int table, long hash) {
        if (page < 0) {
            return false;
        }
        int ordinal = run.ordinal(table);
        boolean asks = filters != null && (run.isFilterWorthReading(ordinal) || isAtHand(run, ordinal, page));
        return !asks || passesFilter(run, page, hash);
    }

    /** Whether a page of a filter is in memory, or is of some use and has room there. */
    private boolean isAtHand(Run run, int ordinal, int page) {
        return run.filterPages().frames()[page] != FrameCache.NONE || (run.isFilterOfUse(ordinal) && filters.hasRoom());
    }

    private boolean passesFilter(Run run, int page, long hash) {
        if (page < 0) {
            return false;
        }
        int frame = run.filterPages().frames()[page];
        if (frame != FrameCache.NONE) {
            filters.touch(frame);
            return FilterLayout.mayHold(filters.address(frame), filters.length(frame), hash);
        }
        int length = run.index().filterLength(page);
        return FilterLayout.mayHold(fetchFilterPage(run, page, length), length, hash);
    }

    /** Reads a page, into the cache if there is a frame for it; its address until the next. */
    private long fetchFilterPage(Run run, int page, int length) {
        long offset = run.index().filterOffset(page);
        int frame = length <= filters.frameBytes() ? filters.add(run.number(), offset, length) : FrameCache.NONE;
        long address = frame == FrameCache.NONE ? filterPage.reserve(length) : filters.address(frame);
        boolean read = false;
        try {
            readFilterPage(run, offset, address, length);
            read = true;
        } finally {
            if (!read && frame != FrameCache.NONE) {
                filters.remove(frame);
            }
        }
        if (frame != FrameCache.NONE) {
            filters.tell(frame, run.filterPages().frames(), page);
        }
        return address;
    }

    public void readFilterPage(Run run, long offset, long address, int length) {
        files.read(run.file(), offset, address, length);
        filterReads++;
        int sum = checksum.of(
                address + FilterLayout.HEADER_BYTES,
                length - FilterLayout.HEADER_BYTES,
                BlockLayout.seed(run.seed(), offset));
        if (sum != Memory.getInt(address)) {
            throw new CorruptFileException(
                    run.info().name(),
                    offset,
                    "a filter page with checksum " + Integer.toHexString(Memory.getInt(address)),
                    Integer.toHexString(sum));
        }
    }

    /** The raw bytes of a block that is not in the cache, as {@link #block}. */
    private long read(Run run, int block) {
        fetch(run, block);
        int frame = place(run, block);
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

    /** The frame of a block that is in the cache, or {@link FrameCache#NONE}. */
    int cached(Run run, int block) {
        return blocks == null
                ? FrameCache.NONE
                : blocks.find(run.number(), run.index().offset(block));
    }

    /**
     * Brings a block that is in no frame: from where it is in memory as it is stored, else from disk, checked, and then
     * it is kept there. It is in the {@link #decompressor()} then.
     */
    public void fetch(Run run, int block) {
        decompressed++;
        boolean wasCompressed = decompressor.isCompressed();
        long offset = run.index().offset(block);
        long kept = compressed == null ? CompressedBlockCache.NONE : compressed.find(run.number(), offset);
        isFetchedFromDisk = kept == CompressedBlockCache.NONE;
        compressedShare += ((isFetchedFromDisk ? 0 : 1) - compressedShare) / BLOCKS_AVERAGED;
        if (kept != CompressedBlockCache.NONE) {
            decompressor.at(run.info().name(), offset).open(kept, run.seed());
            return;
        }
        boolean isSlow = disk.isSlow();
        if (compressed != null && wasCompressed && isSlow && compressed.hasRoom()) {
            readAround(run, block);
        } else {
            long address = readStored(run, offset, run.index().end(block));
            check(run, block, address);
            keepCompressed(run, block, address);
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
    private void readAround(Run run, int block) {
        RunIndex index = run.index();
        long offset = index.offset(block);
        long windowFrom = offset - offset % Math.max(1, aroundBytes);
        long windowTo = windowFrom + aroundBytes;
        int first = block;
        while (first > 0 && index.offset(first - 1) >= windowFrom) {
            first--;
        }
        int last = block;
        while (last + 1 < index.blocks() && index.offset(last + 1) < windowTo) {
            last++;
        }
        long address = readStored(run, index.offset(first), index.end(last));
        for (int i = first; i <= last; i++) {
            if (i != block && !compressed.contains(run.number(), index.offset(i))) {
                check(run, i, address + (index.offset(i) - index.offset(first)));
                keepCompressed(run, i, address + (index.offset(i) - index.offset(first)));
            }
        }
        check(run, block, address + (offset - index.offset(first)));
        keepCompressed(run, block, address + (offset - index.offset(first)));
    }

    private long readStored(Run run, long from, long to) {
        int length = (int) (to - from);
        long address = stored.reserveAnew(length);
        long before = files.nanos();
        files.read(run.file(), from, address, length);
        disk.read(files.nanos() - before);
        return address;
    }

    private void check(Run run, int block, long address) {
        long offset = run.index().offset(block);
        decompressor.at(run.info().name(), offset).check(address, run.index().end(block) - offset, run.seed());
    }

    /** Keeps the block just checked as it is stored, if it is compressed. */
    private void keepCompressed(Run run, int block, long address) {
        if (compressed != null && decompressor.isCompressed() && disk.isKeepingWorth()) {
            compressed.add(run.number(), run.index().offset(block), address, decompressor.storedLength());
        }
    }

    /** Puts the block just fetched into the cache, if there is one and it fits a frame: its frame. */
    int place(Run run, int block) {
        int length = decompressor.rawLength();
        if (blocks == null || length > blocks.frameBytes()) {
            return FrameCache.NONE;
        }
        long missesOfSize = blocks.missesOfSize();
        int frame = blocks.add(run.number(), run.index().offset(block), length);
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
        filterPage.close();
        idleCursors.clear();
    }
}
