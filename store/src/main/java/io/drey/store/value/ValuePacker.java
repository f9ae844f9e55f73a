package io.drey.store.value;

import io.airlift.compress.lz4.Lz4RawCompressor;
import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockCompressor;

/**
 * Compresses values by themselves on their way into a run, see {@link PackedValue}: compactions move such a value without
 * unpacking it, and a lookup unpacks it alone instead of its block. Values of a table are packed where that takes hardly
 * more space than compressing what makes up a block, which is tried with a sample of them now and then. One thread.
 */
public final class ValuePacker implements AutoCloseable {
    /** Blocks have room for at most so many packed values: smaller ones cost more by themselves than they save. */
    private static final int VALUES_PER_BLOCK_MAX = 32;

    /** Values from one sample to the next. */
    private static final int VALUES_PER_SAMPLE = 1_000;

    /** By themselves values may take so much more than together, as one part in so many. */
    private static final int EXCESS_MAX = 6;

    private static final int NO_TABLE = -1;

    private final boolean[] tables;
    private final int blockBytes;
    private final Scratch packed;
    private final Scratch sample;
    private final int[] lz4Table = new int[Lz4RawCompressor.MAX_TABLE_SIZE];
    private int table = NO_TABLE;
    private int sampleLength;
    private int sampleAlone;

    /** Values until the next sample, or 0 while one is taken. */
    private int left;

    /** What the last sample said. */
    private boolean pays;

    private int length;
    private long count;

    /**
     * Packs nothing yet.
     *
     * @param tables which tables' values may be packed, by table; none beyond the end
     * @param blockBytes raw bytes of a block
     */
    public ValuePacker(boolean[] tables, int blockBytes, Arena arena, Overdraft overdraft) {
        this.tables = tables;
        this.blockBytes = blockBytes;
        this.packed = new Scratch(arena, overdraft);
        this.sample = new Scratch(arena, overdraft);
    }

    /** Whether a whole value is worth packing; then the accessors tell what became of it. */
    boolean packs(int newTable, long value, int rawLength) {
        if (newTable >= tables.length
                || !tables[newTable]
                || rawLength <= PackedValue.HEAD_BYTES
                || rawLength < blockBytes / VALUES_PER_BLOCK_MAX
                || rawLength > BlockCompressor.COMPRESSED_RAW_BYTES_MAX) {
            return false;
        }
        if (newTable != table) {
            table = newTable;
            beginSample();
        }
        if (left == 0) {
            addToSample(value, rawLength);
            return false;
        }
        left--;
        boolean packsThis = pays && BlockCompressor.pays(rawLength, pack(value, rawLength));
        count += packsThis ? 1 : 0;
        if (left == 0) {
            beginSample();
        }
        return packsThis;
    }

    private void beginSample() {
        left = 0;
        sampleLength = 0;
        sampleAlone = 0;
    }

    private void addToSample(long value, int rawLength) {
        sampleAlone += pack(value, rawLength);
        long to = sample.grow(sampleLength + rawLength, sampleLength);
        Memory.copy(value, to + sampleLength, rawLength);
        sampleLength += rawLength;
        if (sampleLength >= blockBytes) {
            int room = Lz4RawCompressor.maxCompressedLength(sampleLength);
            int together = Lz4RawCompressor.compress(
                    null, sample.address(), sampleLength, null, packed.reserveAnew(room), room, lz4Table);
            pays = sampleAlone <= together + together / EXCESS_MAX && BlockCompressor.pays(sampleLength, sampleAlone);
            left = VALUES_PER_SAMPLE;
            sample.close();
        }
    }

    private int pack(long value, int rawLength) {
        length = PackedValue.pack(value, rawLength, packed.reserveAnew(PackedValue.maxLength(rawLength)), lz4Table);
        return length;
    }

    /** Where the value packed last is; valid until the next one. */
    long address() {
        return packed.address();
    }

    int length() {
        return length;
    }

    /** Values packed so far. */
    public long count() {
        return count;
    }

    /** Gives back all memory. */
    @Override
    public void close() {
        packed.close();
        sample.close();
    }
}
