package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.expected;
import static io.drey.shuffle.worker.WriteAndReadTest.fill;
import static io.drey.shuffle.worker.WriteAndReadTest.manifest;
import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.Membership.Workers;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.TestClient.Block;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that drains finishes what is under way, takes nothing new, and says so; registries know it. */
final class DrainTest {
    private static final PartitionKey KEY = new PartitionKey("job", "exchange", 0, 1);
    private static final PartitionKey OTHER = new PartitionKey("job", "exchange", 1, 1);

    @TempDir
    Path directory;

    /** All that was sent before has been taken. */
    private static void ping(TestClient client) throws IOException {
        client.send(FrameType.PING, 0, 0, 0, 0);
        client.expect(FrameType.PONG);
    }

    @Test
    void aRegionUnderWayEndsAndTheNextIsRefused() throws Exception {
        List<Block> half = List.of(Block.of(0, "a"), Block.of(1, "b"));
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> written = fill(client, OTHER, 2, 4, 1);
            int stream = client.open(KEY, 4);
            client.write(stream, KEY, 0, 0, half);
            ping(client);
            worker.drain();
            while (client.goaways() == 0) {
                ping(client);
            }
            assertThat(client.end(stream, 0, half)).isTrue();
            client.awaitAcknowledged(3);
            client.send(FrameType.BEGIN, 0, stream, 1, 0);
            assertThat(client.open(new PartitionKey("job", "exchange", 2, 1), 4))
                    .isNegative();
            assertThat(client.refusals()).extracting(Fault::reason).containsOnly(Fault.Reason.DRAINING);
            assertThat(client.request(FrameType.COMMIT, new Commit(KEY, manifest(worker.id(), 1, 4))))
                    .isNull();
            assertThat(client.read(OTHER, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(written, 0, 3));
            worker.awaitDrained();
            assertThat(worker.report().load().writers()).isZero();
            assertThat(worker.report().state()).isEqualTo(WorkerReport.State.DRAINING);
        }
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(half);
        }
    }

    @Test
    void aCommandAsksForADrain() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(client.request(FrameType.DRAIN, out -> {})).isNull();
            worker.drainRequested().join();
        }
    }

    private static List<Member> members(TestClient client) throws IOException {
        client.send(FrameType.LIST, 0, 5, 0, 0, new ListWorkers(List.of()));
        return Workers.read(client.expect(FrameType.WORKERS).fields()).members();
    }

    @Test
    void aWorkerAloneIsItsOwnRegistry() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            assertThat(members(client)).hasSize(1);
            Member member = members(client).get(0);
            assertThat(member.report().id()).isEqualTo(worker.id());
            assertThat(member.report().port()).isEqualTo(worker.port());
            assertThat(member.health()).isEqualTo(Health.ALIVE);
            assertThat(member.isOpen()).isTrue();
            worker.drain();
            assertThat(members(client).get(0).isOpen()).isFalse();
        }
    }

    @Test
    void workersReportToTheRegistryThatTheyAreTold() throws Exception {
        try (ShuffleWorker registry = ShuffleWorker.open(options(directory.resolve("a")))) {
            WorkerOptions options =
                    options(directory.resolve("b")).with(WorkerOptions.Key.REGISTRY, "127.0.0.1:" + registry.port());
            try (ShuffleWorker worker = ShuffleWorker.open(options);
                    TestClient client = new TestClient(registry.port())) {
                while (members(client).size() < 2) {
                    Thread.sleep(10);
                }
                assertThat(members(client))
                        .extracting(each -> each.report().id())
                        .containsExactlyInAnyOrder(registry.id(), worker.id());
            }
        }
    }
}
