package io.drey.flink.state.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.files.disks.DiskSet;
import io.drey.files.memory.MemoryDirectory;
import io.drey.files.remote.Downloads;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.LimitedConnectionsFileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A storage of which Flink bounds the open streams: {@code fs.<scheme>.limit.input}. */
class LimitedConnectionsTest {
    private static final int FILES = 12;
    private static final int BYTES = 200_000;

    @TempDir
    java.nio.file.Path base;

    private final FileSystem limited = new LimitedConnectionsFileSystem(FileSystem.getLocalFileSystem(), 0, 0, 4, 0, 0);
    private final DiskSet local = new DiskSet(List.of(new MemoryDirectory()), 0, () -> 0);
    private final Downloads.Listener listener = new Downloads.Listener() {
        @Override
        public void whole(long nanos) {}

        @Override
        public void failed(IOException cause) {
            throw new IllegalStateException(cause);
        }
    };

    private RemoteHandle remote(String name) throws IOException {
        java.nio.file.Path file = Files.write(base.resolve(name), new byte[BYTES]);
        return new RemoteHandle(new FileInfo(name, BYTES), new FileStateHandle(new Path(file.toUri()), BYTES) {
            @Override
            public FSDataInputStream openInputStream() throws IOException {
                return limited.open(getFilePath());
            }
        });
    }

    @Test
    @Timeout(60)
    void moreFilesThanConnectionsAreReadBeforeTheyHaveCome() throws IOException {
        try (Downloads downloads = new Downloads(Downloads.Limits.DEFAULT, System::nanoTime, listener)) {
            for (int file = 0; file < FILES; file++) {
                local.add(downloads, remote("f" + file), FileChecksum.NONE);
            }
            for (int file = 0; file < FILES; file++) {
                try (ReadableFile in = local.open("f" + file)) {
                    ByteBuffer buffer = ByteBuffer.allocate(10);
                    in.read(BYTES / 2, buffer);
                    assertThat(buffer.hasRemaining()).isFalse();
                }
            }
        }
    }
}
