package io.drey.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link Directory} must do. */
public abstract class DirectoryContract {
    protected abstract Directory directory() throws IOException;

    protected static void write(Directory directory, String name, String content) throws IOException {
        try (WritableFile file = directory.create(name)) {
            file.write(ByteBuffer.wrap(content.getBytes(UTF_8)));
            file.sync();
        }
    }

    protected static String read(Directory directory, String name) throws IOException {
        try (ReadableFile file = directory.open(name)) {
            ByteBuffer buffer = ByteBuffer.allocate((int) file.size());
            file.read(0, buffer);
            return new String(buffer.array(), UTF_8);
        }
    }

    @Test
    void returnsWhatWasWritten() throws IOException {
        Directory directory = directory();
        try (WritableFile file = directory.create("a")) {
            file.write(ByteBuffer.wrap("hello ".getBytes(UTF_8)));
            assertThat(file.position()).isEqualTo(6);
            file.write(ByteBuffer.wrap("world".getBytes(UTF_8)));
            assertThat(file.position()).isEqualTo(11);
            assertThat(file.name()).isEqualTo("a");
        }
        assertThat(read(directory, "a")).isEqualTo("hello world");
    }

    @Test
    void aSparseFileIsWrittenInAnyOrderAndReadMeanwhile() throws IOException {
        Directory directory = directory();
        byte[] bytes = new byte[10_000];
        new SplittableRandom(1).nextBytes(bytes);
        try (SparseFile file = directory.createSparse("a", bytes.length)) {
            assertThat(directory.exists("a")).isTrue();
            assertThat(directory.list()).containsExactly("a");
            assertThatThrownBy(() -> directory.createSparse("a", 1)).isInstanceOf(FileAlreadyExistsException.class);
            file.write(9_000, ByteBuffer.wrap(bytes, 9_000, 1_000));
            try (ReadableFile reader = directory.open("a")) {
                assertThat(reader.size()).isEqualTo(bytes.length);
                ByteBuffer end = ByteBuffer.allocate(1_000);
                reader.read(9_000, end);
                assertThat(end.array()).isEqualTo(Arrays.copyOfRange(bytes, 9_000, 10_000));
                file.write(0, ByteBuffer.wrap(bytes, 0, 9_000));
                ByteBuffer all = ByteBuffer.allocate(bytes.length);
                reader.read(0, all);
                assertThat(all.array()).isEqualTo(bytes);
            }
            assertThatThrownBy(() -> file.write(9_999, ByteBuffer.allocate(2)))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("expected to write within 10000 bytes");
        }
        directory.delete("a");
        assertThat(directory.exists("a")).isFalse();
        directory.createSparse("empty", 0).close();
        assertThat(read(directory, "empty")).isEmpty();
    }

    @Test
    void readsAtPositionsIntoTheRestOfABuffer() throws IOException {
        Directory directory = directory();
        write(directory, "a", "0123456789");
        try (ReadableFile file = directory.open("a")) {
            assertThat(file.size()).isEqualTo(10);
            assertThat(file.name()).isEqualTo("a");
            ByteBuffer buffer = ByteBuffer.allocateDirect(8).position(2).limit(6);
            file.read(5, buffer);
            assertThat(buffer.position()).isEqualTo(6);
            byte[] all = new byte[8];
            buffer.clear().get(all);
            assertThat(new String(all, UTF_8)).isEqualTo("\0\0005678\0\0");
        }
    }

    @Test
    void refusesToReadBeyondTheEnd() throws IOException {
        Directory directory = directory();
        write(directory, "a", "0123456789");
        try (ReadableFile file = directory.open("a")) {
            assertThatThrownBy(() -> file.read(5, ByteBuffer.allocate(6)))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("expected 6 bytes at 5 of ")
                    .hasMessageContaining("found only 10 bytes");
            assertThatThrownBy(() -> file.read(-1, ByteBuffer.allocate(1))).isInstanceOf(EOFException.class);
            file.read(10, ByteBuffer.allocate(0));
        }
    }

    @Test
    void writesAFileOnce() throws IOException {
        Directory directory = directory();
        write(directory, "a", "x");
        assertThatThrownBy(() -> directory.create("a"))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("files are written once");
        directory.delete("a");
        write(directory, "a", "y");
        assertThat(read(directory, "a")).isEqualTo("y");
    }

    @Test
    void listsDeletesAndMissesFiles() throws IOException {
        Directory directory = directory();
        write(directory, "b", "");
        write(directory, "a", "1");
        assertThat(directory.list()).containsExactly("a", "b");
        assertThat(directory.exists("a")).isTrue();
        directory.delete("a");
        directory.delete("a");
        assertThat(directory.exists("a")).isFalse();
        assertThat(directory.list()).containsExactly("b");
        assertThatThrownBy(() -> directory.open("a"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("found none of that name");
        assertThat(directory.usableBytes()).isPositive();
        assertThat(directory.describe()).isNotEmpty();
    }

    @Test
    void aDeletedFileStaysReadableForThoseWhoHaveIt() throws IOException {
        Directory directory = directory();
        write(directory, "a", "1");
        try (ReadableFile file = directory.open("a")) {
            directory.delete("a");
            ByteBuffer buffer = ByteBuffer.allocate(1);
            file.read(0, buffer);
            assertThat(buffer.array()).containsExactly('1');
        }
    }

    @Test
    void aClosedFileCannotBeUsed() throws IOException {
        Directory directory = directory();
        write(directory, "a", "1");
        ReadableFile reader = directory.open("a");
        reader.close();
        reader.close();
        assertThatThrownBy(() -> reader.read(0, ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("found it closed");
        SparseFile sparse = directory.createSparse("c", 1);
        sparse.close();
        sparse.close();
        assertThatThrownBy(() -> sparse.write(0, ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("found it closed");
        WritableFile writer = directory.create("b");
        writer.close();
        writer.close();
        assertThatThrownBy(() -> writer.write(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("found it closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "a\\b", "a b", "\0"})
    void refusesNamesThatAreNotPlain(String name) throws IOException {
        Directory directory = directory();
        assertThatThrownBy(() -> directory.create(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a plain file name");
        assertThatThrownBy(() -> directory.open(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> directory.delete(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> directory.exists(name)).isInstanceOf(IllegalArgumentException.class);
    }
}
