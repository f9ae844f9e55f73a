package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
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
                    if (bytes[0] < 0) {
                        throw new IllegalStateException("503, slow down");
                    }
                    if (getPos() + length > ROOM) {
                        throw new IOException("No space left on device");
                    }
                    super.write(bytes, offset, length);
                }
            };
        }
    }

    /** A client that throws no IOException, but only such a failure is tried again. */
    @Test
    void whatAClientThrowsIsAFailureOfTheStorage() throws IOException {
        try (NamedStream stream = stream()) {
            assertThatThrownBy(() -> stream.write(new byte[] {-1}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("after 0 bytes: ", "503, slow down")
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
        Path denied = directory(() -> {
            throw new IllegalStateException("503, slow down");
        });
        assertThatThrownBy(() -> NamedStream.create(denied, "b", trash::add))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("503, slow down")
                .hasCauseInstanceOf(IllegalStateException.class);
        Path cancelled = directory(() -> {
            throw new CancellationException("not wanted");
        });
        assertThatThrownBy(() -> NamedStream.create(cancelled, "b", trash::add))
                .isInstanceOf(CancellationException.class);
    }

    private Path directory(Supplier<FileSystem> fileSystem) {
        return new Path(directory.toUri()) {
            @Override
            public FileSystem getFileSystem() {
                return fileSystem.get();
            }
        };
    }

    private NamedStream stream() throws IOException {
        return NamedStream.create(directory(FullFileSystem::new), "drey-1-1-x", trash::add);
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
