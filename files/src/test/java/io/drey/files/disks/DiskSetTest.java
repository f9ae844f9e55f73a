package io.drey.files.disks;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.DirectoryContract;
import io.drey.files.DiskFullException;
import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import io.drey.files.fault.FaultyDirectory;
import io.drey.files.fault.InjectedFaultException;
import io.drey.files.memory.MemoryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DiskSetTest extends DirectoryContract {
    private static final long MILLI = 1_000_000;

    private final AtomicLong clock = new AtomicLong();
    private final MemoryDirectory firstDisk = new MemoryDirectory();
    private final MemoryDirectory secondDisk = new MemoryDirectory();
    private final FaultyDirectory first = new FaultyDirectory(firstDisk);
    private final FaultyDirectory second = new FaultyDirectory(secondDisk);

    @Override
    protected DiskSet directory() {
        return new DiskSet(List.of(first, second), 100, clock::get);
    }

    private void latency(FaultyDirectory directory, long millis) {
        directory.beforeEach(() -> clock.addAndGet(millis * MILLI));
    }

    @Test
    void filesGoToTheFasterDirectory() throws IOException {
        latency(first, 20);
        latency(second, 1);
        DiskSet directory = directory();
        for (int i = 0; i < 20; i++) {
            write(directory, "f" + i, "content");
        }
        assertThat(secondDisk.list()).hasSizeGreaterThan(15);
        assertThat(firstDisk.list()).isNotEmpty();
        assertThat(directory.list()).hasSize(20);
        for (int i = 0; i < 20; i++) {
            assertThat(read(directory, "f" + i)).isEqualTo("content");
        }
    }

    @Test
    void aDirectoryThatWasSlowIsTriedAgainLater() throws IOException {
        latency(first, 20);
        latency(second, 1);
        DiskSet directory = directory();
        for (int i = 0; i < 10; i++) {
            write(directory, "f" + i, "content");
        }
        int before = firstDisk.list().size();
        write(directory, "a", "content");
        assertThat(firstDisk.list()).hasSize(before);
        clock.addAndGet(3_600_000 * MILLI);
        // The fast one is in use, the slow one was not for an hour.
        write(directory, "b", "content");
        write(directory, "c", "content");
        assertThat(firstDisk.list()).hasSizeGreaterThan(before);
    }

    @Test
    void filesBeingWrittenSpread() throws IOException {
        latency(first, 1);
        latency(second, 1);
        DiskSet directory = directory();
        write(directory, "a", "1");
        write(directory, "b", "1");
        for (int i = 0; i < 6; i++) {
            directory.create("open" + i).write(ByteBuffer.allocate(1));
        }
        assertThat(firstDisk.list().size()).isBetween(3, 5);
        assertThat(secondDisk.list().size()).isBetween(3, 5);
    }

    @Test
    void theDirectoryWithMostSpaceIsTakenIfNoneHasEnough() throws IOException {
        first.spaceLeft(40);
        second.spaceLeft(60);
        DiskSet directory = directory();
        write(directory, "a", "1");
        assertThat(secondDisk.list()).containsExactly("a");
        assertThat(directory.usableBytes()).isEqualTo(59);
    }

    /** The disk may be full before any byte of a file. */
    @Test
    void aFileMovesToTheNextDirectoryWhereverTheFirstIsFull() throws IOException {
        String content = "0123456789".repeat(20);
        for (int space = 0; space <= content.length(); space++) {
            MemoryDirectory small = new MemoryDirectory(space);
            MemoryDirectory large = new MemoryDirectory();
            FaultyDirectory slow = new FaultyDirectory(large);
            latency(slow, 50);
            DiskSet directory = new DiskSet(List.of(small, slow), 0, clock::get);
            write(directory, "warm", "");
            try (WritableFile file = directory.create("a")) {
                for (int at = 0; at < content.length(); at += 7) {
                    byte[] bytes = content.substring(at, Math.min(content.length(), at + 7))
                            .getBytes(US_ASCII);
                    file.write(ByteBuffer.wrap(bytes));
                    assertThat(file.position()).isEqualTo(at + bytes.length);
                }
            }
            assertThat(read(directory, "a")).isEqualTo(content);
            assertThat(small.exists("a")).isEqualTo(space == content.length());
            assertThat(large.exists("a")).isNotEqualTo(small.exists("a"));
            assertThat(small.openFiles() + large.openFiles()).isZero();
            directory.delete("a");
            assertThat(small.exists("a") || large.exists("a")).isFalse();
        }
    }

    /** Of direct I/O some bytes are in memory only when a write, or the close, finds the disk full. */
    @Test
    void aFileWrittenInBlocksMovesToTheNextDirectoryWhereverTheFirstIsFull() throws IOException {
        String content = "0123456789".repeat(20);
        for (int space = 0; space <= content.length(); space++) {
            MemoryDirectory small = new MemoryDirectory(space);
            MemoryDirectory large = new MemoryDirectory();
            FaultyDirectory blocks = new FaultyDirectory(small);
            blocks.writeBlocks(16);
            FaultyDirectory slow = new FaultyDirectory(large);
            slow.writeBlocks(16);
            latency(slow, 50);
            DiskSet directory = new DiskSet(List.of(blocks, slow), 0, clock::get);
            write(directory, "warm", "");
            write(directory, "a", content);
            try (WritableFile file = directory.create("b")) {
                for (int at = 0; at < content.length(); at += 10) {
                    file.write(ByteBuffer.wrap("0123456789".getBytes(US_ASCII)));
                    assertThat(file.position()).isEqualTo(at + 10);
                }
            }
            assertThat(read(directory, "a")).isEqualTo(content);
            assertThat(read(directory, "b")).isEqualTo(content);
            assertThat(small.openFiles() + large.openFiles()).isZero();
        }
    }

    @Test
    void whenAllAreFullTheErrorSaysSoAndReadsGoOn() throws IOException {
        for (long space = 0; space < 40; space++) {
            MemoryDirectory a = new MemoryDirectory(20 + space / 2);
            MemoryDirectory b = new MemoryDirectory(20 + space);
            DiskSet directory = new DiskSet(List.of(a, b), 0, clock::get);
            write(directory, "kept", "0123456789");
            WritableFile file = directory.create("large");
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(100)))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining("found all of them full")
                    .hasMessageContaining("bytes left")
                    .hasMessageContaining("add a directory to state.backend.drey.local-dir");
            file.close();
            directory.delete("large");
            assertThat(directory.list()).containsExactly("kept");
            assertThat(read(directory, "kept")).isEqualTo("0123456789");
            assertThat(a.openFiles() + b.openFiles()).isZero();
            write(directory, "small", "x");
            assertThat(read(directory, "small")).isEqualTo("x");
        }
    }

    @Test
    void aDirectoryThatFailsIsPassedOver() throws IOException {
        DiskSet directory = directory();
        write(directory, "before", "1");
        first.failFrom(0);
        second.failFrom(0);
        assertThatThrownBy(() -> directory.create("a")).isInstanceOf(IOException.class);
        second.heal();
        first.heal();
        latency(second, 30);
        write(directory, "slow1", "1");
        write(directory, "slow2", "1");
        first.failAt(2);
        WritableFile file = directory.create("a");
        file.close();
        assertThat(directory.exists("a")).isTrue();
    }

    @Test
    void aFailureOfADiskWithRoomIsNoFullDisk() throws IOException {
        DiskSet directory = directory();
        WritableFile file = directory.create("a");
        first.failFrom(0);
        second.failFrom(0);
        assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10)))
                .isNotInstanceOf(DiskFullException.class)
                .hasRootCauseInstanceOf(InjectedFaultException.class);
        first.heal();
        second.heal();
        file.close();
    }

    @Test
    void aFileMovesToTheNextDirectoryWhenWritesToTheFirstFail() throws IOException {
        String content = "0123456789".repeat(20);
        for (int block : List.of(1, 16)) {
            FaultyDirectory bad = new FaultyDirectory(new MemoryDirectory());
            MemoryDirectory good = new MemoryDirectory();
            FaultyDirectory slow = new FaultyDirectory(good);
            bad.writeBlocks(block);
            latency(slow, 50);
            DiskSet directory = new DiskSet(List.of(bad, slow), 10, clock::get);
            write(directory, "warm", "");
            for (int begun = 0; begun < content.length(); begun += 7) {
                try (WritableFile file = directory.create("a")) {
                    file.write(ByteBuffer.wrap(content.substring(0, begun).getBytes(US_ASCII)));
                    bad.failWrites(true);
                    file.write(ByteBuffer.wrap(content.substring(begun).getBytes(US_ASCII)));
                }
                bad.failWrites(false);
                assertThat(read(directory, "a")).isEqualTo(content);
                assertThat(good.exists("a")).isTrue();
                assertThat(bad.exists("a")).isFalse();
                directory.delete("a");
                clock.addAndGet(TimeUnit.HOURS.toNanos(1));
            }
        }
    }

    @Test
    void aDirectoryWhoseWritesFailIsNotPreferred() throws IOException {
        latency(second, 1);
        first.failWrites(true);
        DiskSet directory = directory();
        for (int i = 0; i < 20; i++) {
            write(directory, "f" + i, "content");
        }
        assertThat(directory.stats().get(0).failures()).isLessThan(5);
        assertThat(secondDisk.list()).hasSize(20);
        first.failWrites(false);
        clock.addAndGet(TimeUnit.HOURS.toNanos(1));
        write(directory, "later", "content");
        write(directory, "last", "content");
        assertThat(firstDisk.list()).isNotEmpty();
    }

    /** As a file system that is read-only now: what nobody needs is no reason to end what goes on elsewhere. */
    @Test
    void aFileGoesThoughOneOfSeveralDirectoriesRefusesToDelete() throws IOException {
        DiskSet directory = directory();
        write(directory, "a", "1");
        write(directory, "b", "1");
        first.failDeletes(true);
        directory.delete("a");
        directory.delete("b");
        assertThat(directory.stats().get(0).failures()).isPositive();
        assertThat(directory.checksum("a")).isEqualTo(FileChecksum.NONE);
        DiskSet alone = new DiskSet(List.of(first), 100, clock::get);
        write(alone, "c", "1");
        assertThatThrownBy(() -> alone.delete("c")).isInstanceOf(InjectedFaultException.class);
    }

    /** Some file systems need space to delete. */
    @Test
    void aFileMovesThoughTheDirectoryThatIsFullRefusesToDelete() throws IOException {
        latency(second, 50);
        DiskSet directory = directory();
        write(directory, "warm1", "1");
        write(directory, "warm2", "1");
        try (WritableFile file = directory.create("a")) {
            file.write(ByteBuffer.wrap("0123".getBytes(US_ASCII)));
            assertThat(firstDisk.exists("a")).isTrue();
            first.spaceLeft(3);
            first.failDeletes(true);
            file.write(ByteBuffer.wrap("4567".getBytes(US_ASCII)));
        }
        assertThat(read(directory, "a")).isEqualTo("01234567");
        assertThat(secondDisk.exists("a")).isTrue();
    }

    /** The system's words may be a path, or neither say of what nor where. */
    @Test
    void aDirectoryThatTakesNoFileAlthoughThereIsRoomIsNamedWithTheReason() throws IOException {
        DiskSet directory = directory();
        WritableFile begun = directory.create("begun");
        first.failWrites(true);
        second.failWrites(true);
        String names = first.describe() + ", " + second.describe();
        assertThatThrownBy(() -> begun.write(ByteBuffer.allocate(1)))
                .hasMessageContaining("to take file begun, found none in " + names)
                .hasMessageContaining("InjectedFault")
                .hasMessageContaining("inodes")
                .hasCauseInstanceOf(InjectedFaultException.class);
        // After both were asked for the name and for their space.
        first.failAt(2);
        second.failAt(2);
        assertThatThrownBy(() -> directory.create("a"))
                .hasMessageContaining("to take file a, found none in " + names)
                .hasCauseInstanceOf(InjectedFaultException.class);
        first.heal();
        second.heal();
        begun.close();
    }

    /** The system says "File too large", or "Too many open files". */
    @Test
    void whereNoDirectoryTakesAFileThatComesByAndByTheErrorSaysWhatToLookAt() {
        DiskSet directory = directory();
        // Both are asked whether they have it, for their space, and then for the file.
        first.failAt(2);
        second.failAt(2);
        assertThatThrownBy(() -> directory.createSparse("a", 10))
                .isNotInstanceOf(DiskFullException.class)
                .hasRootCauseInstanceOf(InjectedFaultException.class)
                .hasMessageContaining("expected a local directory to take file a")
                .hasMessageContaining("ulimit -n, -f");
    }

    @Test
    void aDirectoryThatFailsIsNotCalledFull() throws IOException {
        DiskSet directory = directory();
        try (WritableFile file = directory.create("a")) {
            first.spaceLeft(3);
            // Both are asked for their space, and then for a file.
            second.failAt(1);
            assertThatThrownBy(() -> file.write(ByteBuffer.wrap("content".getBytes(US_ASCII))))
                    .isNotInstanceOf(DiskFullException.class)
                    .hasRootCauseInstanceOf(InjectedFaultException.class);
        }
    }

    /** What another store deletes is free again before the disk is asked for its space. */
    @Test
    void aWriteGoesOnWhereTheDiskThatWasFullHasRoomAgain() throws IOException {
        MemoryDirectory small = new MemoryDirectory(100);
        FaultyDirectory disk = new FaultyDirectory(small);
        DiskSet directory = new DiskSet(List.of(disk), 10, clock::get);
        write(directory, "other", "0".repeat(60));
        try (WritableFile file = directory.create("a")) {
            file.write(ByteBuffer.wrap("0123456789".getBytes(US_ASCII)));
            disk.beforeEach(() -> {
                if (small.usableBytes() == 0) {
                    small.delete("other");
                }
            });
            file.write(ByteBuffer.wrap("abcde".repeat(9).getBytes(US_ASCII)));
            assertThat(file.position()).isEqualTo(55);
        }
        assertThat(directory.list()).containsExactly("a");
        assertThat(read(directory, "a")).isEqualTo("0123456789" + "abcde".repeat(9));
        assertThat(directory.stats().get(0).failures()).isEqualTo(1);
    }

    @Test
    void wantOfMemoryIsNoFaultOfADisk() throws IOException {
        FaultyDirectory disk = new FaultyDirectory(firstDisk);
        DiskSet directory = new DiskSet(List.of(disk), 10, clock::get);
        write(directory, "a", "content");
        try (ReadableFile file = directory.open("a");
                WritableFile other = directory.create("b")) {
            disk.beforeEach(() -> {
                throw new OutOfMemoryError("Cannot reserve 131072 bytes of direct buffer memory");
            });
            assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(3))).isInstanceOf(OutOfMemoryError.class);
            assertThatThrownBy(() -> other.write(ByteBuffer.allocate(3))).isInstanceOf(OutOfMemoryError.class);
            disk.heal();
        }
        assertThat(directory.stats().get(0).failures()).isZero();
    }

    /** Many, because few are not sorted in a way that notices. */
    @Test
    void manyDirectoriesAreRankedWhileThreadsWriteThere() throws Exception {
        List<MemoryDirectory> many =
                Stream.generate(MemoryDirectory::new).limit(200).toList();
        DiskSet directory = new DiskSet(many, 0, System::nanoTime);
        for (int i = 0; i < many.size(); i++) {
            write(directory, "warm" + i, "content");
        }
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String name = "f" + i;
            Thread thread = new Thread(() -> writeOften(directory, name));
            thread.setUncaughtExceptionHandler((ignored, e) -> failure.set(e));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
    }

    private static void writeOften(DiskSet directory, String name) {
        try {
            for (int i = 0; i < 2_000; i++) {
                write(directory, name, "content");
                directory.delete(name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void countsWhatEachDirectoryDoes() throws IOException {
        latency(first, 2);
        latency(second, 4);
        DiskSet directory = directory();
        for (int i = 0; i < 8; i++) {
            write(directory, "f" + i, "12345");
            read(directory, "f" + i);
        }
        long reads = 0;
        long bytes = 0;
        for (DirectoryStats stats : directory.stats()) {
            assertThat(stats.queueDepth()).isZero();
            assertThat(stats.failures()).isZero();
            reads += stats.reads();
            bytes += stats.readBytes() + stats.writtenBytes();
            assertThat(stats.reads() == 0 || stats.latencyNanos() > 0).isTrue();
            assertThat(stats.readNanos()).isBetween(stats.reads() * 2 * MILLI, stats.reads() * 4 * MILLI);
        }
        clock.addAndGet(3_600_000 * MILLI);
        assertThat(directory.stats())
                .as("what nobody has used for an hour is not called slow")
                .allMatch(stats -> stats.latencyNanos() == 0);
        assertThat(reads).isEqualTo(8);
        assertThat(bytes).isEqualTo(80);
    }
}
