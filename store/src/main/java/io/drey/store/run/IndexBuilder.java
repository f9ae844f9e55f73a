package io.drey.store.run;

import io.drey.foundation.Arena;
import io.drey.foundation.Checksum;
import io.drey.foundation.DreyException;
import io.drey.foundation.Memory;
import io.drey.foundation.PageParts;
import io.drey.foundation.PagedBytes;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockLayout;
import io.drey.store.entry.EntryView;
import io.drey.store.file.FileOutput;
import java.io.IOException;

/** Collects pages of the index and the top while a run is written, see {@link RunLayout}. One thread. */
final class IndexBuilder implements AutoCloseable {
    private final long seed;
    private final int pageBytes;
    private final PagedBytes pages;
    private final PagedBytes indexTop;
    private final PagedBytes filterTop;

    /** Of the page that is being filled: its header and blocks, its separators, their bytes. */
    private final Scratch page;

    private final Scratch separators;
    private final Scratch separatorBytes;
    private final Checksum checksum = new Checksum();
    private int blocksInPage;
    private int separatorsInPage;
    private int separatorBytesInPage;
    private long dataOffset;
    private int blocks;

    /** The separator of the block to be added next: its hash, and bytes behind those of the page; -1 for none. */
    private int nextLength = -1;

    private int nextHash;

    /** Where the filter page to be added next begins, once a block was added for it. */
    private long filterPrefix;

    private boolean filterBegun;

    IndexBuilder(long seed, int pageBytes, RunMemory memory) {
        this.seed = seed;
        this.pageBytes = pageBytes;
        PageParts parts = new PageParts(memory.arena(), memory.overdraft(), Arena.Use.SCRATCH);
        pages = new PagedBytes(parts);
        indexTop = new PagedBytes(parts);
        filterTop = new PagedBytes(parts);
        page = new Scratch(memory.arena(), memory.overdraft());
        separators = new Scratch(memory.arena(), memory.overdraft());
        separatorBytes = new Scratch(memory.arena(), memory.overdraft());
    }

    int blocks() {
        return blocks;
    }

    /** Finished pages of the index. */
    int indexPages() {
        return (int) (indexTop.size() / RunLayout.INDEX_ENTRY_BYTES);
    }

    int filterPages() {
        return (int) (filterTop.size() / RunLayout.FILTER_ENTRY_BYTES);
    }

    long bytes() {
        return pages.size() + indexTop.size() + filterTop.size() + bytesInPage();
    }

    private long bytesInPage() {
        return IndexPage.HEADER_BYTES
                + (long) blocksInPage * IndexPage.BLOCK_BYTES
                + (long) separatorsInPage * IndexPage.SEPARATOR_BYTES
                + separatorBytesInPage;
    }

    /** Tells the block to be added next from the one before by a hash and a body, of which the first bytes suffice. */
    void addSeparator(EntryView first, int length) {
        nextHash = (int) first.rowHash();
        nextLength = length;
        long at = separatorBytes.grow(separatorBytesInPage + length, separatorBytesInPage);
        Memory.copy(first.bodyAddress(), at + separatorBytesInPage, length);
    }

    /** Adds a block at an offset, covered by the filter page that comes next. */
    void addBlock(long firstPrefix, long offset) {
        if (offset >= RunLayout.RUN_BYTES_MAX) {
            throw new DreyException("expected a run of less than " + RunLayout.RUN_BYTES_MAX + " bytes, found " + offset
                    + ": run the job with more parallelism");
        }
        long added = (long) IndexPage.BLOCK_BYTES + (nextLength < 0 ? 0 : IndexPage.SEPARATOR_BYTES + nextLength);
        if (blocksInPage > 0 && (bytesInPage() + added > pageBytes || offset - dataOffset > IndexPage.SPAN_MAX)) {
            finishPage();
        }
        if (blocksInPage == 0) {
            dataOffset = offset;
        }
        int at = IndexPage.HEADER_BYTES + blocksInPage * IndexPage.BLOCK_BYTES;
        long to = page.grow(at + IndexPage.BLOCK_BYTES, at) + at;
        Memory.putLong(to, firstPrefix);
        Memory.putInt(to + IndexPage.PLACE_OFFSET, (int) (offset - dataOffset));
        if (nextLength >= 0) {
            keepSeparator();
        }
        if (!filterBegun) {
            filterBegun = true;
            filterPrefix = firstPrefix;
        }
        blocksInPage++;
        blocks++;
    }

    private void keepSeparator() {
        int at = separatorsInPage * IndexPage.SEPARATOR_BYTES;
        long to = separators.grow(at + IndexPage.SEPARATOR_BYTES, at) + at;
        Memory.putInt(to, blocksInPage);
        Memory.putInt(to + 4, nextHash);
        Memory.putInt(to + 8, separatorBytesInPage);
        Memory.putInt(to + 12, nextLength);
        separatorBytesInPage += nextLength;
        separatorsInPage++;
        nextLength = -1;
    }

    private void finishPage() {
        long at = page.address();
        indexTop.appendLong(Memory.getLong(at + IndexPage.HEADER_BYTES));
        indexTop.appendLong(dataOffset);
        indexTop.appendLong(pages.size());
        Memory.putInt(at + IndexPage.BLOCKS_OFFSET, blocksInPage);
        Memory.putInt(at + IndexPage.SEPARATORS_OFFSET, separatorsInPage);
        Memory.putInt(at + IndexPage.SEPARATORS_OFFSET + 4, 0);
        Memory.putLong(at + IndexPage.DATA_OFFSET, dataOffset);
        int length = IndexPage.HEADER_BYTES + blocksInPage * IndexPage.BLOCK_BYTES;
        int separatorsLength = separatorsInPage * IndexPage.SEPARATOR_BYTES;
        checksum.begin(BlockLayout.seed(seed, dataOffset));
        checksum.update(at + IndexPage.BLOCKS_OFFSET, length - IndexPage.BLOCKS_OFFSET);
        checksum.update(separators.address(), separatorsLength);
        checksum.update(separatorBytes.address(), separatorBytesInPage);
        Memory.putInt(at, checksum.value());
        pages.append(at, length);
        pages.append(separators.address(), separatorsLength);
        pages.append(separatorBytes.address(), separatorBytesInPage);
        if (nextLength > 0) {
            Memory.copy(separatorBytes.address() + separatorBytesInPage, separatorBytes.address(), nextLength);
        }
        blocksInPage = 0;
        separatorsInPage = 0;
        separatorBytesInPage = 0;
    }

    void addFilterPage(long offset, int length) {
        filterTop.appendLong(filterPrefix);
        filterTop.appendLong(offset | (long) length << RunLayout.OFFSET_BITS);
        filterBegun = false;
    }

    /** Writes the pages of the index. */
    void writePages(FileOutput output) throws IOException {
        if (blocksInPage > 0) {
            finishPage();
        }
        write(pages, output, false);
    }

    /** Writes the top, given where the pages of the index begin, and returns its checksum. */
    int writeTop(FileOutput output, long indexOffset) throws IOException {
        for (int page = 0; page < indexPages(); page++) {
            long place = indexTop.address((long) page * RunLayout.INDEX_ENTRY_BYTES + RunLayout.INDEX_PAGE_OFFSET);
            Memory.putLong(place, Memory.getLong(place) + indexOffset);
        }
        checksum.begin(BlockLayout.seed(seed, output.position()));
        write(indexTop, output, true);
        write(filterTop, output, true);
        return checksum.value();
    }

    private void write(PagedBytes part, FileOutput output, boolean sums) throws IOException {
        long done = 0;
        while (done < part.size()) {
            int count = (int) Math.min(part.size() - done, part.contiguous(done));
            if (sums) {
                checksum.update(part.address(done), count);
            }
            output.write(part.address(done), count);
            done += count;
        }
    }

    @Override
    public void close() {
        pages.close();
        indexTop.close();
        filterTop.close();
        page.close();
        separators.close();
        separatorBytes.close();
    }
}
