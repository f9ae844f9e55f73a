package io.drey.store.value;

import io.drey.files.WritableFile;
import io.drey.foundation.Arena;
import io.drey.foundation.Checksum;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockCompressor;
import io.drey.store.block.BlockLayout;
import io.drey.store.file.FileHeader;
import io.drey.store.file.FileId;
import io.drey.store.file.FileOutput;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes a value log, see {@link ValueLogLayout}, value after value. One thread. Ends with {@link #finish} or {@link
 * #abort}.
 */
final class ValueLogWriter {
    private final WritableFile file;
    private final FileId id;
    private final long seed;
    private final FileOutput output;
    private final BlockCompressor.Sink sink;
    private boolean open = true;

    /** Takes over the file, and closes it if it throws. */
    ValueLogWriter(WritableFile file, FileId id, int bufferBytes, Arena arena, Overdraft overdraft) throws IOException {
        this.file = file;
        this.id = id;
        this.seed = id.seed();
        this.output = new FileOutput(file, bufferBytes, arena, overdraft);
        this.sink = output::write;
        boolean begun = false;
        try (Scratch header = new Scratch(arena, overdraft)) {
            long at = header.reserve(FileHeader.BYTES);
            ValueLogLayout.HEADER.encode(at, id, new Checksum());
            output.write(at, FileHeader.BYTES);
            begun = true;
        } finally {
            if (!begun) {
                abort();
            }
        }
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
    int add(long value, int length, BlockCompressor compressor, long pointer) throws IOException {
        long offset = output.position();
        int stored = compressor.compress(value, length, BlockLayout.seed(seed, offset), sink);
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

    /**
     * Closes the file and gives back all memory; deleting the file is the caller's. Does nothing after {@link #finish}.
     */
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
