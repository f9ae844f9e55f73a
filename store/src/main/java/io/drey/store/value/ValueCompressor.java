package io.drey.store.value;

import io.airlift.compress.lz4.Lz4RawCompressor;
import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockCompressor;

/**
 * Compresses values by themselves on their way into a run, see {@link CompressedValue}: compactions move such a value
 * without decompressing it, and a lookup decompresses it alone instead of its block. Values of a table are compressed
 * where that takes hardly more space than compressing what makes up a block, which is tried with a sample of them now
 * and then. One thread.
 */
public final class ValueCompressor implements AutoCloseable {
    /** Blocks have room for at most so many compressed values: smaller ones cost more by themselves than they save. */
    private static final int VALUES_PER_BLOCK_MAX = 32;

    /** Values from one sample to the next. */
    private static final int VALUES_PER_SAMPLE = 1_000;

    /** By themselves values may take so much more than together, as one part in so many. */
    private static final int EXCESS_MAX = 6;

    private static final int NO_TABLE = -1;

    private final boolean[] tables;
    private final int blockBytes;
    private final Scratch compressed;
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
     * Compresses nothing yet.
     *
     * @param tables which tables' values may be compressed, by table; none beyond the end
     * @param blockBytes raw bytes of a block
     */
    public ValueCompressor(boolean[] tables, int blockBytes, Arena arena, Overdraft overdraft) {
        this.tables = tables;
        this.blockBytes = blockBytes;
        this.compressed = new Scratch(arena, overdraft);
        this.sample = new Scratch(arena, overdraft);
    }

    /** Whether a whole value is worth compressing; then the accessors tell what became of it. */
    boolean compresses(int newTable, long value, int rawLength) {
        if (newTable >= tables.length
                || !tables[newTable]
                || rawLength <= CompressedValue.HEAD_BYTES
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
        boolean compressesThis = pays && BlockCompressor.pays(rawLength, compress(value, rawLength));
        count += compressesThis ? 1 : 0;
        if (left == 0) {
            beginSample();
        }
        return compressesThis;
    }

    private void beginSample() {
        left = 0;
        sampleLength = 0;
        sampleAlone = 0;
    }

    private void addToSample(long value, int rawLength) {
        sampleAlone += compress(value, rawLength);
        long to = sample.grow(sampleLength + rawLength, sampleLength);
        Memory.copy(value, to + sampleLength, rawLength);
        sampleLength += rawLength;
        if (sampleLength >= blockBytes) {
            int room = Lz4RawCompressor.maxCompressedLength(sampleLength);
            int together = Lz4RawCompressor.compress(
                    null, sample.address(), sampleLength, null, compressed.reserveAnew(room), room, lz4Table);
            pays = sampleAlone <= together + together / EXCESS_MAX && BlockCompressor.pays(sampleLength, sampleAlone);
            left = VALUES_PER_SAMPLE;
            sample.close();
        }
    }

    private int compress(long value, int rawLength) {
        length = CompressedValue.compress(
                value, rawLength, compressed.reserveAnew(CompressedValue.maxLength(rawLength)), lz4Table);
        return length;
    }

    /** Where the value compressed last is; valid until the next one. */
    long address() {
        return compressed.address();
    }

    int length() {
        return length;
    }

    /** Values compressed so far. */
    public long count() {
        return count;
    }

    /** Gives back all memory. */
    @Override
    public void close() {
        compressed.close();
        sample.close();
    }
}
