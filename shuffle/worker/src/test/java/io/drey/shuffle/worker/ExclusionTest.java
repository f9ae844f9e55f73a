package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Membership.Exclude;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.Membership.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A registry keeps what operators excluded, whatever becomes of its worker's directories. */
final class ExclusionTest {
    @TempDir
    Path directory;

    private final Map<Path, FailingDisk> disks = new ConcurrentHashMap<>();

    private WorkerOptions twoDirectories(String first, String second) {
        return options(directory.resolve(first))
                .with(WorkerOptions.Key.DIRECTORIES, directory.resolve(first) + "," + directory.resolve(second));
    }

    private ShuffleWorker open(WorkerOptions options, Path closed) throws IOException {
        return ShuffleWorker.open(options, path -> {
            FailingDisk disk = new FailingDisk(path, 1L << 30);
            disk.closeOff(closed);
            disks.put(path, disk);
            return disk;
        });
    }

    private static Fault exclude(TestClient client, UUID worker, boolean excluded) throws IOException {
        return client.request(FrameType.EXCLUDE, new Exclude(worker, excluded, "slow"));
    }

    /** Why it is excluded; null if it is not. */
    private static String reason(TestClient client, ShuffleWorker worker) throws IOException {
        client.send(FrameType.LIST, 0, 0, 0, 0, new ListWorkers(List.of(worker.id())));
        Member member = Workers.read(client.expect(FrameType.WORKERS).fields())
                .members()
                .get(0);
        return member.excluded() ? member.reason() : null;
    }

    private void expect(WorkerOptions options, Path closed, String reason) throws IOException {
        try (ShuffleWorker worker = open(options, closed);
                TestClient client = new TestClient(worker.port())) {
            assertThat(reason(client, worker)).isEqualTo(reason);
        }
    }

    /** One thread serves all. */
    @Test
    void aDirectoryThatStandsStillHoldsUpNoneButTheOrder() throws Exception {
        WorkerOptions options = options(directory).with(WorkerOptions.Key.THREADS, "1");
        try (ShuffleWorker worker = open(options, null);
                TestClient client = new TestClient(worker.port());
                TestClient other = new TestClient(worker.port())) {
            disks.get(directory).hold();
            client.send(FrameType.EXCLUDE, 0, 1, 0, 0, new Exclude(worker.id(), true, "slow"));
            client.send(FrameType.PING, 0, 0, 0, 0);
            client.expect(FrameType.PONG);
            assertThat(reason(other, worker)).isEqualTo("slow");
            disks.get(directory).go();
            client.expect(FrameType.DONE);
        }
        expect(options, null, "slow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void whatWasSaidLastCountsWhicheverDirectoryWasLeftOutMeanwhile(String closed) throws Exception {
        WorkerOptions options = twoDirectories("a", "b");
        Path leftOut = directory.resolve(closed);
        try (ShuffleWorker worker = open(options, null);
                TestClient client = new TestClient(worker.port())) {
            assertThat(exclude(client, worker.id(), true)).isNull();
        }
        try (ShuffleWorker worker = open(options, leftOut);
                TestClient client = new TestClient(worker.port())) {
            assertThat(reason(client, worker)).isEqualTo("slow");
            assertThat(exclude(client, worker.id(), false)).isNull();
        }
        expect(options, null, null);
        expect(twoDirectories("b", "a"), null, null);
        expect(options, directory.resolve(closed.equals("a") ? "b" : "a"), null);
    }

    @Test
    void aDirectoryThatWasReplacedGetsTheList() throws Exception {
        WorkerOptions options = twoDirectories("a", "b");
        try (ShuffleWorker worker = open(options, null);
                TestClient client = new TestClient(worker.port())) {
            assertThat(exclude(client, worker.id(), true)).isNull();
        }
        Files.move(directory.resolve("a"), directory.resolve("old"));
        expect(options, null, "slow");
        expect(options, directory.resolve("b"), "slow");
    }

    @Test
    void aListWithoutANumberIsRead() throws Exception {
        WorkerOptions options = twoDirectories("a", "b");
        UUID id;
        try (ShuffleWorker worker = open(options, null)) {
            id = worker.id();
        }
        Files.writeString(directory.resolve("a/worker.exclusions"), id + " its disk is slow\n");
        expect(options, null, "its disk is slow");
        expect(options, directory.resolve("a"), "its disk is slow");
    }

    @Test
    void whatNoDirectoryTakesIsSaidAndCountsMeanwhile() throws Exception {
        try (ShuffleWorker worker = open(twoDirectories("a", "b"), null);
                TestClient client = new TestClient(worker.port())) {
            disks.get(directory.resolve("a")).fill();
            assertThat(exclude(client, worker.id(), true)).as("one takes it").isNull();
            disks.get(directory.resolve("b")).fill();
            assertThat(exclude(client, worker.id(), false).sentence())
                    .contains("until the registry's worker ends", "No space left");
            assertThat(reason(client, worker)).isNull();
        }
    }
}
