package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.expected;
import static io.drey.shuffle.worker.WriteAndReadTest.fill;
import static io.drey.shuffle.worker.WriteAndReadTest.manifest;
import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static io.drey.shuffle.worker.WriteAndReadTest.region;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.TestClient.Block;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A full or failing disk costs what is being written, never what was acknowledged. */
final class DiskFailureTest {
    private static final PartitionKey KEY = new PartitionKey("job", "exchange", 0, 1);
    private static final PartitionKey OTHER = new PartitionKey("job", "exchange", 1, 1);

    /** Far more than any credit is good for. */
    private static final int REGIONS_MAX = 1_000_000;

    @TempDir
    Path directory;

    private FailingDisk disk;

    private ShuffleWorker open(long space) throws Exception {
        return ShuffleWorker.open(options(directory), path -> disk = new FailingDisk(path, space));
    }

    /** Writes regions until the writer is refused; those that were acknowledged. */
    private static List<List<Block>> writeUntilRefused(TestClient client, int before) throws Exception {
        SplittableRandom random = new SplittableRandom(8);
        List<List<Block>> written = new ArrayList<>();
        int stream = client.open(KEY, 4);
        for (int i = 0; client.refusals().isEmpty(); i++) {
            assertThat(i).as("regions that a full disk took").isLessThan(REGIONS_MAX);
            List<Block> blocks = region(random, 4, 50, 30_000);
            client.write(stream, KEY, i, blocks);
            written.add(blocks);
        }
        return written.subList(0, client.acknowledged().size() - before);
    }

    /** The same region again and again. */
    private static void writeUntilRefused(TestClient client, int stream, int region) throws Exception {
        for (int i = 0; client.refusals().isEmpty(); i++) {
            assertThat(i).as("regions that should have been refused").isLessThan(REGIONS_MAX);
            client.write(stream, KEY, region, List.of(Block.of(0, "b")));
        }
    }

    @Test
    void aFullDiskRefusesWithASentenceAndKeepsWhatItAcknowledged() throws Exception {
        try (ShuffleWorker worker = open(5 << 20);
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> kept = writeUntilRefused(client, 0);
            assertThat(kept).hasSizeGreaterThan(2);
            assertThat(client.refusals().get(0).reason()).isEqualTo(Fault.Reason.FULL);
            assertThat(client.refusals().get(0).sentence()).contains("No space left", directory.toString());
            Commit commit = new Commit(KEY, manifest(worker.id(), kept.size(), 4));
            Until.isZero("writers", () -> worker.report().load().writers());
            assertThat(client.request(FrameType.COMMIT, commit)).isNull();
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(kept, 0, 3));
            // The last slab is given back just after the client has its bytes.
            Until.isZero("memory in use", () -> worker.report().load().poolUsedBytes());
            assertThat(LeaseTest.audit(client)).isEmpty();
        }
    }

    @Test
    void aWriterThatEndsWhileTheDiskFailsGivesItsMemoryBack() throws Exception {
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            disk.hold();
            int stream = client.open(KEY, 4);
            client.write(stream, KEY, 0, List.of(Block.of(0, "a")));
            client.send(FrameType.CLOSE_WRITE, 0, stream, 0, 0);
            client.send(FrameType.PING, 0, 0, 0, 0);
            client.expect(FrameType.PONG);
            disk.breakDown();
            disk.go();
            Until.isZero("memory in use", () -> worker.report().load().poolUsedBytes());
            Until.isZero("writers", () -> worker.report().load().writers());
        }
    }

    /** As Linux leaves a file system on which it met an error. */
    @Test
    void whatWasCommittedIsReadFromADiskThatTakesNoWrites() throws Exception {
        List<List<Block>> written;
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            written = fill(client, KEY, 2, 4, 1);
            disk.remountToRead();
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 3));
        }
    }

    @Test
    void aDiskThatCannotBeReadGetsNothingNew() throws Exception {
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            fill(client, KEY, 2, 4, 1);
            disk.refuse("Input/output error");
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).refused.reason()).isEqualTo(Fault.Reason.LOST);
            assertThat(worker.report().state()).isEqualTo(WorkerReport.State.READ_ONLY);
        }
    }

    @Test
    void onAFullDiskAReleaseMakesRoom() throws Exception {
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            fill(client, KEY, 2, 4, 1);
            fill(client, OTHER, 2, 4, 1);
            disk.fill();
            assertThat(client.request(FrameType.RELEASE, new Release("job", 0, List.of(KEY, OTHER))))
                    .isNull();
            assertThat(LeaseTest.audit(client)).isEmpty();
            assertThat(data()).isEmpty();
        }
        // The disk is as full when the worker starts again, twice: nothing says that they were released.
        for (int i = 0; i < 2; i++) {
            try (ShuffleWorker worker = open(0);
                    TestClient client = new TestClient(worker.port())) {
                assertThat(client.read(KEY, 0, 3, 0, 0, 9).refused.reason()).isEqualTo(Fault.Reason.UNKNOWN_PARTITION);
                assertThat(LeaseTest.audit(client)).isEmpty();
            }
        }
    }

    @Test
    void aWorkerStartsOnAFullDiskWithAJournalWhoseBeginIsTorn() throws Exception {
        List<List<Block>> written;
        Commit commit;
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            written = fill(client, KEY, 2, 4, 1);
            commit = new Commit(KEY, manifest(worker.id(), 2, 4));
        }
        Files.write(directory.resolve("job/commits.journal"), new byte[8]);
        try (ShuffleWorker worker = open(0);
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.request(FrameType.COMMIT, commit).reason()).isEqualTo(Fault.Reason.FULL);
            disk.makeRoom(1 << 20);
            assertThat(client.request(FrameType.COMMIT, commit)).isNull();
        }
        try (ShuffleWorker worker = open(0);
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 3));
        }
    }

    /** A restart would let the job manager before it delete what the new one was told of. */
    @Test
    void aNewJobManagerIsRefusedUntilThereIsRoomToWriteThatItLeads() throws Exception {
        Release old = new Release("job", 4, List.of());
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            LeaseTest.renew(client, 4, 0);
            fill(client, KEY, 2, 4, 1);
            disk.fill();
            for (int i = 0; i < 2; i++) {
                Fault fault = client.request(FrameType.RENEW, new Renew("job", 5, 0, 0, 0));
                assertThat(fault.reason()).isEqualTo(Fault.Reason.FULL);
                assertThat(fault.sentence()).contains("session 5", directory.toString(), "No space left");
                assertThat(client.request(FrameType.RELEASE, old).reason()).isEqualTo(Fault.Reason.FENCED);
            }
            disk.makeRoom(1 << 20);
            assertThat(LeaseTest.renew(client, 5, 0).commits()).hasSize(1);
        }
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.request(FrameType.RELEASE, old).reason()).isEqualTo(Fault.Reason.FENCED);
        }
    }

    @Test
    void aNewJobManagerIsWrittenDownWhereTheJobHasNothingIfItsOwnDirectoryTakesNoWrites() throws Exception {
        Map<Path, FailingDisk> disks = new ConcurrentHashMap<>();
        List<Path> paths = List.of(directory.resolve("a"), directory.resolve("b"));
        WorkerOptions two =
                options(paths.get(0)).with(WorkerOptions.Key.DIRECTORIES, paths.get(0) + "," + paths.get(1));
        Release old = new Release("job", 4, List.of());
        try (ShuffleWorker worker = ShuffleWorker.open(two, path -> {
                    disks.put(path, new FailingDisk(path, 1L << 30));
                    return disks.get(path);
                });
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> written = fill(client, KEY, 2, 4, 1);
            LeaseTest.renew(client, 4, 0);
            disks.get(paths.get(Files.exists(paths.get(0).resolve("job")) ? 0 : 1))
                    .remountToRead();
            assertThat(LeaseTest.renew(client, 5, 0).commits()).hasSize(1);
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 3));
        }
        try (ShuffleWorker worker = ShuffleWorker.open(two);
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.request(FrameType.RELEASE, old).reason()).isEqualTo(Fault.Reason.FENCED);
            assertThat(client.request(FrameType.RELEASE, new Release("job", 5, List.of())))
                    .isNull();
            assertThat(LeaseTest.audit(client)).isEmpty();
            for (Path each : paths) {
                assertThat(each.resolve("job")).doesNotExist();
            }
        }
    }

    @Test
    void aJobWhoseFilesCouldNotBeDeletedCanComeBack() throws Exception {
        List<List<Block>> written;
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            fill(client, KEY, 2, 4, 1);
            Release whole = new Release("job", 0, List.of());
            disk.keepFiles(true);
            assertThat(client.request(FrameType.RELEASE, whole)).isNull();
            disk.keepFiles(false);
            assertThat(data()).isNotEmpty();
            fill(client, OTHER, 2, 4, 1);
            assertThat(client.request(FrameType.RELEASE, whole)).isNull();
            assertThat(directory.resolve("job")).doesNotExist();
            written = fill(client, OTHER, 2, 4, 2);
        }
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.read(OTHER, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 3));
            assertThat(LeaseTest.audit(client)).isEmpty();
        }
    }

    @Test
    void aWorkerWhoseFilesCannotBeClosedEndsAndAnotherOneTakesItsPlace() throws Exception {
        ShuffleWorker worker = open(1L << 30);
        try (TestClient client = new TestClient(worker.port())) {
            fill(client, KEY, 2, 4, 1);
            disk.failToClose();
        }
        // Its metrics are gone already when it ends: that, too, keeps nothing of it open.
        ObjectName beans = new ObjectName("io.drey.shuffle:*,id=" + worker.id());
        for (ObjectName each : ManagementFactory.getPlatformMBeanServer().queryNames(beans, null)) {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(each);
        }
        assertThatThrownBy(worker::close)
                .isInstanceOf(DreyException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .asString()
                        .contains("Input/output error"));
        assertThatThrownBy(() -> new TestClient(worker.port())).isInstanceOf(ConnectException.class);
        try (ShuffleWorker next = open(1L << 30)) {
            assertThat(next.id()).isEqualTo(worker.id());
        }
    }

    /** Files of regions: below a job and an exchange. */
    private List<Path> data() throws Exception {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> directory.relativize(file).getNameCount() == 3)
                    .toList();
        }
    }

    @Test
    void aWriteThatRunsOutOfMemoryIsRefusedAndOthersGoOn() throws Exception {
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> kept = fill(client, OTHER, 2, 4, 1);
            int stream = client.open(KEY, 4);
            disk.runOutOfMemory();
            writeUntilRefused(client, stream, 0);
            assertThat(client.refusals().get(0).sentence()).contains("Direct buffer memory");
            assertThat(client.read(OTHER, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(kept, 0, 3));
        }
    }

    @Test
    void aReadThatRunsOutOfMemoryIsToBeAskedAgain() throws Exception {
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> kept = fill(client, KEY, 2, 4, 1);
            disk.runOutOfMemory();
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).refused.reason()).isEqualTo(Fault.Reason.BUSY);
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(kept, 0, 3));
        }
    }

    @ParameterizedTest
    @CsvSource({"No space left on device,FULL", "Disk quota exceeded,FULL", "Too many open files,BUSY"})
    void whatPassesIsNoReasonToGiveADirectoryUp(String words, Fault.Reason reason) throws Exception {
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> kept = fill(client, OTHER, 2, 4, 1);
            int stream = client.open(KEY, 4);
            disk.refuse(words);
            writeUntilRefused(client, stream, 0);
            assertThat(client.refusals().get(0).reason()).isEqualTo(reason);
            Fault.Reason unread = reason == Fault.Reason.BUSY ? reason : Fault.Reason.LOST;
            assertThat(client.read(OTHER, 0, 3, 0, 0, 9).refused.reason()).isEqualTo(unread);
            disk.refuse(null);
            assertThat(client.open(KEY, 4)).isNotNegative();
            assertThat(client.read(OTHER, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(kept, 0, 3));
        }
    }

    @Test
    void withoutSpaceNobodyBegins() throws Exception {
        WorkerOptions options = options(directory).withFreeBytesMin(4096);
        try (ShuffleWorker worker = ShuffleWorker.open(options, path -> new FailingDisk(path, 4096));
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.open(KEY, 4)).isNegative();
            assertThat(client.refusals().get(0).reason()).isEqualTo(Fault.Reason.FULL);
            assertThat(client.refusals().get(0).sentence()).contains(directory.toString(), "0 bytes");
            assertThat(worker.report().state()).isEqualTo(WorkerReport.State.READ_ONLY);
        }
    }

    @Test
    void aFailingDiskGetsNothingNewAndSaysSoToReaders() throws Exception {
        try (ShuffleWorker worker = open(1L << 30);
                TestClient client = new TestClient(worker.port())) {
            fill(client, OTHER, 2, 4, 1);
            int stream = client.open(KEY, 4);
            client.write(stream, KEY, 0, List.of(Block.of(0, "a")));
            client.awaitAcknowledged(3);
            disk.breakDown();
            writeUntilRefused(client, stream, 1);
            assertThat(client.refusals().get(0).reason()).isEqualTo(Fault.Reason.FAILING);
            assertThat(client.refusals().get(0).sentence()).contains("Input/output error");
            assertThat(client.open(OTHER, 4)).isNegative();
            assertThat(client.read(OTHER, 0, 3, 0, 0, 9).refused.sentence()).contains("Input/output error");
            PartitionKey third = new PartitionKey("job", "exchange", 2, 1);
            assertThat(client.open(third, 4)).isNegative();
            assertThat(client.refusals().get(2).reason()).isEqualTo(Fault.Reason.FULL);
            assertThat(client.refusals().get(2).sentence()).contains("a write failed");
            assertThat(worker.report().state()).isEqualTo(WorkerReport.State.READ_ONLY);
        }
    }
}
