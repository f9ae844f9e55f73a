package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.fill;
import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Leasing.Lease;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.protocol.message.Operating.Lines;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.memory.SlabPool;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's data stays while somebody renews its lease, and goes by release or with the lease. */
final class LeaseTest {
    private static final PartitionKey ONE = new PartitionKey("job", "exchange", 1, 1);
    private static final PartitionKey TWO = new PartitionKey("job", "exchange", 2, 1);

    @TempDir
    Path directory;

    static Lease renew(TestClient client, long session, long since) throws IOException {
        client.send(FrameType.RENEW, 0, 7, 0, 0, new Renew("job", session, since, 0, 0));
        return Lease.read(client.expect(FrameType.LEASE).fields());
    }

    private Storage storage(Storage.Disks disks) throws IOException {
        return Storage.open(List.of(directory), disks, new SlabPool(16L << 20), 0);
    }

    private static List<PartitionKey> keys(Lease lease) {
        return lease.commits().stream().map(each -> each.key()).toList();
    }

    /** Files of jobs, also while the worker deletes: a directory that has gone meanwhile has none. */
    private long files() {
        long files = 0;
        for (File each : directory.toFile().listFiles(File::isDirectory)) {
            files += files(each);
        }
        return files;
    }

    private static long files(File path) {
        File[] children = path.listFiles();
        if (children == null) {
            return path.isFile() ? 1 : 0;
        }
        return Stream.of(children).mapToLong(LeaseTest::files).sum();
    }

    static List<String> audit(TestClient client) throws IOException {
        client.send(FrameType.AUDIT, 0, 99, 0, 0);
        return Lines.read(client.expect(FrameType.LINES).fields()).lines();
    }

    @Test
    void aRenewalTellsTheCommitsSinceTheLastOne() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(renew(client, 1, 0).commits()).isEmpty();
            fill(client, ONE, 1, 4, 1);
            Lease first = renew(client, 1, 0);
            assertThat(keys(first)).containsExactly(ONE);
            fill(client, TWO, 2, 4, 1);
            Lease second = renew(client, 1, first.sequence());
            assertThat(keys(second)).containsExactly(TWO);
            assertThat(second.commits().get(0).manifest().regions()).isEqualTo(2);
            assertThat(renew(client, 1, second.sequence()).commits()).isEmpty();
            assertThat(keys(renew(client, 1, 0))).containsExactly(ONE, TWO);
        }
    }

    /** Its clock was ahead at its last start; what was told then is told again. */
    @Test
    void whoHasHeardMoreThanThereIsHearsAllCommitsAgain() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            fill(client, ONE, 1, 4, 1);
            long sequence = renew(client, 1, 0).sequence();
            Lease lease = renew(client, 1, sequence + (1L << 40));
            assertThat(keys(lease)).containsExactly(ONE);
            assertThat(lease.sequence()).isEqualTo(sequence);
        }
    }

    @Test
    void whatIsReleasedIsGoneAlsoAfterARestart() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            fill(client, ONE, 1, 4, 1);
            fill(client, TWO, 1, 4, 1);
            assertThat(client.request(FrameType.RELEASE, new Release("job", 0, List.of(ONE))))
                    .isNull();
            assertThat(client.read(ONE, 0, 3, 0, 0, 9).refused.reason()).isEqualTo(Fault.Reason.UNKNOWN_PARTITION);
            assertThat(keys(renew(client, 1, 0))).containsExactly(TWO);
            assertThat(files()).isEqualTo(2);
        }
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(keys(renew(client, 1, 0))).containsExactly(TWO);
            assertThat(audit(client)).isEmpty();
            assertThat(client.request(FrameType.RELEASE, new Release("job", 1, List.of())))
                    .isNull();
            assertThat(files()).isZero();
            assertThat(client.read(TWO, 0, 3, 0, 0, 9).refused).isNotNull();
            fill(client, ONE, 1, 4, 1);
            assertThat(keys(renew(client, 1, 0))).containsExactly(ONE);
        }
    }

    @Test
    void anOlderSessionIsFencedAlsoAfterARestart() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            renew(client, 4, 0);
            fill(client, ONE, 1, 4, 1);
            renew(client, 5, 0);
            Release old = new Release("job", 4, List.of());
            assertThat(client.request(FrameType.RELEASE, old).reason()).isEqualTo(Fault.Reason.FENCED);
            assertThat(client.request(FrameType.RENEW, new Renew("job", 4, 0, 0, 0))
                            .reason())
                    .isEqualTo(Fault.Reason.FENCED);
        }
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            Release old = new Release("job", 4, List.of(ONE));
            assertThat(client.request(FrameType.RELEASE, old).reason()).isEqualTo(Fault.Reason.FENCED);
            assertThat(keys(renew(client, 5, 0))).containsExactly(ONE);
        }
    }

    /** New data of the job keeps it, and says nothing of who leads. */
    @Test
    void aRefusalTellsForHowLongNobodyRenewedTheNewerSession() throws Exception {
        AtomicLong ms = new AtomicLong(1_000_000);
        try (Storage storage = storage(LocalDisk::new)) {
            Catalog catalog = new Catalog(storage, ms::get, ms::get, 600_000);
            assertThat(refusal(catalog, 5)).isNull();
            ms.addAndGet(20_000);
            assertThat(catalog.open(ONE, fault -> {})).isNotNull();
            assertThat(refusal(catalog, 4).silentMs()).isEqualTo(20_000);
            assertThat(refusal(catalog, 4).session()).isEqualTo(5);
            assertThat(refusal(catalog, 5)).isNull();
            assertThat(refusal(catalog, 4).silentMs()).isZero();
        }
    }

    private static Fault refusal(Catalog catalog, long session) throws Exception {
        return refusal(catalog, session, 0);
    }

    private static Fault refusal(Catalog catalog, long session, long ageMs) throws Exception {
        CompletableFuture<Fault> refusal = new CompletableFuture<>();
        catalog.renew(new Renew("job", session, 0, 0, ageMs), answer -> refusal.complete(null), refusal::complete);
        return refusal.get(10, TimeUnit.SECONDS);
    }

    /** Whatever their clocks say, of which sessions are made. */
    @Test
    void aRefusalTellsWhetherWhoHasTheNewerSessionBeganToLeadBefore() throws Exception {
        AtomicLong wallClockMs = new AtomicLong(1_000_000);
        try (Storage storage = storage(LocalDisk::new)) {
            Catalog catalog = new Catalog(storage, () -> 0, wallClockMs::get, 600_000);
            assertThat(catalog.open(ONE, fault -> {})).isNotNull();
            assertThat(refusal(catalog, 5, 70_000)).isNull();
            assertThat(refusal(catalog, 4, 69_999).elder()).isTrue();
            assertThat(refusal(catalog, 4, 70_001).elder()).isFalse();
            wallClockMs.addAndGet(10_000);
            assertThat(refusal(catalog, 4, 79_999).elder()).isTrue();
            assertThat(refusal(catalog, 4, 80_001).elder()).isFalse();
        }
    }

    @Test
    void ofASessionThatAStartHasFoundItIsKnownThatItBeganBefore() throws Exception {
        AtomicLong wallClockMs = new AtomicLong(1_000_000);
        try (Storage storage = storage(LocalDisk::new)) {
            Catalog catalog = new Catalog(storage, () -> 0, wallClockMs::get, 600_000);
            assertThat(catalog.open(ONE, fault -> {})).isNotNull();
            assertThat(refusal(catalog, 5, 70_000)).isNull();
        }
        try (Storage storage = storage(LocalDisk::new)) {
            Catalog catalog = new Catalog(storage, () -> 0, wallClockMs::get, 600_000);
            wallClockMs.addAndGet(10_000);
            assertThat(refusal(catalog, 4, 9_999).elder()).isTrue();
            assertThat(refusal(catalog, 4, 10_001).elder()).isFalse();
        }
    }

    /** Nobody can renew what a worker is still looking for. */
    @Test
    void theTimeOfARestartIsNobodysSilence() throws Exception {
        AtomicLong laterMs = new AtomicLong();
        try (ShuffleWorker worker = keeping20Seconds(laterMs);
                TestClient client = new TestClient(worker.port())) {
            fill(client, ONE, 1, 4, 1);
            renew(client, 1, 0);
        }
        Storage.Disks slow = path -> {
            FailingDisk disk = new FailingDisk(path, 1L << 30);
            disk.beforeOpening(() -> laterMs.addAndGet(30_000));
            return disk;
        };
        try (Storage storage = storage(slow)) {
            Catalog catalog = new Catalog(storage, laterMs::get, laterMs::get, 20_000);
            assertThat(laterMs.get()).isGreaterThan(50_000);
            catalog.expire();
            assertThat(catalog.find(ONE)).isNotNull();
            laterMs.addAndGet(20_000);
            catalog.expire();
            assertThat(catalog.find(ONE)).isNull();
        }
    }

    private ShuffleWorker keeping20Seconds(AtomicLong laterMs) throws IOException {
        return ShuffleWorker.open(
                options(directory).with(WorkerOptions.Key.LEASE_KEEP, "20s"),
                LocalDisk::new,
                () -> ShuffleWorker.nowMs() + laterMs.get());
    }

    @Test
    void aJobThatNobodyRenewsIsDeleted() throws Exception {
        AtomicLong laterMs = new AtomicLong();
        try (ShuffleWorker worker = keeping20Seconds(laterMs);
                TestClient client = new TestClient(worker.port())) {
            fill(client, ONE, 1, 4, 1);
            laterMs.set(20_000);
            Until.isZero("files", this::files);
            assertThat(client.read(ONE, 0, 3, 0, 0, 9).refused.reason()).isEqualTo(Fault.Reason.UNKNOWN_PARTITION);
            assertThat(audit(client)).isEmpty();
        }
    }

    /** As in a data directory that is not the worker's alone. */
    @Test
    void whatSomebodyElseKeepsThereIsNoJobAndStays() throws Exception {
        List<Path> others = List.of(
                directory.resolve("photos/a.txt"),
                directory.resolve("photos/x/b.txt"),
                directory.resolve("job/mine.txt"));
        for (Path each : others) {
            Files.createDirectories(each.getParent());
            Files.writeString(each, "mine");
        }
        AtomicLong laterMs = new AtomicLong();
        try (ShuffleWorker worker = keeping20Seconds(laterMs);
                TestClient client = new TestClient(worker.port())) {
            fill(client, ONE, 1, 4, 1);
            laterMs.set(20_000);
            Until.isTrue("no journal", () -> !Files.exists(directory.resolve("job/commits.journal")));
            Thread.sleep(100);
        }
        assertThat(others).allSatisfy(each -> assertThat(each).exists());
    }

    @Test
    void aLeaseIsNotShorterThanTwoRenewals() {
        assertThatThrownBy(() -> options(directory).with(WorkerOptions.Key.LEASE_KEEP, "19999ms"))
                .isInstanceOf(DreyException.class)
                .hasMessage(
                        "expected a time of 20 s to ten years, such as 30s or 10min, as option lease.keep, found '19999ms'");
    }

    /** Its end would be before its begin. */
    @Test
    void aLeaseForEverIsRefused() {
        for (String time : List.of("9223372036854775807ms", "9223372036854775807min", "5300000min")) {
            assertThatThrownBy(() -> options(directory).with(WorkerOptions.Key.LEASE_KEEP, time))
                    .isInstanceOf(DreyException.class)
                    .hasMessageContaining("ten years");
        }
    }

    @Test
    void aWriterOfAReleasedJobLeavesNothing() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            int stream = client.open(ONE, 2);
            client.write(stream, ONE, 0, List.of(TestClient.Block.of(0, "a")));
            client.awaitAcknowledged(1);
            int late = client.open(TWO, 2);
            assertThat(client.request(FrameType.RELEASE, new Release("job", 0, List.of())))
                    .isNull();
            client.write(stream, ONE, 1, List.of(TestClient.Block.of(0, "b")));
            client.write(late, TWO, 0, List.of(TestClient.Block.of(0, "c")));
            while (client.refusals().isEmpty()) {
                client.write(late, TWO, 1, List.of(TestClient.Block.of(0, "c")));
            }
            assertThat(client.refusals().get(0).reason()).isEqualTo(Fault.Reason.UNKNOWN_PARTITION);
            client.send(FrameType.CLOSE_WRITE, 0, stream, 0, 0);
            Until.isZero("writers", () -> worker.report().load().writers());
            assertThat(files()).isZero();
            Until.isZero("memory in use", () -> worker.report().load().poolUsedBytes());
        }
    }
}
