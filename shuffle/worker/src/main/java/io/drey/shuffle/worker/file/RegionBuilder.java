package io.drey.shuffle.worker.file;

import io.drey.shuffle.protocol.block.BlockDigest;
import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Makes what a region has beside its blocks while they come by: its header, and the table of its subpartitions. Checks
 * that blocks are in rotated order. Used for one region after another; a block allocates nothing.
 */
public final class RegionBuilder {
    private final PartitionKey key;
    private final int subpartitions;
    private int region;
    private int flags;
    private int entries;
    private int blocks;
    private int largest;
    private long length;
    private boolean turned;
    private int[] subpartition = new int[16];
    private int[] blocksOf = new int[16];
    private long[] offset = new long[16];
    private long[] digest = new long[16];

    public RegionBuilder(PartitionKey key, int subpartitions) {
        this.key = key;
        this.subpartitions = subpartitions;
    }

    /** Begins a region, for all subpartitions or each block for its own; returns its header. */
    public ByteBuffer begin(int newRegion, boolean isBroadcast) {
        region = newRegion;
        flags = isBroadcast ? RegionLayout.BROADCAST : 0;
        entries = 0;
        blocks = 0;
        largest = 0;
        turned = false;
        length = RegionLayout.HEADER_BYTES;
        ByteBuffer out = ByteBuffer.allocate(RegionLayout.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(RegionLayout.MAGIC)
                .put(RegionLayout.KIND)
                .put(RegionLayout.VERSION)
                .putShort((short) flags);
        out.putInt(region).putInt(key.partition()).putLong(key.attempt()).putInt(0);
        out.putInt(checksum(out, 0, RegionLayout.HEADER_CHECKED_BYTES));
        return out.flip();
    }

    public int region() {
        return region;
    }

    public int blocks() {
        return blocks;
    }

    /** Adds a block. */
    public void add(int payloadLength, int blockSubpartition, int checksum) {
        if (blockSubpartition >= subpartitions) {
            throw new ProtocolException("expected a subpartition of 0 to " + (subpartitions - 1) + " in region "
                    + region + " of " + key + ", found " + blockSubpartition);
        }
        if (entries == 0 || subpartition[entries - 1] != blockSubpartition) {
            turn(blockSubpartition);
        }
        int last = entries - 1;
        digest[last] += BlockDigest.of(checksum, blocksOf[last]);
        blocksOf[last]++;
        blocks++;
        largest = Math.max(largest, BlockFormat.HEADER_BYTES + payloadLength);
        length += BlockFormat.HEADER_BYTES + payloadLength;
    }

    private void turn(int next) {
        if (entries > 0 && next < subpartition[entries - 1]) {
            if (turned) {
                throw outOfOrder(next);
            }
            turned = true;
        }
        if (turned && next >= subpartition[0]) {
            throw outOfOrder(next);
        }
        if (entries == subpartition.length) {
            int more = Math.min(2 * entries, Math.max(subpartitions, entries + 1));
            subpartition = Arrays.copyOf(subpartition, more);
            blocksOf = Arrays.copyOf(blocksOf, more);
            offset = Arrays.copyOf(offset, more);
            digest = Arrays.copyOf(digest, more);
        }
        subpartition[entries] = next;
        blocksOf[entries] = 0;
        offset[entries] = length;
        digest[entries] = 0;
        entries++;
    }

    private ProtocolException outOfOrder(int next) {
        return new ProtocolException("expected blocks ordered by subpartition from " + subpartition[0]
                + " up, and then from 0 up to it, in region " + region + " of " + key + ", found " + next + " after "
                + subpartition[entries - 1]);
    }

    /** Ends the region; returns all that follows its last block. */
    public ByteBuffer end() {
        int bytes = RegionLayout.MARK_BYTES + entries * RegionLayout.ENTRY_BYTES + RegionLayout.TAIL_BYTES;
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(RegionLayout.MARK).putInt(entries).putInt(blocks).putInt(0);
        for (int i = 0; i < entries; i++) {
            long end = i + 1 < entries ? offset[i + 1] : length;
            out.putInt(subpartition[i]).putInt(blocksOf[i]).putLong(offset[i]);
            out.putLong(end - offset[i]).putLong(digest[i]);
        }
        out.putInt(entries).putInt(flags).putInt(largest).putInt(region).putLong(length + bytes);
        int checked = entries * RegionLayout.ENTRY_BYTES + RegionLayout.TAIL_CHECKED_BYTES;
        out.putInt(checksum(out, RegionLayout.MARK_BYTES, checked)).putInt(RegionLayout.END_MAGIC);
        return out.flip();
    }

    static int checksum(ByteBuffer bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().clear().limit(from + length).position(from));
        return (int) crc.getValue();
    }
}
