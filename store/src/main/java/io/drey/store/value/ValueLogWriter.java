package io.drey.store.value;

import io.drey.files.WritableFile;
import io.drey.foundation.Arena;
import io.drey.foundation.Checksum;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockLayout;
import io.drey.store.block.BlockPacker;
import io.drey.store.file.FileHeader;
import io.drey.store.file.FileId;
import io.drey.store.file.FileOutput;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes a value log, see {@link ValueLogLayout}, value after value. One thread. Ends with {@link #finish} or {@link #abort}. */
final class ValueLogWriter {
    private final WritableFile file;
    private final FileId id;
    private final long seed;
    private final FileOutput output;
    private final BlockPacker.Sink sink;
    private boolean open = true;

    /** Takes over the file, and closes it if it throws. */
    ValueLogWriter(WritableFile file, FileId id, long generation, int bufferBytes, Arena arena, Overdraft overdraft)
            throws IOException {
        this.file = file;
        this.id = id;
        this.seed = id.seed();
        this.output = new FileOutput(file, bufferBytes, arena, overdraft);
        this.sink = output::write;
        boolean begun = false;
        try (Scratch header = new Scratch(arena, overdraft)) {
            writeHeader(header.reserve(ValueLogLayout.FIRST_OFFSET), generation);
            begun = true;
        } finally {
            if (!begun) {
                abort();
            }
        }
    }

    private void writeHeader(long at, long generation) throws IOException {
        Checksum checksum = new Checksum();
        ValueLogLayout.HEADER.encode(at, id, checksum);
        Memory.putLong(at + ValueLogLayout.GENERATION_OFFSET, generation);
        int sum = checksum.of(
                at + ValueLogLayout.GENERATION_OFFSET,
                ValueLogLayout.GENERATION_CRC_OFFSET - FileHeader.BYTES,
                ValueLogs.generationSeed(id));
        Memory.putInt(at + ValueLogLayout.GENERATION_CRC_OFFSET, sum);
        output.write(at, ValueLogLayout.FIRST_OFFSET);
    }

    /** Writes to the file so far; also after {@link #finish}. */
    long writes() {
        return output.writes();
    }

    /** Bytes written so far. */
    long bytes() {
        return output.position();
    }

    /** Stores a value, and puts a pointer to it where there is room for {@link ValuePointer#BYTES} bytes. */
    int add(long value, int length, BlockPacker packer, long pointer) throws IOException {
        long offset = output.position();
        int stored = packer.pack(value, length, BlockLayout.seed(seed, offset), sink);
        ValuePointer.encode(pointer, id, offset, stored, value, length);
        return stored;
    }

    /** Writes the rest, closes the file without syncing it and gives back all memory. */
    void finish() throws IOException {
        output.flush();
        open = false;
        output.close();
        file.close();
    }

    /** Closes the file and gives back all memory; deleting the file is the caller's. Does nothing after {@link #finish}. */
    void abort() {
        if (open) {
            open = false;
            output.close();
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
