package io.drey.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
}
