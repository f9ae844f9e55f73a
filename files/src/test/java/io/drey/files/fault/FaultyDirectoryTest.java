package io.drey.files.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.DirectoryContract;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import io.drey.files.memory.MemoryDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class FaultyDirectoryTest extends DirectoryContract {
    private final MemoryDirectory inner = new MemoryDirectory();

    @Override
    protected FaultyDirectory directory() {
        return new FaultyDirectory(inner);
    }

    /** Create, write, sync, open, read, delete: each of the six fails in its turn, and nothing else does. */
    @Test
    void failsExactlyTheIoItWasToldTo() throws IOException {
        for (int io = 0; io < 6; io++) {
            FaultyDirectory directory = directory();
            directory.failAt(io);
            AtomicInteger done = new AtomicInteger();
            assertThatThrownBy(() -> sixIos(directory, done))
                    .isInstanceOf(InjectedFaultException.class)
                    .hasMessageContaining("as I/O " + io);
            assertThat(done).hasValue(io);
            assertThat(inner.openFiles()).isZero();
            inner.delete("a");
            sixIos(directory, done);
        }
        FaultyDirectory directory = directory();
        sixIos(directory, new AtomicInteger());
        assertThat(directory.ios()).isEqualTo(6);
    }

    private static void sixIos(FaultyDirectory directory, AtomicInteger done) throws IOException {
        try (WritableFile file = directory.create("a")) {
            done.incrementAndGet();
            file.write(ByteBuffer.wrap(new byte[] {1}));
            done.incrementAndGet();
            file.sync();
            done.incrementAndGet();
        }
        try (ReadableFile file = directory.open("a")) {
            done.incrementAndGet();
            file.read(0, ByteBuffer.allocate(1));
            done.incrementAndGet();
        }
        directory.delete("a");
        done.incrementAndGet();
    }

    @Test
    void failsForGoodUntilHealed() throws IOException {
        FaultyDirectory directory = directory();
        directory.failFrom(1);
        assertThat(directory.list()).isEmpty();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(directory::list).isInstanceOf(InjectedFaultException.class);
        }
        assertThatThrownBy(() -> directory.exists("a")).isInstanceOf(InjectedFaultException.class);
        assertThatThrownBy(directory::usableBytes).isInstanceOf(InjectedFaultException.class);
        directory.heal();
        assertThat(directory.list()).isEmpty();
    }

    @Test
    void runsOutOfSpaceInTheMiddleOfAWrite() throws IOException {
        FaultyDirectory directory = directory();
        directory.spaceLeft(5);
        try (WritableFile file = directory.create("a")) {
            file.write(ByteBuffer.wrap("abc".getBytes(UTF_8)));
            assertThat(directory.usableBytes()).isEqualTo(2);
            assertThatThrownBy(() -> file.write(ByteBuffer.wrap("def".getBytes(UTF_8))))
                    .isInstanceOf(InjectedFaultException.class)
                    .hasMessageContaining("full, 1 bytes of a do not fit");
            assertThat(file.position()).isEqualTo(5);
        }
        assertThat(read(directory, "a")).isEqualTo("abcde");
    }

    @Test
    void aWriteThatFailedGoesOnWithWhatIsLeft() throws IOException {
        FaultyDirectory directory = directory();
        directory.spaceLeft(5);
        ByteBuffer bytes = ByteBuffer.wrap("abcdefg".getBytes(UTF_8));
        try (WritableFile file = directory.create("a")) {
            assertThatThrownBy(() -> file.write(bytes)).isInstanceOf(InjectedFaultException.class);
            assertThat(bytes.remaining()).isEqualTo(2);
            directory.spaceLeft(2);
            file.write(bytes);
        }
        assertThat(read(directory, "a")).isEqualTo("abcdefg");
    }

    @Test
    void aFileWrittenInBlocksStaysFailed() throws IOException {
        FaultyDirectory directory = directory();
        directory.writeBlocks(4);
        directory.spaceLeft(5);
        try (WritableFile file = directory.create("a")) {
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(8))).isInstanceOf(InjectedFaultException.class);
            directory.heal();
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(3))).isInstanceOf(InjectedFaultException.class);
        }
        assertThat(read(directory, "a")).hasSize(5);
    }

    @Test
    void refusesToDelete() throws IOException {
        FaultyDirectory directory = directory();
        write(directory, "a", "1");
        directory.failDeletes(true);
        assertThatThrownBy(() -> directory.delete("a")).isInstanceOf(InjectedFaultException.class);
        assertThat(directory.exists("a")).isTrue();
        directory.failDeletes(false);
        directory.delete("a");
        assertThat(directory.exists("a")).isFalse();
    }

    @Test
    void runsSomethingBeforeEachIo() throws IOException {
        FaultyDirectory directory = directory();
        AtomicInteger ios = new AtomicInteger();
        directory.beforeEach(ios::incrementAndGet);
        write(directory, "a", "1");
        assertThat(read(directory, "a")).isEqualTo("1");
        assertThat(ios).hasValue(5);
        assertThat(directory.ios()).isEqualTo(5);
    }

    @Test
    void readsSeeFlippedBits() throws IOException {
        FaultyDirectory directory = directory();
        write(directory, "a", "abcd");
        directory.flip("a", 8);
        directory.flip("a", 24);
        assertThat(read(directory, "a")).isEqualTo("acce");
        try (ReadableFile file = directory.open("a")) {
            ByteBuffer buffer = ByteBuffer.allocate(4).position(1).limit(3);
            file.read(1, buffer);
            assertThat(buffer.array()).containsExactly(0, 'c', 'c', 0);
        }
        directory.flip("a", 8);
        assertThat(read(directory, "a")).isEqualTo("abce");
        directory.heal();
        assertThat(read(directory, "a")).isEqualTo("abcd");
    }
}
