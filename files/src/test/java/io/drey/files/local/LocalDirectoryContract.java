package io.drey.files.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.DirectoryContract;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a {@link LocalDirectory} must do, whichever way it reads and writes. */
public abstract class LocalDirectoryContract extends DirectoryContract {
    @TempDir
    public Path path;

    @Override
    protected abstract LocalDirectory directory() throws IOException;

    @Test
    void listsFilesOnly() throws IOException {
        LocalDirectory directory = directory();
        Files.createDirectory(directory.path().resolve("nested"));
        write(directory, "a", "1");
        assertThat(directory.list()).containsExactly("a");
    }

    @Test
    void saysThatTheDirectoryIsGone() throws IOException {
        LocalDirectory directory = directory();
        Files.delete(directory.path());
        assertThatThrownBy(directory::usableBytes)
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("it was deleted");
    }

    /** The system's words, as "Too many open files", do not say what to do. */
    @Test
    void aFileThatCannotBeOpenedIsNamedWithWhatToLookAt() throws IOException {
        LocalDirectory directory = directory();
        Path loop = directory.path().resolve("a");
        Files.createSymbolicLink(loop, loop);
        assertThatThrownBy(() -> directory.open("a"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(loop.toString())
                .hasMessageContaining("ulimit -n");
    }

    @Test
    void anInterruptedThreadReadsAndWritesAndStaysInterrupted() throws IOException {
        LocalDirectory directory = directory();
        write(directory, "a", "0123456789");
        Thread.currentThread().interrupt();
        assertThat(read(directory, "a")).isEqualTo("0123456789");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        write(directory, "b", "abc");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(read(directory, "b")).isEqualTo("abc");
    }

    /** Four threads read one file while another interrupts them as fast as it can; all bytes must be right. */
    @Test
    void interruptsDisturbNoReader() throws Exception {
        LocalDirectory directory = directory();
        byte[] content = new byte[1 << 20];
        new Random(1).nextBytes(content);
        try (WritableFile file = directory.create("a")) {
            file.write(ByteBuffer.wrap(content));
        }
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicInteger interruptsSeen = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        try (ReadableFile file = directory.open("a")) {
            Thread[] readers = new Thread[4];
            for (int i = 0; i < readers.length; i++) {
                int seed = i;
                readers[i] = new Thread(() -> readAll(file, content, seed, interruptsSeen, failure));
                readers[i].start();
            }
            Thread interrupter = new Thread(() -> {
                while (!done.get()) {
                    for (Thread reader : readers) {
                        reader.interrupt();
                    }
                    LockSupport.parkNanos(100_000);
                }
            });
            interrupter.start();
            for (Thread reader : readers) {
                reader.join();
            }
            done.set(true);
            interrupter.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(interruptsSeen.get()).isPositive();
    }

    private static void readAll(
            ReadableFile file, byte[] content, int seed, AtomicInteger seen, AtomicReference<Throwable> failure) {
        try {
            Random random = new Random(seed);
            ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);
            byte[] found = new byte[64 << 10];
            for (int i = 0; i < 500; i++) {
                int position = random.nextInt(content.length - found.length);
                file.read(position, buffer.clear());
                buffer.flip().get(found);
                for (int k = 0; k < found.length; k++) {
                    if (found[k] != content[position + k]) {
                        throw new AssertionError("wrong byte at " + (position + k));
                    }
                }
                if (Thread.interrupted()) {
                    seen.incrementAndGet();
                }
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            failure.compareAndSet(null, e);
        }
    }

    @Test
    void anInterruptedWriterWritesEverythingOnce() throws Exception {
        LocalDirectory directory = directory();
        StringBuilder expected = new StringBuilder();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean written = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            try (WritableFile file = directory.create("a")) {
                for (int i = 0; i < 20_000; i++) {
                    String line = "line " + i + "\n";
                    expected.append(line);
                    file.write(ByteBuffer.wrap(line.getBytes(UTF_8)));
                }
                written.set(true);
                file.sync();
            } catch (IOException | RuntimeException e) {
                failure.set(e);
            }
        });
        writer.start();
        while (!written.get() && writer.isAlive()) {
            writer.interrupt();
            LockSupport.parkNanos(100_000);
        }
        writer.join();
        assertThat(failure.get()).isNull();
        assertThat(read(directory, "a")).isEqualTo(expected.toString());
    }
}
