package io.drey.store.run;

import io.drey.foundation.Arena;
import io.drey.foundation.Checksum;
import io.drey.foundation.DreyException;
import io.drey.foundation.PagedBytes;
import io.drey.store.entry.EntryView;
import io.drey.store.file.FileOutput;
import java.io.IOException;

/** Collects the resident part of a run while it is written, see {@link RunLayout}. One thread. */
final class IndexBuilder implements AutoCloseable {
    private final PagedBytes blocks;
    private final PagedBytes separators;
    private final PagedBytes separatorBytes;
    private final PagedBytes filterPages;
    private final Checksum checksum = new Checksum();

    IndexBuilder(RunMemory memory) {
        blocks = new PagedBytes(memory.arena(), memory.overdraft(), Arena.Use.SCRATCH);
        separators = new PagedBytes(memory.arena(), memory.overdraft(), Arena.Use.SCRATCH);
        separatorBytes = new PagedBytes(memory.arena(), memory.overdraft(), Arena.Use.SCRATCH);
        filterPages = new PagedBytes(memory.arena(), memory.overdraft(), Arena.Use.SCRATCH);
    }

    int blocks() {
        return (int) (blocks.size() / RunLayout.RESIDENT_ENTRY_BYTES);
    }

    int separators() {
        return (int) (separators.size() / RunLayout.RESIDENT_ENTRY_BYTES);
    }

    int filterPages() {
        return (int) (filterPages.size() / RunLayout.RESIDENT_ENTRY_BYTES);
    }

    long bytes() {
        return blocks.size() + separators.size() + separatorBytes.size() + filterPages.size();
    }

    /** Adds a block at an offset, covered by the filter page that comes next. */
    void addBlock(long firstPrefix, long offset) {
        int filterPage = filterPages();
        if (offset >= RunLayout.RUN_BYTES_MAX || filterPage >= RunLayout.FILTER_PAGES_MAX) {
            throw new DreyException("expected a run of less than " + RunLayout.RUN_BYTES_MAX + " bytes and "
                    + RunLayout.FILTER_PAGES_MAX + " filter pages, found " + offset + " and " + filterPage
                    + ": run the job with more parallelism");
        }
        blocks.appendLong(firstPrefix);
        blocks.appendLong(offset | (long) filterPage << 40);
    }

    /** Tells the block to be added next from the one before by a hash and a body, of which the first bytes suffice. */
    void addSeparator(EntryView first, int length) {
        separators.appendLong((blocks() & 0xffffffffL) | first.rowHash() << 32);
        separators.appendLong((separatorBytes.size() & 0xffffffffL) | (long) length << 32);
        separatorBytes.append(first.bodyAddress(), length);
    }

    void addFilterPage(long offset, int firstBlock, int length) {
        filterPages.appendLong(offset);
        filterPages.appendLong(firstBlock | (long) length << 32);
    }

    /** Writes all of it and returns its checksum. */
    int write(FileOutput output, long seed) throws IOException {
        checksum.begin(seed);
        write(blocks, output);
        write(separators, output);
        write(filterPages, output);
        write(separatorBytes, output);
        return checksum.value();
    }

    private void write(PagedBytes part, FileOutput output) throws IOException {
        long done = 0;
        while (done < part.size()) {
            int count = (int) Math.min(part.size() - done, part.contiguous(done));
            checksum.update(part.address(done), count);
            output.write(part.address(done), count);
            done += count;
        }
    }

    @Override
    public void close() {
        blocks.close();
        separators.close();
        separatorBytes.close();
        filterPages.close();
    }
}
