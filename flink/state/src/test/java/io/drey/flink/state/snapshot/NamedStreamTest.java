package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalDataOutputStream;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedStreamTest {
    private static final int ROOM = 8;

    @TempDir
    java.nio.file.Path directory;

    private final List<StreamStateHandle> trash = new ArrayList<>();

    /** Takes so many bytes, and no more. */
    private static final class FullFileSystem extends LocalFileSystem {
        @Override
        public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
            return new LocalDataOutputStream(new java.io.File(path.getPath())) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    if (getPos() + length > ROOM) {
                        throw new IOException("No space left on device");
                    }
                    super.write(bytes, offset, length);
                }
            };
        }
    }

    private NamedStream stream() throws IOException {
        Path in = new Path(directory.toUri()) {
            @Override
            public org.apache.flink.core.fs.FileSystem getFileSystem() {
                return new FullFileSystem();
            }
        };
        return NamedStream.create(in, "drey-1-1-x", trash::add);
    }

    @Test
    void aStorageWithoutRoomIsSaidWithTheFileAndWhatToDo() throws IOException {
        Path file = new Path(new Path(directory.toUri()), "drey-1-1-x");
        try (NamedStream stream = stream()) {
            stream.write(new byte[ROOM]);
            assertThatThrownBy(() -> stream.write(new byte[1]))
                    .isInstanceOf(IOException.class)
                    .hasMessage(file + " could not be written, after 8 bytes: No space left on device. Check that the"
                            + " checkpoint storage has room and can be reached; the next checkpoint tries again");
        }
        assertThat(trash).containsExactly(new FileStateHandle(file, 0));
    }

    @Test
    void whatWasWrittenIsReadUnderItsName() throws IOException {
        try (NamedStream stream = stream()) {
            stream.write(new byte[] {1, 2, 3});
            assertThat(stream.closeAndGetHandle().getStateSize()).isEqualTo(3);
        }
        assertThat(Files.readAllBytes(directory.resolve("drey-1-1-x"))).containsExactly(1, 2, 3);
        assertThat(trash).isEmpty();
    }
}
