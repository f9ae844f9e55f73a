package io.drey.store.value;

import io.drey.foundation.Arena;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockDecompressor;
import io.drey.store.file.FileReads;
import java.util.Arrays;

/**
 * Reads values for one thread: one exact, checked read of a file for each. Counts the reads and what they cost. Hot
 * path; allocates only until it is warm.
 */
public final class ValueReader implements AutoCloseable {
    /**
     * The most that a read counts for: far above what makes reads too dear for all but huge values. A pause of the
     * process is not the disk's, and what hung for once is not what a read costs.
     */
    static final long NANOS_MAX = 20_000_000;

    private final FileReads files;
    private final BlockDecompressor decompressor = new BlockDecompressor();
    private final Scratch stored;
    private final Scratch raw;
    private long address;
    private int length;
    private long count;
    private long nanos;
    private long[] counts = new long[8];

    /** A reader whose reads are counted among others. */
    public ValueReader(FileReads files, Arena arena, Overdraft overdraft) {
        this.files = files;
        this.stored = new Scratch(arena, overdraft);
        this.raw = new Scratch(arena, overdraft);
    }

    /** Values read so far. */
    public long count() {
        return count;
    }

    /** Values of a table read so far. */
    public long count(int table) {
        return table < counts.length ? counts[table] : 0;
    }

    /** Time that reading them took; of each {@value #NANOS_MAX} at most. */
    public long nanos() {
        return nanos;
    }

    /** Where the value read or decompressed last is; valid until the next one is. */
    public long address() {
        return address;
    }

    public int length() {
        return length;
    }

    /** Reads the value of a pointer in a table, whose log this is. */
    public void read(int table, ValueLog log, long pointer) {
        long offset = ValuePointer.offset(pointer);
        int storedLength = ValuePointer.storedLength(pointer);
        int rawLength = ValuePointer.rawLength(pointer);
        if (offset < ValueLogLayout.FIRST_OFFSET
                || storedLength <= 0
                || rawLength < 0
                || offset > log.bytes() - storedLength) {
            throw new CorruptFileException(
                    log.name(), offset, "a value within " + log.bytes() + " bytes", "one of " + storedLength);
        }
        long start = files.now();
        long from = stored.reserveAnew(storedLength);
        files.read(log.file(), offset, from, storedLength);
        decompressor.at(log.name(), offset).check(from, storedLength, log.seed());
        if (decompressor.storedLength() != storedLength || decompressor.rawLength() != rawLength) {
            throw new CorruptFileException(
                    log.name(),
                    offset,
                    "a value of " + rawLength + " bytes, " + storedLength + " stored",
                    decompressor.rawLength() + ", " + decompressor.storedLength() + " stored");
        }
        length = rawLength;
        if (decompressor.isRaw()) {
            address = decompressor.payload();
        } else {
            address = raw.reserveAnew(rawLength);
            decompressor.decompress(address);
        }
        if (table >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(table + 1, counts.length * 2));
        }
        counts[table]++;
        count++;
        nanos += Math.min(NANOS_MAX, files.now() - start);
    }

    /** Decompresses a compressed value, whose block is named for errors. That is no read, and not counted. */
    public void decompress(long compressed, int compressedLength, String file, long offset) {
        CompressedValue.check(compressed, compressedLength, file, offset);
        length = CompressedValue.rawLength(compressed);
        address = raw.reserveAnew(length);
        CompressedValue.decompress(compressed, compressedLength, address, file, offset);
    }

    /** Gives back what a large value needed, which is not valid any more. */
    public void trim() {
        stored.trim();
        raw.trim();
    }

    /** Gives back all memory; the reader can be used again. */
    @Override
    public void close() {
        stored.close();
        raw.close();
    }
}
