package io.drey.store.run;

import io.drey.files.ReadableFile;
import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;
import io.drey.foundation.PagedBytes;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockLayout;
import io.drey.store.file.FileHeader;
import io.drey.store.file.FileId;
import io.drey.store.file.FileReads;
import io.drey.store.value.ValueLog;
import io.drey.store.value.ValueLogs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads what an opened run keeps of its file: header, footer and top, each checked. See {@link RunLayout}.
 */
final class RunOpener implements AutoCloseable {
    /** The end of the file that is read at once, in the hope that it holds all of footer and top. */
    private static final int TAIL_BYTES = 64 << 10;

    private final ReadableFile file;
    private final RunMemory memory;
    private final FileReads reads = new FileReads();
    private final Checksum checksum = new Checksum();
    private final Scratch head;
    private final Scratch tail;

    /** Where in the file the buffered tail begins. */
    private long tailOffset;

    private FileId id;
    private RunFooter footer;

    RunOpener(ReadableFile file, RunMemory memory) {
        this.file = file;
        this.memory = memory;
        this.head = new Scratch(memory.arena(), memory.overdraft());
        this.tail = new Scratch(memory.arena(), memory.overdraft());
        this.tailOffset = file.size();
    }

    FileId id() {
        return id;
    }

    RunFooter footer() {
        return footer;
    }

    void readHeader() {
        id = RunLayout.HEADER.read(file, reads, head, checksum);
    }

    void readFooter() {
        long size = file.size();
        if (size < FileHeader.BYTES + RunLayout.FOOTER_FIXED_BYTES + RunLayout.TRAILER_BYTES) {
            throw damaged(size, "a run with a footer", "a file of " + size + " bytes");
        }
        long trailer = tail(size - RunLayout.TRAILER_BYTES);
        int length = Memory.getInt(trailer);
        if (Memory.getInt(trailer + RunLayout.TRAILER_MAGIC_OFFSET) != FileHeader.MAGIC
                || length < RunLayout.FOOTER_FIXED_BYTES
                || length > size - FileHeader.BYTES - RunLayout.TRAILER_BYTES) {
            throw damaged(size - RunLayout.TRAILER_BYTES, "the end of a finished run", "another");
        }
        long footerOffset = size - RunLayout.TRAILER_BYTES - length;
        long at = tail(footerOffset);
        int sum = checksum.of(at, length + RunLayout.TRAILER_CRC_OFFSET, BlockLayout.seed(id.seed(), size));
        int expected = Memory.getInt(at + length + RunLayout.TRAILER_CRC_OFFSET);
        footer = sum == expected ? RunFooter.decode(at, length) : null;
        if (footer == null) {
            throw damaged(footerOffset, "a footer with checksum " + hex(expected), hex(sum));
        }
        long topBytes = footerOffset - footer.topOffset();
        if (footer.indexOffset() < FileHeader.BYTES
                || footer.topOffset() < footer.indexOffset()
                || topBytes != footer.topBytes()) {
            throw damaged(footerOffset, "a top of " + footer.topBytes() + " bytes", topBytes + " bytes");
        }
    }

    /** The top in memory that is the caller's. */
    PagedBytes readTop() {
        PagedBytes top = new PagedBytes(memory.tops());
        boolean done = false;
        try {
            long from = footer.topOffset();
            long end = file.size() - RunLayout.TRAILER_BYTES - footer.bytes();
            checksum.begin(BlockLayout.seed(id.seed(), from));
            while (from < end) {
                int count = (int) Math.min(end - from, TAIL_BYTES);
                long at = from >= tailOffset ? tail(from) : read(from, count);
                checksum.update(at, count);
                top.append(at, count);
                from += count;
            }
            if (checksum.value() != footer.topChecksum()) {
                throw damaged(
                        footer.topOffset(), "a top with checksum " + hex(footer.topChecksum()), hex(checksum.value()));
            }
            done = true;
            return top;
        } finally {
            if (!done) {
                top.close();
            }
        }
    }

    private long read(long from, int count) {
        long at = head.reserve(count);
        reads.read(file, from, at, count);
        return at;
    }

    /** The value logs of the footer in the order of their ids; if it throws, none is left open. Call it last. */
    ValueLog[] openLogs(ValueLogs logs) {
        List<LogShare> shares = new ArrayList<>(footer.logs());
        shares.sort(Comparator.comparingLong((LogShare share) -> share.log().high())
                .thenComparingLong(share -> share.log().low()));
        ValueLog[] opened = new ValueLog[shares.size()];
        int count = 0;
        try {
            for (; count < opened.length; count++) {
                opened[count] = logs.open(shares.get(count).log());
            }
            return opened;
        } finally {
            if (count < opened.length) {
                for (int i = 0; i < count; i++) {
                    opened[i].close();
                }
            }
        }
    }

    /**
     * The address of the file's bytes from an offset to its end, read again if the buffered tail does not reach back.
     */
    private long tail(long offset) {
        if (offset < tailOffset) {
            long from = Math.max(0, Math.min(offset, file.size() - TAIL_BYTES));
            int length = (int) (file.size() - from);
            reads.read(file, from, tail.reserve(length), length);
            tailOffset = from;
        }
        return tail.address() + (offset - tailOffset);
    }

    private CorruptFileException damaged(long offset, String expected, String found) {
        return new CorruptFileException(file.name(), offset, expected, found);
    }

    private static String hex(int value) {
        return Integer.toHexString(value);
    }

    @Override
    public void close() {
        head.close();
        tail.close();
    }
}
