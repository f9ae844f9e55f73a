package io.drey.shuffle.worker.file;

import io.drey.foundation.CorruptFileException;
import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.worker.disk.WorkerFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Finds the complete regions of a file that no commit describes: from its begin it steps over headers of blocks to the
 * mark behind the last one, and asks whether the region's end is sound. What is no complete region is a torn tail.
 */
public final class PartScan {
    private final WorkerFile file;
    private final long size;
    private final ByteBuffer[] one = new ByteBuffer[1];
    private final ByteBuffer head =
            ByteBuffer.allocate(RegionLayout.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private PartScan(WorkerFile file) throws IOException {
        this.file = file;
        this.size = file.size();
        one[0] = head;
    }

    /** Adds all complete regions to the part; what follows {@link PartFile#end} in the file is torn. */
    public static void scan(WorkerFile file, PartFile part) throws IOException {
        PartScan scan = new PartScan(file);
        long at = 0;
        for (long next = scan.region(part, at); next > at; next = scan.region(part, at)) {
            at = next;
        }
    }

    private boolean read(long at, int bytes) throws IOException {
        head.clear().limit(bytes);
        return at + bytes <= size && file.read(at, one, 1) == bytes;
    }

    /** The end of the region that begins at a byte, which is added; or the same byte if there is none. */
    private long region(PartFile part, long start) throws IOException {
        if (!read(start, RegionLayout.HEADER_BYTES) || !isHeader()) {
            return start;
        }
        int region = head.getInt(8);
        long at = start + RegionLayout.HEADER_BYTES;
        while (read(at, BlockFormat.HEADER_BYTES)) {
            int length = head.getInt(BlockFormat.LENGTH_AT);
            if (length == RegionLayout.MARK) {
                return end(part, region, start, at);
            }
            if (length < 0 || length > BlockFormat.PAYLOAD_BYTES_MAX) {
                return start;
            }
            at += BlockFormat.HEADER_BYTES + length;
        }
        return start;
    }

    private boolean isHeader() {
        return head.getInt(0) == RegionLayout.MAGIC
                && head.get(4) == RegionLayout.KIND
                && head.get(5) == RegionLayout.VERSION
                && head.getInt(28) == RegionBuilder.checksum(head, 0, RegionLayout.HEADER_CHECKED_BYTES);
    }

    private long end(PartFile part, int region, long start, long mark) throws IOException {
        int entries = head.getInt(4);
        long end = mark + RegionLayout.MARK_BYTES + (long) entries * RegionLayout.ENTRY_BYTES + RegionLayout.TAIL_BYTES;
        if (entries < 0 || end > size) {
            return start;
        }
        try {
            RegionTable.read(part.toString(), file, region, start, end - start);
        } catch (CorruptFileException e) {
            return start;
        }
        part.add(region, start, end - start);
        return end;
    }
}
