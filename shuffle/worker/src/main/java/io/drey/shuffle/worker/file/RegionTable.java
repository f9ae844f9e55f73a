package io.drey.shuffle.worker.file;

import io.drey.foundation.CorruptFileException;
import io.drey.shuffle.worker.disk.WorkerFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The table of one region as it stands in the file: where the blocks of each subpartition are. Immutable. */
public final class RegionTable {
    /** One read gets most tables. */
    private static final int FIRST_READ_BYTES = 16 << 10;

    private final boolean isBroadcast;
    private final int largest;
    private final long start;
    private final int[] subpartition;
    private final int[] blocks;
    private final long[] offset;
    private final long[] length;
    private final long[] digest;

    private RegionTable(long start, boolean isBroadcast, int largest, ByteBuffer in, int entries) {
        this.isBroadcast = isBroadcast;
        this.start = start;
        this.largest = largest;
        subpartition = new int[entries];
        blocks = new int[entries];
        offset = new long[entries];
        length = new long[entries];
        digest = new long[entries];
        for (int i = 0; i < entries; i++) {
            subpartition[i] = in.getInt();
            blocks[i] = in.getInt();
            offset[i] = in.getLong();
            length[i] = in.getLong();
            digest[i] = in.getLong();
        }
    }

    /**
     * Reads the table of the region that lies at these bytes of the file.
     *
     * @throws CorruptFileException if there is no sound one
     */
    public static RegionTable read(String name, WorkerFile file, int region, long start, long bytes)
            throws IOException {
        int first = (int) Math.min(bytes - RegionLayout.HEADER_BYTES, FIRST_READ_BYTES);
        ByteBuffer in = read(name, file, start + bytes - first, first);
        int tail = first - RegionLayout.TAIL_BYTES;
        int entries = in.getInt(tail);
        long needed = (long) entries * RegionLayout.ENTRY_BYTES + RegionLayout.TAIL_BYTES;
        if (in.getInt(tail + 28) != RegionLayout.END_MAGIC
                || in.getInt(tail + 12) != region
                || in.getLong(tail + 16) != bytes
                || entries < 0
                || needed > bytes - RegionLayout.HEADER_BYTES - RegionLayout.MARK_BYTES) {
            throw damaged(name, start + bytes, region);
        }
        if (needed > first) {
            in = read(name, file, start + bytes - needed, (int) needed);
        }
        int from = (int) (in.limit() - needed);
        int checked = (int) (needed - RegionLayout.TAIL_BYTES + RegionLayout.TAIL_CHECKED_BYTES);
        int stored = in.getInt(in.limit() - 8);
        if (RegionBuilder.checksum(in, from, checked) != stored) {
            throw damaged(name, start + bytes, region);
        }
        boolean isBroadcast = (in.getInt(in.limit() - 28) & RegionLayout.BROADCAST) != 0;
        int largest = in.getInt(in.limit() - 24);
        in.position(from);
        return new RegionTable(start, isBroadcast, largest, in, entries);
    }

    private static CorruptFileException damaged(String name, long at, int region) {
        return new CorruptFileException(name, at, "the sound end of region " + region, "something else");
    }

    private static ByteBuffer read(String name, WorkerFile file, long at, int length) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        if (length < RegionLayout.TAIL_BYTES || file.read(at, new ByteBuffer[] {in}, 1) < length) {
            throw new CorruptFileException(name, at, length + " bytes", "fewer");
        }
        return in;
    }

    /** Whether all blocks are for every subpartition. */
    public boolean isBroadcast() {
        return isBroadcast;
    }

    /** Of a block with its header. */
    public int largest() {
        return largest;
    }

    public int entries() {
        return subpartition.length;
    }

    public int subpartition(int entry) {
        return subpartition[entry];
    }

    public int blocks(int entry) {
        return blocks[entry];
    }

    /** Where in the file the blocks of an entry are. */
    public long offset(int entry) {
        return start + offset[entry];
    }

    public long length(int entry) {
        return length[entry];
    }

    public long digest(int entry) {
        return digest[entry];
    }

    /** What it takes of the heap, with the heads of its arrays and its entry in a map. */
    public long bytes() {
        return 200 + 32L * subpartition.length;
    }
}
