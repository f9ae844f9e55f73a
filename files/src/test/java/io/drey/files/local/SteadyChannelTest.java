package io.drey.files.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interrupts at chosen points, and channels that move little at a time. */
final class SteadyChannelTest {
    @TempDir
    Path path;

    private final List<StingyChannel> opened = new ArrayList<>();

    private Path file(String content) throws IOException {
        return Files.writeString(path.resolve("file"), content);
    }

    private ChannelSource stingy(Path file, int bytesAtOnce, int callsUntilInterrupt) {
        return () -> {
            StingyChannel channel = StingyChannel.open(file, bytesAtOnce, callsUntilInterrupt);
            opened.add(channel);
            return channel;
        };
    }

    @Test
    void hidesShortReads() throws IOException {
        Path file = file("0123456789");
        try (ReadableFile reader = new LocalReadableFile("file", "file", stingy(file, 3, Integer.MAX_VALUE))) {
            ByteBuffer buffer = ByteBuffer.allocate(8);
            reader.read(1, buffer);
            assertThat(new String(buffer.array(), UTF_8)).isEqualTo("12345678");
        }
        assertThat(opened).hasSize(1).noneMatch(StingyChannel::isOpen);
    }

    @Test
    void hidesShortWrites() throws IOException {
        Path file = file("");
        try (WritableFile writer = new LocalWritableFile("file", "file", stingy(file, 3, 2), open -> {})) {
            writer.write(ByteBuffer.wrap("0123456789".getBytes(UTF_8)));
            assertThat(writer.position()).isEqualTo(10);
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Files.readString(file)).isEqualTo("0123456789");
        assertThat(opened).hasSizeGreaterThan(1).noneMatch(StingyChannel::isOpen);
    }

    @Test
    void aWriteThatFailedGoesOnWithWhatIsLeft() throws IOException {
        Path file = file("");
        ChannelSource failing = () -> {
            int calls = opened.isEmpty() ? 2 : opened.size() > SteadyChannel.REOPENS_MAX ? Integer.MAX_VALUE : 0;
            return stingy(file, 3, calls).open();
        };
        ByteBuffer bytes = ByteBuffer.wrap("0123456789".getBytes(UTF_8));
        try (WritableFile writer = new LocalWritableFile("file", "file", failing, open -> {})) {
            assertThatThrownBy(() -> writer.write(bytes)).hasMessageContaining("gave up");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(bytes.remaining()).isEqualTo(4);
            writer.write(bytes);
            assertThat(writer.position()).isEqualTo(10);
        }
        assertThat(Files.readString(file)).isEqualTo("0123456789");
    }

    @Test
    void goesOnWhereAnInterruptStruck() throws IOException {
        Path file = file("0123456789");
        try (ReadableFile reader = new LocalReadableFile("file", "file", stingy(file, 2, 2))) {
            ByteBuffer buffer = ByteBuffer.allocate(10);
            reader.read(0, buffer);
            assertThat(new String(buffer.array(), UTF_8)).isEqualTo("0123456789");
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(opened).hasSizeGreaterThan(2).noneMatch(StingyChannel::isOpen);
    }

    @Test
    void givesUpOnEndlessInterruptsAndKeepsTheFlag() throws IOException {
        Path file = file("0123456789");
        try (ReadableFile reader = new LocalReadableFile("file", "file", stingy(file, 2, 0))) {
            assertThatThrownBy(() -> reader.read(0, ByteBuffer.allocate(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("gave up on file after " + SteadyChannel.REOPENS_MAX + " interrupts of its users");
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(opened).hasSize(SteadyChannel.REOPENS_MAX + 1).noneMatch(StingyChannel::isOpen);
    }

    @Test
    void saysThatAFileWasDeletedWhenItCannotBeReopened() throws IOException {
        LocalDirectory directory = LocalDirectory.at(path);
        Path file = file("0123456789");
        List<Integer> calls = new ArrayList<>();
        ChannelSource source = () -> {
            calls.add(1);
            return StingyChannel.open(file, 2, 0);
        };
        try (ReadableFile reader = new LocalReadableFile("file", "file", source)) {
            directory.delete("file");
            assertThatThrownBy(() -> reader.read(0, ByteBuffer.allocate(10))).isInstanceOf(IOException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(calls).hasSize(2);
    }

    @Test
    void anEndThatCameNearerIsAnError() throws IOException {
        Path file = file("0123456789");
        try (ReadableFile reader = new LocalReadableFile("file", "the file", stingy(file, 4, Integer.MAX_VALUE))) {
            Files.writeString(file, "01234");
            assertThatThrownBy(() -> reader.read(0, ByteBuffer.allocate(10)))
                    .hasMessageContaining("expected 10 bytes in the file, found its end at 5");
        }
    }

    /**
     * Direct reads through a channel that returns little and is interrupted: from whole blocks on, every byte is right.
     */
    @Test
    void directReadsGoOnWhereAnInterruptStruck() throws IOException {
        byte[] content = new byte[50_000];
        new Random(1).nextBytes(content);
        Path file = Files.write(path.resolve("file"), content);
        DirectIo io = new DirectIo(4096, new BounceBuffers(1));
        for (int bytesAtOnce : new int[] {4096, 5000, 9000}) {
            try (ReadableFile reader = new LocalReadableFile("file", "file", stingy(file, bytesAtOnce, 3), io)) {
                ByteBuffer buffer = ByteBuffer.allocate(45_000);
                reader.read(3000, buffer);
                assertThat(buffer.array()).isEqualTo(Arrays.copyOfRange(content, 3000, 48_000));
                assertThat(Thread.interrupted()).isTrue();
            }
        }
        assertThat(opened).hasSizeGreaterThan(6).noneMatch(StingyChannel::isOpen);
    }

    @Test
    void directWritesGoOnWhereAnInterruptStruck() throws IOException {
        byte[] content = new byte[50_000];
        new Random(1).nextBytes(content);
        Path file = file("");
        DirectIo io = new DirectIo(4096, new BounceBuffers(1));
        try (WritableFile writer =
                new DirectWritableFile("file", "file", io, stingy(file, 5000, 3), stingy(file, 100, 2), open -> {})) {
            writer.write(ByteBuffer.wrap(content, 0, 30_000));
            writer.sync();
            writer.write(ByteBuffer.wrap(content, 30_000, 20_000));
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        assertThat(opened).hasSizeGreaterThan(6).noneMatch(StingyChannel::isOpen);
    }

    /** After a write that failed, the file is of no use; its close says nothing more. */
    @Test
    void aDirectFileThatFailedStaysFailed() throws IOException {
        Path file = file("");
        DirectIo io = new DirectIo(4096, new BounceBuffers(1));
        try (WritableFile writer = new DirectWritableFile(
                "file", "the file", io, stingy(file, 5000, 0), stingy(file, 5000, Integer.MAX_VALUE), open -> {})) {
            assertThatThrownBy(() -> writer.write(ByteBuffer.allocate(5000)))
                    .hasMessageContaining("gave up on the file");
            assertThat(Thread.interrupted()).isTrue();
            assertThatThrownBy(() -> writer.write(ByteBuffer.allocate(1))).hasMessageContaining("one failed before");
            assertThatThrownBy(writer::sync).hasMessageContaining("write the file again");
        }
        assertThat(file).isEmptyFile();
    }
}
