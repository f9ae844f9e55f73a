package io.drey.store.run;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockCursor;
import io.drey.store.block.BlockDecompressor;
import io.drey.store.cache.FrameCache;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.value.CompressedValue;
import io.drey.store.value.ValuePointer;

/**
 * Walks the entries of a {@link RunView}, or those of one row of it. Belongs to a {@link ReadSession} and goes back to
 * it when closed.
 *
 * <p>In a session with a cache the first blocks come from there and are pinned while the cursor stands on them; after a
 * few blocks in a row, and always in a session without, it reads several blocks at once into a window of its own.
 */
public final class RunCursor implements EntryCursor {
    /** Blocks in a row that are worth a place in the cache; whoever reads more, reads ahead. */
    private static final int CACHED_BLOCKS_MAX = 2;

    private final ReadSession session;
    private final BlockDecompressor decompressor;
    private final BlockCursor entries;
    private final Scratch window;
    private final Scratch raw;

    /** In a walk over a row: the first {@code rowLength} bytes are the row's. */
    private final Bytes target = new Bytes();

    private RunView view;

    /** The page of the index that it stands in; in its frame of the cache, or in the buffer. */
    private final IndexPage index = new IndexPage();

    private final Scratch indexBuffer;
    private int indexFrame = FrameCache.NONE;

    /** The page, or -1 before the first. */
    private int page;

    /** First page not needed. */
    private int pageEnd;

    /** In a session without a cache: the pages in the buffer, of which several are read at once. */
    private int bufferedFrom;

    private int bufferedEnd;

    /** Length of the row's part of a body, or -1 in a walk over many rows. */
    private int rowLength;

    private int tableKeyGroup;
    private long rowHash;
    private long prefixTo;
    /** In the page. */
    private int block;

    /** First block of the page not needed. */
    private int blockEnd;

    private int blocksInRow;
    private int frame = FrameCache.NONE;
    private long windowFrom;
    private long windowTo;

    /** Whether the cursor already stands on the entry that {@link #next()} is to step to. */
    private boolean pending;

    /** Whether the value of the entry under the cursor was read from its log, or decompressed. */
    private boolean brought;

    /** Whether the block under the cursor, which has one entry, was let go. */
    private boolean letGo;

    /** Whether the cursor stands on the tombstone of its row and has to go behind the target next. */
    private boolean seekNext;

    RunCursor(ReadSession session) {
        this.session = session;
        this.decompressor = session.decompressor().sibling();
        this.entries = new BlockCursor(session.keys());
        this.window = new Scratch(session.memory().arena(), session.memory().overdraft());
        this.raw = new Scratch(session.memory().arena(), session.memory().overdraft());
        this.indexBuffer =
                new Scratch(session.memory().arena(), session.memory().overdraft());
    }

    /** Stands before the first entry of a view. */
    RunCursor openRange(RunView newView) {
        open(newView, newView.prefixTo());
        rowLength = -1;
        boolean opened = false;
        try {
            seekPrefix(newView.prefixFrom());
            opened = true;
        } finally {
            closeUnless(opened);
        }
        return this;
    }

    /**
     * Stands before the first entry of the key's row, or, {@code after}, behind the map entry of the key; then a
     * tombstone of the row comes first nevertheless, because it hides what older runs hold.
     */
    RunCursor openRow(RunView newView, EntryKey key, boolean after) {
        open(newView, key.prefix() + 1);
        rowHash = key.rowHash();
        rowLength = key.rowLength();
        tableKeyGroup = (int) (key.prefix() >>> 32);
        target.clear();
        target.append(key.body(), 0, after ? key.bodyLength() : rowLength);
        boolean opened = false;
        try {
            if (!after || session.mayHoldRowTombstone(newView.run(), key)) {
                seekInRow(rowLength);
                seekNext = after;
            }
            if (after && !isBeforeRowTombstone()) {
                seekAfter();
            }
            opened = true;
        } finally {
            closeUnless(opened);
        }
        return this;
    }

    /** Goes behind the map entry that the target names. */
    private void seekAfter() {
        seekNext = false;
        seekInRow(target.length());
        pending = pending
                && !(isInRow()
                        && entries.bodyLength() == target.length()
                        && Memory.equal(entries.bodyAddress(), target.array(), 0, target.length()));
    }

    private void seekInRow(int bodyLength) {
        leavePage();
        int found = session.pages()
                .locate(view.run(), index, indexBuffer, prefixTo - 1, rowHash, target.array(), bodyLength);
        bufferedEnd = 0;
        if (found < 0) {
            openPage(0);
        } else {
            enter(index.number());
        }
        seek(Math.max(0, found), tableKeyGroup, rowHash, bodyLength);
    }

    private void open(RunView newView, long newPrefixTo) {
        view = newView;
        RunIndex top = newView.run().index();
        prefixTo = newPrefixTo;
        pageEnd = newPrefixTo == RunView.NO_END ? top.pages() : top.lowerBound(newPrefixTo);
        page = -1;
        block = -1;
        blockEnd = 0;
        bufferedFrom = 0;
        bufferedEnd = 0;
        blocksInRow = 0;
        pending = false;
        seekNext = false;
        letGo = false;
        windowFrom = 0;
        windowTo = 0;
    }

    /** Stands in a page of the index from now on, before its first block. */
    private void openPage(int newPage) {
        leavePage();
        Run run = view.run();
        if (session.pages().isCached()) {
            session.pages().open(run, newPage, index, indexBuffer);
        } else {
            if (newPage < bufferedFrom || newPage >= bufferedEnd) {
                bufferPages(newPage);
            }
            RunIndex top = run.index();
            long address = indexBuffer.address() + (top.offset(newPage) - top.offset(bufferedFrom));
            session.pages().check(run, top, newPage, address);
            index.open(top, newPage, address);
        }
        enter(newPage);
    }

    /** Reads a page and those that follow it, as many as fit the buffer. */
    private void bufferPages(int first) {
        RunIndex top = view.run().index();
        int bytesMax = session.memory().arena().pageBytes();
        long from = top.offset(first);
        int end = first + 1;
        while (end < pageEnd && top.offset(end + 1) - from <= bytesMax) {
            end++;
        }
        bufferedEnd = 0;
        session.pages().read(view.run(), first, end, indexBuffer);
        bufferedFrom = first;
        bufferedEnd = end;
    }

    /** Takes a place in the page that the index is pointed at. */
    private void enter(int newPage) {
        page = newPage;
        block = -1;
        indexFrame = session.pages().pin(view.run(), newPage);
        boolean isLast = prefixTo != RunView.NO_END && newPage + 1 >= pageEnd;
        blockEnd = isLast ? index.lowerBound(prefixTo) : index.blocks();
    }

    private void leavePage() {
        if (indexFrame != FrameCache.NONE) {
            session.pages().cache().unpin(indexFrame);
            indexFrame = FrameCache.NONE;
        }
    }

    private void closeUnless(boolean opened) {
        if (!opened) {
            close();
        }
    }

    @Override
    public boolean next() {
        brought = false;
        while (pending || step()) {
            pending = false;
            if (!entries.isAtRowStart()) {
                return true;
            }
            long prefix = entries.prefix();
            if (prefixTo != RunView.NO_END && Long.compareUnsigned(prefix, prefixTo) >= 0) {
                return end();
            }
            if (rowLength >= 0) {
                return isInRow() || end();
            }
            int keyGroup = (int) (prefix >>> 32) & 0xffff;
            if (keyGroup >= view.keyGroupFrom() && keyGroup <= view.keyGroupTo()) {
                return true;
            }
            // On to the view's first key group, of this table or of the next.
            long table = (prefix >>> 48) + (keyGroup < view.keyGroupFrom() ? 0 : 1);
            if (table == EntryKey.TABLES_MAX) {
                return end();
            }
            seekPrefix(EntryKey.prefix((int) table, view.keyGroupFrom(), 0));
        }
        return false;
    }

    private boolean step() {
        if (seekNext) {
            seekAfter();
            if (pending) {
                return true;
            }
        }
        if (page >= pageEnd) {
            return false;
        }
        while (!entries.next()) {
            if (block + 1 < blockEnd) {
                load(block + 1);
            } else if (page + 1 < pageEnd) {
                openPage(page + 1);
                if (blockEnd == 0) {
                    return end();
                }
                load(0);
            } else {
                return end();
            }
        }
        return true;
    }

    private boolean end() {
        page = pageEnd;
        block = blockEnd;
        unpin();
        trim();
        return false;
    }

    private boolean isInRow() {
        return entries.rowHash() == rowHash
                && entries.rowLength() == rowLength
                && Memory.equal(entries.bodyAddress(), target.array(), 0, rowLength);
    }

    private void seekPrefix(long prefix) {
        target.clear();
        int first = view.run().index().lowerBound(prefix) - 1;
        if (Math.max(0, first) >= pageEnd) {
            end();
            return;
        }
        if (Math.max(0, first) != page) {
            openPage(Math.max(0, first));
        }
        int firstBlock = first < 0 ? 0 : index.firstFrom(prefix);
        seek(firstBlock, (int) (prefix >>> 32), prefix << 32, 0);
    }

    /** Goes to the first entry from a block of the page on that is not before a key whose body is the target. */
    private void seek(int first, int targetTableKeyGroup, long hash, int bodyLength) {
        if (page >= pageEnd || first >= blockEnd) {
            end();
            return;
        }
        if (first != block || letGo) {
            load(first);
        }
        pending = entries.seek(targetTableKeyGroup, hash, target.array(), bodyLength);
    }

    /** Stands before the first entry of a block. */
    private void load(int newBlock) {
        unpin();
        letGo = false;
        blocksInRow = newBlock == block + 1 ? blocksInRow + 1 : 0;
        block = newBlock;
        long offset = index.offset(block);
        int found = session.cached(view.run(), offset);
        if (found == FrameCache.NONE && session.blocks() != null && blocksInRow < CACHED_BLOCKS_MAX && !isInWindow()) {
            session.fetch(view.run(), index, block);
            found = session.place(view.run(), offset);
            if (found == FrameCache.NONE) {
                openDecompressed(session.decompressor());
                return;
            }
        }
        if (found == FrameCache.NONE) {
            loadThroughWindow();
            return;
        }
        frame = found;
        session.blocks().pin(frame);
        entries.open(session.blocks().address(frame), session.blocks().length(frame));
    }

    /** Whether the next entry of a row is its tombstone, so that older runs have no say in it. */
    public boolean isBeforeRowTombstone() {
        return pending && isInRow() && entries.kind() == EntryKind.ROW_TOMBSTONE;
    }

    private boolean isInWindow() {
        return index.offset(block) >= windowFrom && index.end(block) <= windowTo;
    }

    private void loadThroughWindow() {
        long from = index.offset(block);
        if (!isInWindow()) {
            // Behind the page its run goes on, so that windows are of one size however small pages are.
            long end = page + 1 < pageEnd ? view.run().index().dataEnd(pageEnd - 1) : index.end(blockEnd - 1);
            long wanted = Math.min(end - from, session.readAheadBytes());
            int length = (int) Math.max(index.end(block) - from, wanted);
            windowTo = 0;
            long address = window.reserveAnew(length);
            session.files().read(view.run().file(), from, address, length);
            windowFrom = from;
            windowTo = from + length;
        }
        long stored = window.address() + (from - windowFrom);
        decompressor
                .at(view.run().info().name(), from)
                .check(stored, index.end(block) - from, view.run().seed());
        if (decompressor.isRaw()) {
            entries.open(decompressor.payload(), decompressor.rawLength());
        } else {
            openDecompressed(decompressor);
        }
    }

    private void openDecompressed(BlockDecompressor from) {
        long address = raw.reserveAnew(from.rawLength());
        from.decompress(address);
        entries.open(address, from.rawLength());
    }

    private void unpin() {
        if (frame != FrameCache.NONE) {
            session.blocks().unpin(frame);
            frame = FrameCache.NONE;
        }
    }

    @Override
    public void letGo() {
        if (entries.valueLength() > Scratch.RETAINED_BYTES_MAX
                && entries.isOnly()
                && (window.isBorrowed() || raw.isBorrowed())) {
            trim();
            letGo = true;
        }
    }

    private void trim() {
        windowTo = 0;
        window.trim();
        raw.trim();
    }

    /** Brings the block back, and stands on its entry again, whose key stays where it is. */
    private void bringBack() {
        if (letGo) {
            load(block);
            entries.next();
        }
    }

    private boolean bringsValue() {
        return session.bringsValue(entries.kind());
    }

    @Override
    public int table() {
        return entries.tableKeyGroup() >>> 16;
    }

    @Override
    public int keyGroup() {
        return entries.tableKeyGroup() & 0xffff;
    }

    @Override
    public long rowHash() {
        return entries.rowHash();
    }

    @Override
    public long bodyAddress() {
        return entries.bodyAddress();
    }

    @Override
    public int bodyLength() {
        return entries.bodyLength();
    }

    @Override
    public int rowLength() {
        return entries.rowLength();
    }

    @Override
    public byte kind() {
        return bringsValue() ? EntryKind.VALUE : entries.kind();
    }

    @Override
    public long valueAddress() {
        bringBack();
        if (!bringsValue()) {
            return entries.valueAddress();
        }
        if (!brought) {
            session.bringValue(
                    view.run(),
                    index.offset(block),
                    entries.kind(),
                    table(),
                    entries.valueAddress(),
                    entries.valueLength());
            brought = true;
        }
        return session.values().address();
    }

    @Override
    public int valueLength() {
        if (!bringsValue()) {
            return entries.valueLength();
        }
        bringBack();
        long address = entries.valueAddress();
        return entries.kind() == EntryKind.POINTER
                ? ValuePointer.rawLength(address)
                : CompressedValue.rawLength(address);
    }

    @Override
    public void close() {
        if (view != null) {
            unpin();
            leavePage();
            view = null;
            entries.close();
            window.close();
            raw.close();
            indexBuffer.close();
            session.recycle(this);
        }
    }
}
