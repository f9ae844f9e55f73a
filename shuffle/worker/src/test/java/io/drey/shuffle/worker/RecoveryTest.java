package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.expected;
import static io.drey.shuffle.worker.WriteAndReadTest.fill;
import static io.drey.shuffle.worker.WriteAndReadTest.manifest;
import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static io.drey.shuffle.worker.WriteAndReadTest.region;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.TestClient.Block;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that starts finds what its directories hold, and cuts what was never acknowledged. */
final class RecoveryTest {
    private static final PartitionKey KEY = new PartitionKey("job", "exchange", 0, 1);
    private static final PartitionKey OTHER = new PartitionKey("job", "exchange", 1, -1);

    @TempDir
    Path directory;

    private static Path only(Path root, String pattern) throws Exception {
        try (Stream<Path> found = Files.walk(root)) {
            List<Path> all = found.filter(each -> each.getFileName().toString().matches(pattern))
                    .toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }

    @Test
    void theSameWorkerComesBackWithItsPartitions() throws Exception {
        UUID id;
        UUID incarnation;
        List<List<Block>> written;
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            id = worker.id();
            incarnation = client.welcome.incarnation();
            written = fill(client, KEY, 5, 6, 1);
        }
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(worker.id()).isEqualTo(id);
            assertThat(client.welcome.incarnation()).isEqualTo(incarnation);
            assertThat(client.read(KEY, 0, 5, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 5));
        }
    }

    /** Arabic, for one, has digits of its own. */
    @Test
    void partitionsComeBackWhateverDigitsALocaleHas() throws Exception {
        Locale before = Locale.getDefault(Locale.Category.FORMAT);
        Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG"));
        try {
            List<List<Block>> written;
            try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                    TestClient client = new TestClient(worker.port())) {
                written = fill(client, KEY, 2, 4, 1);
                fill(client, OTHER, 1, 4, 2);
            }
            try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                    TestClient client = new TestClient(worker.port())) {
                assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 3));
                assertThat(client.request(FrameType.RELEASE, new Release("job", Long.MAX_VALUE, List.of())))
                        .isNull();
                assertThat(directory.resolve("job")).doesNotExist();
            }
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, before);
        }
    }

    @Test
    void aTornTailIsCutAtEveryByteAndTheRestCanBeCommitted() throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        List<Block> first = region(random, 4, 10, 300);
        List<Block> second = region(random, 4, 10, 300);
        long end;
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            int stream = client.open(KEY, 4);
            client.write(stream, KEY, 0, first);
            client.awaitAcknowledged(1);
            end = Files.size(only(directory, "0-.*"));
            client.write(stream, KEY, 1, second);
            client.awaitAcknowledged(2);
        }
        Path file = only(directory, "0-.*");
        byte[] whole = Files.readAllBytes(file);
        for (int length = (int) end; length < whole.length; length += 1 + random.nextInt(150)) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                    TestClient client = new TestClient(worker.port())) {
                assertThat(Files.size(file)).isEqualTo(end);
                Commit both = new Commit(KEY, manifest(worker.id(), 2, 4));
                assertThat(client.request(FrameType.COMMIT, both).reason()).isEqualTo(Fault.Reason.LOST);
            }
        }
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            int again = client.open(KEY, 4);
            client.write(again, KEY, 1, second);
            client.awaitAcknowledged(1);
            assertThat(client.request(FrameType.COMMIT, new Commit(KEY, manifest(worker.id(), 2, 4))))
                    .isNull();
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(List.of(first, second), 0, 3));
        }
    }

    @Test
    void aWorkerStartsWithAJournalWhoseBeginIsTorn() throws Exception {
        List<List<Block>> written;
        Commit commit;
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            written = fill(client, KEY, 2, 4, 1);
            commit = new Commit(KEY, manifest(worker.id(), 2, 4));
        }
        Path journal = only(directory, "commits\\.journal");
        byte[] whole = Files.readAllBytes(journal);
        for (int sound = 0; sound < 6; sound++) {
            byte[] torn = java.util.Arrays.copyOf(java.util.Arrays.copyOf(whole, sound), whole.length);
            Files.write(journal, torn);
            try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                    TestClient client = new TestClient(worker.port())) {
                // What was committed is not known any more; its writer may say it again.
                assertThat(worker.report().load().partitions()).isZero();
                assertThat(client.request(FrameType.COMMIT, commit)).isNull();
                assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 3));
            }
        }
    }

    @Test
    void aTornCommitIsNoneAndCanBeRepeated() throws Exception {
        List<List<Block>> written;
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            fill(client, OTHER, 1, 4, 2);
            written = fill(client, KEY, 2, 4, 1);
        }
        Path journal = only(directory, "commits\\.journal");
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "rw")) {
            file.setLength(file.length() - 1);
        }
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.read(OTHER, 0, 3, 0, 0, 9).refused).isNull();
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).refused.reason()).isEqualTo(Fault.Reason.UNKNOWN_PARTITION);
            assertThat(client.request(FrameType.COMMIT, new Commit(KEY, manifest(worker.id(), 2, 4))))
                    .isNull();
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 3));
        }
    }

    /** Either a reader sees the damage, by a checksum or a refusal, or what it reads is right. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFlippedBitIsDetectedOrHarmless(boolean isBroadcast) throws Exception {
        List<List<Block>> written;
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            SplittableRandom random = new SplittableRandom(3);
            List<Block> blocks = region(random, isBroadcast ? 1 : 4, 8, 60);
            int stream = client.open(KEY, 4);
            client.write(stream, KEY, 0, isBroadcast ? FrameType.BROADCAST : 0, blocks);
            client.end(stream, 0, blocks);
            client.awaitAcknowledged(1);
            assertThat(client.request(FrameType.COMMIT, new Commit(KEY, manifest(worker.id(), 1, 4))))
                    .isNull();
            written = List.of(blocks);
        }
        Path file = only(directory, "0-.*");
        byte[] whole = Files.readAllBytes(file);
        int detected = 0;
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << (at % 8));
            Files.write(file, flipped);
            try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                    TestClient client = new TestClient(worker.port())) {
                TestClient.Read read = client.read(KEY, 0, 3, 0, 0, 100);
                if (read.refused == null) {
                    assertThat(read.blocks).isEqualTo(expected(written, 0, 3));
                } else {
                    assertThat(read.refused.reason()).isEqualTo(Fault.Reason.LOST);
                    detected++;
                }
            } catch (IllegalStateException | AssertionError e) {
                assertThat(e.getMessage()).containsAnyOf("checksum", "digest");
                detected++;
            }
        }
        assertThat(detected).isGreaterThan(whole.length / 2);
    }

    @Test
    void aFileThatIsGoneIsALossThatIsSaid() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            fill(client, KEY, 1, 4, 1);
            fill(client, OTHER, 1, 4, 1);
        }
        Files.delete(only(directory, "0-.*"));
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).refused.reason()).isEqualTo(Fault.Reason.UNKNOWN_PARTITION);
            assertThat(client.read(OTHER, 0, 3, 0, 0, 9).refused).isNull();
            assertThat(LeaseTest.audit(client)).isEmpty();
        }
    }

    /** What is there of a job whose journal is of a version that nobody knows stays as it is, and gets nothing new. */
    @Test
    void aJobThatCannotBeReadIsLeftOutUntilItCanAndOthersAreThere() throws Exception {
        PartitionKey sound = new PartitionKey("sound", "exchange", 0, 1);
        PartitionKey next = new PartitionKey("job", "exchange", 0, 2);
        List<List<Block>> written;
        List<List<Block>> lost;
        UUID before;
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            lost = fill(client, KEY, 2, 4, 1);
            written = fill(client, sound, 2, 4, 2);
            before = LeaseTest.renew(client, 7, 0).incarnation();
        }
        Path journal = directory.resolve("job/commits.journal");
        byte[] bytes = Files.readAllBytes(journal);
        byte[] flipped = bytes.clone();
        flipped[5] ^= 2;
        Files.write(journal, flipped);
        Path data = only(directory.resolve("job"), "0-.*");
        byte[] regions = Files.readAllBytes(data);
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.read(sound, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 3));
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).refused.reason()).isEqualTo(Fault.Reason.UNKNOWN_PARTITION);
            // The producer's next attempt finds another worker: here its commit could not be written down.
            assertThat(client.open(next, 4)).isNegative();
            assertThat(client.refusals().get(0).reason()).isEqualTo(Fault.Reason.FULL);
            assertThat(client.refusals().get(0).sentence()).contains("commits.journal", "version");
            assertThat(LeaseTest.renew(client, 7, 0).commits()).isEmpty();
            // So the job manager misses at once all that it was told of.
            assertThat(LeaseTest.renew(client, 7, 0).incarnation()).isNotEqualTo(before);
            assertThat(client.request(FrameType.RELEASE, new Release("job", 7, List.of())))
                    .isNull();
        }
        assertThat(Files.readAllBytes(journal)).isEqualTo(flipped);
        assertThat(Files.readAllBytes(data)).isEqualTo(regions);
        Files.write(journal, bytes);
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(lost, 0, 3));
            assertThat(LeaseTest.renew(client, 7, 0).incarnation()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"theirs", "job", "job/commits.journal", "job/exchange"})
    void whatCannotBeReadKeepsNoWorkerFromStarting(String closed) throws Exception {
        PartitionKey sound = new PartitionKey("sound", "exchange", 0, 1);
        Path first = directory.resolve("a");
        Files.createDirectories(first.resolve("theirs"));
        try (ShuffleWorker worker = ShuffleWorker.open(options(first));
                TestClient client = new TestClient(worker.port())) {
            fill(client, KEY, 1, 4, 1);
            fill(client, sound, 1, 4, 1);
        }
        WorkerOptions two = options(first).with(WorkerOptions.Key.DIRECTORIES, first + ", " + directory.resolve("b"));
        try (ShuffleWorker worker = ShuffleWorker.open(two, path -> {
                    FailingDisk disk = new FailingDisk(path, 1L << 30);
                    disk.closeOff(first.resolve(closed));
                    return disk;
                });
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.read(sound, 0, 3, 0, 0, 9).refused).isNull();
            // In the directory that has nothing of it the job goes on.
            fill(client, OTHER, 1, 4, 1);
            assertThat(client.read(OTHER, 0, 3, 0, 0, 9).refused).isNull();
            assertThat(LeaseTest.renew(client, 7, 0).commits()).hasSize(closed.equals("theirs") ? 2 : 1);
            assertThat(LeaseTest.audit(client)).noneMatch(line -> line.startsWith("missing"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDirectoryThatCannotBeUsedIsLeftOut(boolean isFirst) throws Exception {
        List<Path> paths = List.of(directory.resolve("a"), directory.resolve("b"));
        WorkerOptions two =
                options(paths.get(0)).with(WorkerOptions.Key.DIRECTORIES, paths.get(0) + ", " + paths.get(1));
        UUID id;
        UUID before;
        try (ShuffleWorker worker = ShuffleWorker.open(two);
                TestClient client = new TestClient(worker.port())) {
            fill(client, KEY, 1, 4, 1);
            fill(client, OTHER, 1, 4, 1);
            id = worker.id();
            before = worker.report().incarnation();
        }
        Path broken = paths.get(isFirst ? 0 : 1);
        try (ShuffleWorker worker = ShuffleWorker.open(two.with(WorkerOptions.Key.HTTP_PORT, "0"), path -> {
                    FailingDisk disk = new FailingDisk(path, 1L << 30);
                    disk.closeOff(broken);
                    return disk;
                });
                TestClient client = new TestClient(worker.port())) {
            assertThat(worker.id()).isEqualTo(id);
            assertThat(LeaseTest.renew(client, 7, 0).commits()).hasSize(1);
            assertThat(worker.report().incarnation()).isNotEqualTo(before);
            assertThat(MetricTest.get(worker.httpPort(), "/metrics").body().lines())
                    .as("each, and the broken one is not healthy")
                    .filteredOn(line -> line.startsWith("drey_shuffle_directory_healthy"))
                    .hasSize(2)
                    .anyMatch(line -> line.contains(broken.toString()) && line.endsWith(" 0"));
            fill(client, new PartitionKey("job", "exchange", 9, 1), 1, 4, 1);
        }
        String turned = paths.get(1) + ", " + paths.get(0);
        try (ShuffleWorker worker =
                        ShuffleWorker.open(options(paths.get(0)).with(WorkerOptions.Key.DIRECTORIES, turned));
                TestClient client = new TestClient(worker.port())) {
            assertThat(LeaseTest.renew(client, 7, 0).commits()).hasSize(3);
            assertThat(worker.report().incarnation())
                    .as("with both, in any order")
                    .isEqualTo(before);
        }
    }

    @Test
    void aWorkerWithoutADirectoryDoesNotStart() {
        assertThatThrownBy(() -> ShuffleWorker.open(options(directory), path -> {
                    FailingDisk disk = new FailingDisk(path, 1L << 30);
                    disk.closeOff(path);
                    return disk;
                }))
                .isInstanceOf(AccessDeniedException.class);
    }

    /** Of a file that Linux opens and does not read: a disk with a bad sector says no more. */
    @Test
    void aReadThatFailsNamesTheFile() throws Exception {
        Path unreadable = Path.of("/proc/self/mem");
        assumeThat(unreadable).exists();
        LocalDisk disk = new LocalDisk(directory);
        try (WorkerFile file = disk.open(unreadable)) {
            assertThatThrownBy(() -> file.read(0, new ByteBuffer[] {ByteBuffer.allocate(8)}, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll(unreadable.toString(), "byte 0 ", "Input/output error");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void anEmptiedDirectoryIsAnotherIncarnation(int emptied) throws Exception {
        List<Path> two = new ArrayList<>(List.of(directory.resolve("a"), directory.resolve("b")));
        WorkerOptions options =
                options(directory.resolve("a")).with(WorkerOptions.Key.DIRECTORIES, two.get(0) + ", " + two.get(1));
        UUID id;
        UUID before;
        try (ShuffleWorker worker = ShuffleWorker.open(options)) {
            id = worker.id();
            before = worker.report().incarnation();
        }
        try (Stream<Path> files = Files.walk(two.get(emptied))) {
            for (Path each : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        try (ShuffleWorker worker = ShuffleWorker.open(options)) {
            assertThat(worker.id()).isEqualTo(id);
            assertThat(worker.report().incarnation()).isNotEqualTo(before);
        }
    }

    @Test
    void aSecondWorkerIsKeptOut() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory))) {
            assertThat(worker.port()).isPositive();
            assertThatThrownBy(() -> ShuffleWorker.open(options(directory)))
                    .isInstanceOf(DreyException.class)
                    .hasMessageContaining("no other worker");
        }
    }
}
