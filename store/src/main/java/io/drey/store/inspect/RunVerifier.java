package io.drey.store.inspect;

import io.drey.foundation.Bytes;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockCursor;
import io.drey.store.block.BlockDecompressor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.file.FileHeader;
import io.drey.store.filter.FilterLayout;
import io.drey.store.run.FilterPages;
import io.drey.store.run.IndexPage;
import io.drey.store.run.LogShares;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunIndex;
import io.drey.store.run.RunInfo;
import io.drey.store.run.TableCount;
import io.drey.store.value.ValuePointer;
import io.drey.store.value.ValueReader;

/**
 * Reads all of a run and checks more than readers do: that blocks and filter pages fill the file without gaps, that
 * entries are in order and of known kinds, that hashes are those of the keys, that the filter passes each entry, and
 * that the footer's counts are right. The values pointed to are read and checked as well, and those compressed by
 * themselves decompressed.
 */
public final class RunVerifier implements AutoCloseable {
    private final Run run;
    private final RunIndex index;
    private final FilterPages filter;
    private final ReadSession session;
    private final IndexPage page = new IndexPage();
    private final Scratch indexPage;
    private final BlockCursor entries;
    private final Scratch filterPage;
    private final Scratch raw;
    private final Bytes lastBody = new Bytes();
    private final LogShares logs = new LogShares();

    /** The page of the filter that covers what is being read, and how many have been read. */
    private long filterOffset;

    private int filterLength;
    private int nextFilterPage;
    private long position = FileHeader.BYTES;
    private long lastPrefix;
    private long lastHash;
    private long count;
    private long rawBytes;

    private RunVerifier(Run run, ReadSession session) {
        this.run = run;
        this.index = run.index();
        this.filter = run.filterPages();
        this.session = session;
        this.indexPage = new Scratch(session.memory().arena(), session.memory().overdraft());
        this.entries = new BlockCursor(session.keys());
        this.filterPage = new Scratch(session.memory().arena(), session.memory().overdraft());
        this.raw = new Scratch(session.memory().arena(), session.memory().overdraft());
    }

    /** Returns if the run is as it should be, and throws what it finds first if not. */
    public static void verify(Run run, ReadSession session) {
        try (RunVerifier verifier = new RunVerifier(run, session)) {
            verifier.verify();
        }
    }

    private void verify() {
        int blocks = 0;
        for (int number = 0; number < index.pages(); number++) {
            session.openIndexPage(run, number, page, indexPage);
            check(page.blocks() > 0, "a page of the index with blocks", "an empty one");
            blocks += page.blocks();
            for (int block = 0; block < page.blocks(); block++) {
                skipFilterPage();
                if (nextFilterPage < filter.pages() && position > filterOffset) {
                    readFilterPage();
                }
                verifyBlock(block);
            }
        }
        skipFilterPage();
        check(nextFilterPage == filter.pages(), filter.pages() + " filter pages", nextFilterPage + "");
        check(blocks == index.blocks(), index.blocks() + " blocks", blocks + "");
        RunInfo info = run.info();
        check(index.dataEnd() == position, "the index here", "a gap");
        check(count == info.entries(), info.entries() + " entries", count + "");
        check(rawBytes == info.rawBytes(), info.rawBytes() + " raw bytes", rawBytes + "");
        long inTables = info.tables().stream().mapToLong(TableCount::entries).sum();
        check(
                logs.shares().equals(info.logs()),
                "pointers to " + info.logs(),
                logs.shares().toString());
        check(count == inTables, inTables + " entries in all tables", count + "");
    }

    /** The page of the filter that stands here, if one does, is behind what it covers. */
    private void skipFilterPage() {
        if (filterLength > 0 && position == filterOffset) {
            position += filterLength;
        }
    }

    /** Reads the page of the filter that covers what comes now. */
    private void readFilterPage() {
        filterOffset = filter.offset(nextFilterPage);
        filterLength = filter.length(nextFilterPage);
        check(filterOffset > position, "a filter page behind the block", "it at " + filterOffset);
        session.readFilterPage(run, nextFilterPage, filterPage.reserve(filterLength));
        nextFilterPage++;
    }

    private void verifyBlock(int block) {
        check(page.offset(block) == position, "a block here", "it at " + page.offset(block));
        session.fetch(run, page, block);
        BlockDecompressor decompressor = session.decompressor();
        int length = decompressor.rawLength();
        long address = raw.reserveAnew(length);
        decompressor.decompress(address);
        position += decompressor.storedLength();
        rawBytes += length;
        entries.open(address, length);
        for (boolean first = true; entries.next(); first = false) {
            check(!first || entries.prefix() == page.prefix(block), "the first prefix of the index", "another");
            verifyEntry();
        }
    }

    private void verifyEntry() {
        check(EntryKind.isKnown(entries.kind()), "an entry of a known kind", "another");
        check(
                EntryKey.rowHash(entries.bodyAddress(), entries.rowLength()) == entries.rowHash(),
                "the hash of the key",
                "another");
        check(count == 0 || isAfterLast(), "entries in order", "another order");
        if (entries.kind() == EntryKind.POINTER) {
            verifyPointer(entries.valueAddress());
        }
        if (entries.kind() == EntryKind.COMPRESSED) {
            session.values()
                    .decompress(
                            entries.valueAddress(),
                            entries.valueLength(),
                            run.info().name(),
                            position);
        }
        int table = entries.tableKeyGroup() >>> 16;
        if (filter.pages() > 0) {
            verifyFilter(table);
        }
        count++;
        lastPrefix = entries.prefix();
        lastHash = entries.rowHash();
        lastBody.clear();
        lastBody.append(entries.bodyAddress(), entries.bodyLength());
    }

    private void verifyFilter(int table) {
        boolean passes = passes(FilterLayout.hash(entryHash(), table));
        if (entries.kind() == EntryKind.ROW_TOMBSTONE) {
            passes &= passes(FilterLayout.tombstoneHash(entries.rowHash(), table));
        }
        check(passes, "a filter that passes each entry", "one that does not");
    }

    private void verifyPointer(long pointer) {
        check(entries.valueLength() == ValuePointer.BYTES, "a pointer", entries.valueLength() + " bytes");
        ValueReader values = session.values();
        values.read(entries.tableKeyGroup() >>> 16, run.log(pointer), pointer);
        check(ValuePointer.hasHead(pointer, values.address(), values.length()), "the head of the value", "another");
        logs.add(pointer);
    }

    private long entryHash() {
        long marker = entries.bodyAddress() + entries.rowLength();
        return Memory.getByte(marker) == EntryKey.ROW
                ? entries.rowHash()
                : EntryKey.mapEntryHash(entries.rowHash(), marker + 1, entries.bodyLength() - entries.rowLength() - 1);
    }

    private boolean passes(long hash) {
        return FilterLayout.mayHold(filterPage.address(), filterLength, hash);
    }

    private boolean isAfterLast() {
        int order = Long.compareUnsigned(entries.prefix(), lastPrefix);
        order = order != 0 ? order : Long.compareUnsigned(entries.rowHash(), lastHash);
        return order > 0
                || (order == 0
                        && Memory.compare(
                                        entries.bodyAddress(),
                                        entries.bodyLength(),
                                        lastBody.array(),
                                        0,
                                        lastBody.length())
                                > 0);
    }

    private void check(boolean holds, String expected, String found) {
        if (!holds) {
            throw new CorruptFileException(run.info().name(), position, expected, found);
        }
    }

    @Override
    public void close() {
        entries.close();
        filterPage.close();
        indexPage.close();
        raw.close();
    }
}
