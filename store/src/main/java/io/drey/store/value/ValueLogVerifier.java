package io.drey.store.value;

import io.drey.files.ReadableFile;
import io.drey.foundation.Arena;
import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockDecompressor;
import io.drey.store.block.BlockLayout;
import io.drey.store.file.FileId;
import io.drey.store.file.FileReads;

/**
 * Reads a value log from front to back and checks each value, also those that nothing points to any more: they stand
 * one behind the other without gaps, and each fills its checksum.
 */
public final class ValueLogVerifier {
    private static final int BUFFER_BYTES = 256 << 10;

    /**
     * Values of a log.
     *
     * @param bytes of them as stored
     * @param rawBytes of them before compression
     */
    public record Summary(FileId id, long values, long bytes, long rawBytes) {}

    private ValueLogVerifier() {}

    /** Reads all of a file and throws what it finds first if it is damaged. Does not close the file. */
    public static Summary verify(ReadableFile file, Arena arena, Overdraft overdraft) {
        FileReads reads = new FileReads();
        try (Scratch header = new Scratch(arena, overdraft);
                Scratch buffer = new Scratch(arena, overdraft)) {
            FileId id = ValueLogLayout.HEADER.read(file, reads, header, new Checksum());
            BlockDecompressor block = new BlockDecompressor();
            long values = 0;
            long rawBytes = 0;
            long bufferFrom = 0;
            long bufferTo = 0;
            long at = ValueLogLayout.FIRST_OFFSET;
            while (at < file.size()) {
                long need = needed(file, at, bufferFrom, bufferTo, buffer);
                if (at + need > bufferTo) {
                    long length = Math.min(file.size() - at, Math.max(need, BUFFER_BYTES));
                    reads.read(file, at, buffer.reserveAnew((int) length), (int) length);
                    bufferFrom = at;
                    bufferTo = at + length;
                    continue;
                }
                block.at(file.name(), at).check(buffer.address() + (at - bufferFrom), bufferTo - at, id.seed());
                values++;
                rawBytes += block.rawLength();
                at += block.storedLength();
            }
            return new Summary(id, values, file.size() - ValueLogLayout.FIRST_OFFSET, rawBytes);
        }
    }

    /** Bytes that must be in the buffer from a place on for the next step: a header, and then what it tells. */
    private static long needed(ReadableFile file, long at, long bufferFrom, long bufferTo, Scratch buffer) {
        long left = file.size() - at;
        if (left < BlockLayout.HEADER_BYTES) {
            throw new CorruptFileException(file.name(), at, "a value or the end", left + " bytes");
        }
        if (bufferTo - at < BlockLayout.HEADER_BYTES) {
            return BlockLayout.HEADER_BYTES;
        }
        long header = buffer.address() + (at - bufferFrom);
        long payload = Memory.getInt(header + BlockLayout.PAYLOAD_LENGTH_OFFSET);
        if (payload < 0 || payload > left - BlockLayout.HEADER_BYTES) {
            throw new CorruptFileException(file.name(), at, "a value within " + left + " bytes", "one of " + payload);
        }
        return BlockLayout.HEADER_BYTES + payload;
    }
}
