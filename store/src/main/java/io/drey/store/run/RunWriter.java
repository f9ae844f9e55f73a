package io.drey.store.run;

import io.drey.files.WritableFile;
import io.drey.foundation.Checksum;
import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockBuilder;
import io.drey.store.block.BlockCompressor;
import io.drey.store.block.BlockLayout;
import io.drey.store.block.Compression;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.entry.EntryView;
import io.drey.store.file.FileHeader;
import io.drey.store.file.FileId;
import io.drey.store.file.FileOutput;
import io.drey.store.filter.FilterBuilder;
import io.drey.store.filter.FilterLayout;
import io.drey.store.value.CompressedValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a run, see {@link RunLayout}, from entries in the order of {@link EntryKey}, each key once. One thread. Ends
 * with {@link #finish}, or with {@link #abort}, also after any method threw. Besides its buffers it holds the
 * pages of the run's index.
 */
public final class RunWriter {
    /**
     * The index is in memory until the run ends, which may be as large as a single row is: each time that it has grown
     * by this part of what may be borrowed, blocks become twice as large, so that it fits.
     */
    private static final int INDEX_FRACTION = 8;

    /** Larger ones would be read for too little. */
    private static final int BLOCK_BYTES_MAX = 64 << 10;

    private final WritableFile file;
    private final FileId id;
    private final long seed;
    private final FileOutput output;
    private final BlockCompressor.Sink sink;
    private final BlockBuilder block;
    private final BlockCompressor compressor;
    private final FilterBuilder filter;
    private final IndexBuilder index;
    private final Scratch lastKey;
    private final Scratch ends;
    private final Checksum checksum = new Checksum();

    /** So many bytes of the index from one doubling of blocks to the next. */
    private final long indexStepBytes;

    private long nextIndexStep;

    /** Of a block from now on, before compression. */
    private int blockBytes;

    private final EntryView view = new EntryView();
    private final List<TableCount> tables = new ArrayList<>();
    private final LogShares logs = new LogShares();
    private boolean headerWritten;
    private boolean open = true;
    private long entries;
    private long rawBytes;
    private long blockPrefix;

    /** Of the compressed values in the block: what they take, and what they save. */
    private long compressedBytes;

    private long compressedSaved;
    private long tableEntries;
    private long tableTombstones;
    private final AccessSummary tableAccesses = new AccessSummary();
    private int keyGroupMin = Integer.MAX_VALUE;
    private int keyGroupMax = -1;
    private long firstPrefix;
    private boolean tombstoneInRow;
    private int lastTable;
    private int lastKeyGroup;
    private long lastHash;
    private int lastBodyLength;
    private int lastRowLength;

    /** Takes over the file; the id seeds its checksums. Writes nothing before the first entry. */
    public RunWriter(WritableFile file, FileId id, RunOptions options, RunMemory memory) {
        this.file = file;
        this.id = id;
        this.seed = id.seed();
        this.blockBytes = options.blockBytes();
        this.indexStepBytes = memory.overdraft().bytesMax() / INDEX_FRACTION;
        this.nextIndexStep = indexStepBytes;
        this.output = new FileOutput(file, options.bufferBytes(), memory.arena(), memory.overdraft());
        this.sink = output::write;
        this.block = new BlockBuilder(memory.arena(), memory.overdraft());
        this.compressor = new BlockCompressor(memory.arena(), memory.overdraft(), options.compression());
        this.filter = options.hasFilter()
                ? new FilterBuilder(memory.arena(), memory.overdraft(), options.pageBytes(), options.filterBitsTenths())
                : null;
        this.index = new IndexBuilder(seed, options.pageBytes(), memory);
        this.lastKey = new Scratch(memory.arena(), memory.overdraft());
        this.ends = new Scratch(memory.arena(), memory.overdraft());
    }

    /**
     * Adds the entry that the cursor stands on; it must come after the one added before. In a row whose tombstone is in
     * the same run nothing is below, so that what was appended there must be a VALUE: lookups rely on it.
     */
    public void add(EntryCursor cursor) throws IOException {
        EntryView current = view.read(cursor);
        writeHeader();
        int shared = sharedWithLast(current);
        assert entries == 0 || isAfterLast(current, shared) : "expected entries in order, each key once";
        if (!block.isEmpty() && (current.table() != lastTable || isFullWith(current, shared))) {
            writeBlock();
        }
        boolean sameRow = isInLastRow(current, shared);
        assert !sameRow || !tombstoneInRow || current.kind() != EntryKind.APPEND : "expected a value";
        tombstoneInRow = (sameRow && tombstoneInRow) || current.kind() == EntryKind.ROW_TOMBSTONE;
        addHashes(current, sameRow);
        count(current);
        if (current.kind() == EntryKind.POINTER) {
            logs.add(current.valueAddress());
        }
        if (!block.isEmpty()) {
            block.add(current, shared);
        } else {
            beginBlock(current, shared);
        }
        if (current.kind() == EntryKind.COMPRESSED) {
            compressedBytes += current.valueLength();
            compressedSaved += savedBytes(current);
        }
        remember(current, shared);
    }

    /**
     * Compressed values count with what they are decompressed: so blocks are of one size, as they are stored, with and
     * without.
     */
    private boolean isFullWith(EntryView entry, int shared) {
        long saved = compressedSaved + (entry.kind() == EntryKind.COMPRESSED ? savedBytes(entry) : 0);
        return block.bytesWith(entry, shared) + saved > blockBytes;
    }

    private static int savedBytes(EntryView compressedEntry) {
        return CompressedValue.rawLength(compressedEntry.valueAddress()) - compressedEntry.valueLength();
    }

    /** Compresses like that from now on. */
    public void compress(Compression next) {
        compressor.compress(next);
    }

    /** Bytes that the file would have at least if it ended here. */
    public long bytes() {
        return output.position() + block.length() + index.bytes();
    }

    public long entries() {
        return entries;
    }

    /** Writes to the file so far; also after {@link #finish}. */
    public long writes() {
        return output.writes();
    }

    /** Writes the rest, closes the file without syncing it and gives back all memory. */
    public RunInfo finish() throws IOException {
        writeHeader();
        if (!block.isEmpty()) {
            writeBlock();
        }
        if (filter != null && filter.hasFinished()) {
            writeFilterPage();
        }
        finishTable();
        long indexOffset = output.position();
        index.writePages(output);
        long topOffset = output.position();
        int topChecksum = index.writeTop(output, indexOffset);
        RunFooter footer = new RunFooter(
                entries,
                rawBytes,
                firstPrefix,
                entries == 0 ? 0 : EntryKey.prefix(lastTable, lastKeyGroup, lastHash),
                entries == 0 ? 0 : keyGroupMin,
                keyGroupMax,
                indexOffset,
                topOffset,
                index.blocks(),
                index.indexPages(),
                index.filterPages(),
                topChecksum,
                tables,
                logs.shares());
        writeFooter(footer);
        output.flush();
        RunInfo info = footer.info(file.name(), id, output.position());
        open = false;
        release();
        file.close();
        return info;
    }

    /**
     * Closes the file and gives back all memory; deleting the file is the caller's. Does nothing after {@link #finish}.
     */
    public void abort() {
        if (open) {
            open = false;
            release();
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void release() {
        output.close();
        block.close();
        compressor.close();
        if (filter != null) {
            filter.close();
        }
        index.close();
        lastKey.close();
        ends.close();
    }

    private void writeHeader() throws IOException {
        if (headerWritten) {
            return;
        }
        headerWritten = true;
        long at = ends.reserve(FileHeader.BYTES);
        RunLayout.HEADER.encode(at, id, checksum);
        output.write(at, FileHeader.BYTES);
    }

    private void writeFooter(RunFooter footer) throws IOException {
        int length = footer.bytes();
        long at = ends.reserve(length + RunLayout.TRAILER_BYTES);
        footer.encode(at);
        long trailer = at + length;
        Memory.putInt(trailer, length);
        long size = output.position() + length + RunLayout.TRAILER_BYTES;
        int sum = checksum.of(at, length + RunLayout.TRAILER_CRC_OFFSET, BlockLayout.seed(seed, size));
        Memory.putInt(trailer + RunLayout.TRAILER_CRC_OFFSET, sum);
        Memory.putInt(trailer + RunLayout.TRAILER_MAGIC_OFFSET, FileHeader.MAGIC);
        output.write(at, length + RunLayout.TRAILER_BYTES);
    }

    /** Begins a block with the entry, and also ends it if the entry is huge: then its value is not copied. */
    private void beginBlock(EntryView entry, int shared) throws IOException {
        blockPrefix = entry.prefix();
        if (entries > 1 && blockPrefix == EntryKey.prefix(lastTable, lastKeyGroup, lastHash)) {
            int common = shared - BlockLayout.TABLE_KEY_GROUP_BYTES;
            index.addSeparator(entry, entry.rowHash() == lastHash ? common + 1 : 0);
        }
        if (block.bytesWith(entry, 0) <= Math.max(blockBytes, BlockCompressor.COMPRESSED_RAW_BYTES_MAX)) {
            block.add(entry, 0);
            return;
        }
        long offset = beginStoredBlock();
        block.addWithoutValue(entry);
        rawBytes +=
                compressor.compressLarge(block, entry, BlockLayout.seed(seed, offset), sink) - BlockLayout.HEADER_BYTES;
        block.clear();
    }

    private void writeBlock() throws IOException {
        long offset = beginStoredBlock();
        block.finish();
        rawBytes += block.length();
        if (compressedBytes > block.length() / 2) {
            compressor.storeCompressedValues(block, BlockLayout.seed(seed, offset), sink);
        } else {
            compressor.compress(block, BlockLayout.seed(seed, offset), sink);
        }
        block.clear();
        compressedBytes = 0;
        compressedSaved = 0;
        if (index.bytes() > nextIndexStep && blockBytes < BLOCK_BYTES_MAX) {
            blockBytes *= 2;
            nextIndexStep += indexStepBytes;
        }
    }

    /** All hashes of a block are known: it may have to wait for the filter page of those before it. */
    private long beginStoredBlock() throws IOException {
        if (filter != null) {
            if (filter.isOver()) {
                writeFilterPage();
            }
            filter.finishBlock();
        }
        long offset = output.position();
        index.addBlock(blockPrefix, offset);
        return offset;
    }

    private void writeFilterPage() throws IOException {
        long offset = output.position();
        filter.build(BlockLayout.seed(seed, offset));
        output.write(filter.address(), filter.length());
        index.addFilterPage(offset, filter.length());
    }

    private boolean isInLastRow(EntryView entry, int shared) {
        return entries > 0
                && entry.rowLength() == lastRowLength
                && shared >= BlockLayout.TABLE_KEY_GROUP_BYTES + lastRowLength;
    }

    private void addHashes(EntryView entry, boolean sameRow) {
        if (filter == null) {
            return;
        }
        int table = entry.table();
        long rowHash = entry.rowHash();
        int rowLength = entry.rowLength();
        if (!sameRow) {
            filter.add(FilterLayout.hash(rowHash, table));
        }
        if (entry.kind() == EntryKind.ROW_TOMBSTONE) {
            filter.add(FilterLayout.tombstoneHash(rowHash, table));
        }
        long marker = entry.bodyAddress() + rowLength;
        if (Memory.getByte(marker) == EntryKey.MAP_ENTRY) {
            int mapKeyLength = entry.bodyLength() - rowLength - 1;
            filter.add(FilterLayout.hash(EntryKey.mapEntryHash(rowHash, marker + 1, mapKeyLength), table));
        }
    }

    private void count(EntryView entry) {
        if (entries == 0) {
            firstPrefix = entry.prefix();
        } else if (entry.table() != lastTable) {
            finishTable();
        }
        entries++;
        tableEntries++;
        if (entry.kind() == EntryKind.ROW_TOMBSTONE) {
            tableTombstones++;
        }
        if (EntryKind.isWhole(entry.kind()) || entry.kind() == EntryKind.APPEND) {
            tableAccesses.add(entry.lastAccess());
        }
        keyGroupMin = Math.min(keyGroupMin, entry.keyGroup());
        keyGroupMax = Math.max(keyGroupMax, entry.keyGroup());
    }

    private void finishTable() {
        if (tableEntries > 0) {
            tables.add(new TableCount(
                    lastTable,
                    tableEntries,
                    tableTombstones,
                    tableAccesses.untimed(),
                    tableAccesses.median(),
                    tableAccesses.latest()));
            tableEntries = 0;
            tableTombstones = 0;
            tableAccesses.clear();
        }
    }

    /** How many bytes the keys of the last entry and this one have in common at their beginning. */
    private int sharedWithLast(EntryView entry) {
        if (entries == 0 || entry.table() != lastTable) {
            return 0;
        }
        if (entry.keyGroup() != lastKeyGroup) {
            return entry.keyGroup() >>> 8 == lastKeyGroup >>> 8 ? 3 : 2;
        }
        int length = Math.min(entry.bodyLength(), lastBodyLength);
        return BlockLayout.TABLE_KEY_GROUP_BYTES + Memory.mismatch(lastKey.address(), entry.bodyAddress(), length);
    }

    private boolean isAfterLast(EntryView entry, int shared) {
        if (entry.table() != lastTable || entry.keyGroup() != lastKeyGroup) {
            return Long.compareUnsigned(
                            EntryKey.prefix(entry.table(), entry.keyGroup(), 0),
                            EntryKey.prefix(lastTable, lastKeyGroup, 0))
                    > 0;
        }
        if (entry.rowHash() != lastHash) {
            return Long.compareUnsigned(entry.rowHash(), lastHash) > 0;
        }
        int common = shared - BlockLayout.TABLE_KEY_GROUP_BYTES;
        return Memory.compare(
                        entry.bodyAddress() + common,
                        entry.bodyLength() - common,
                        lastKey.address() + common,
                        lastBodyLength - common)
                > 0;
    }

    private void remember(EntryView entry, int shared) {
        int keep = Math.max(0, shared - BlockLayout.TABLE_KEY_GROUP_BYTES);
        lastBodyLength = entry.bodyLength();
        long to = lastKey.grow(lastBodyLength, keep);
        Memory.copy(entry.bodyAddress() + keep, to + keep, lastBodyLength - keep);
        lastTable = entry.table();
        lastKeyGroup = entry.keyGroup();
        lastHash = entry.rowHash();
        lastRowLength = entry.rowLength();
    }
}
