package io.drey.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.DelegatingReader;
import io.drey.files.FarAwayException;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.DreyException;
import io.drey.foundation.FileFaults;
import io.drey.foundation.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Reads that fail. */
final class FileReadsTest {
    private static final int LENGTH = 10;

    private static void readFails(IOException failure, String message, long faults) throws IOException {
        MemoryDirectory directory = new MemoryDirectory();
        try (WritableFile file = directory.create("a")) {
            file.write(ByteBuffer.allocate(LENGTH));
        }
        ReadableFile failing = new DelegatingReader(directory.open("a")) {
            @Override
            public void read(long position, ByteBuffer into) throws IOException {
                throw failure;
            }
        };
        long memory = Memory.allocate(LENGTH);
        long before = FileFaults.count();
        try (failing) {
            assertThatThrownBy(() -> new FileReads().read(failing, 0, memory, LENGTH))
                    .isInstanceOf(DreyException.class)
                    .hasMessage("expected to read 10 bytes at 0 of file a, found " + message);
        } finally {
            Memory.free(memory, LENGTH);
        }
        assertThat(FileFaults.count() - before).isEqualTo(faults);
    }

    @Test
    void aDiskThatFailsHasABadFile() throws IOException {
        readFails(new IOException("Input/output error"), "Input/output error; check the disk", 1);
    }

    /** As when a task is cancelled, or the checkpoint storage is away. */
    @Test
    void whatIsFarAwayAndDoesNotComeIsNoBadFile() throws IOException {
        readFails(new FarAwayException(new IOException("bucket is away")), "bucket is away", 0);
    }
}
