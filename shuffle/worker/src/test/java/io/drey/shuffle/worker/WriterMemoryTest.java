package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.manifest;
import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.block.RegionCost;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.TestClient.Block;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More writers than a worker has memory for: each gets its turn, and nothing is lost by it. */
@Timeout(60)
final class WriterMemoryTest {
    @TempDir
    Path directory;

    private final Map<PartitionKey, Integer> streams = new LinkedHashMap<>();
    private ShuffleWorker worker;
    private TestClient client;

    @BeforeEach
    void open() throws IOException {
        worker = ShuffleWorker.open(options(directory));
        client = new TestClient(worker.port());
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        worker.close();
    }

    private static PartitionKey key(int number) {
        return new PartitionKey("job", "exchange", number, 1);
    }

    private static List<Block> region(PartitionKey key, int region) {
        return List.of(Block.of(0, "of " + key), Block.of(1, "region " + region));
    }

    private void write(PartitionKey key, int region) throws IOException {
        assertThat(client.write(streams.get(key), key, region, region(key, region)))
                .isTrue();
    }

    private void begin(PartitionKey key, int region) throws IOException {
        assertThat(client.write(streams.get(key), key, region, 0, region(key, region)))
                .isTrue();
    }

    private void end(PartitionKey key, int region) throws IOException {
        assertThat(client.end(streams.get(key), region, region(key, region))).isTrue();
    }

    /** Opens writers that write a region each until there is no memory for another one; the key of that one. */
    private PartitionKey fillMemory() throws IOException {
        for (int i = 0; ; i++) {
            int stream = client.open(key(i), 2);
            if (stream < 0) {
                return key(i);
            }
            streams.put(key(i), stream);
            write(key(i), 0);
            client.awaitAcknowledged(i + 1);
            begin(key(i), 1);
        }
    }

    private void openInTheEnd(PartitionKey key) throws Exception {
        int stream = client.open(key, 2);
        while (stream < 0) {
            Thread.sleep(20);
            stream = client.open(key, 2);
        }
        streams.put(key, stream);
    }

    private void expectCommitted(PartitionKey key, int regions) throws IOException {
        assertThat(client.request(FrameType.COMMIT, new Commit(key, manifest(worker.id(), regions, 2))))
                .isNull();
        for (int subpartition = 0; subpartition < 2; subpartition++) {
            assertThat(client.read(key, subpartition, subpartition, 0, 0, 9).blocks)
                    .hasSize(regions)
                    .first()
                    .isEqualTo(region(key, 0).get(subpartition));
        }
    }

    @Test
    void quietWritersLeaveRoomForOthersAndComeBack() throws Exception {
        PartitionKey busy = fillMemory();
        int regions = streams.size();
        for (PartitionKey each : streams.keySet()) {
            end(each, 1);
            client.awaitAcknowledged(++regions);
        }
        List<PartitionKey> quiet = List.copyOf(streams.keySet());
        openInTheEnd(busy);
        write(busy, 0);
        client.awaitAcknowledged(++regions);
        assertThat(client.refusals()).extracting(Fault::reason).containsOnly(Fault.Reason.BUSY);
        expectCommitted(busy, 1);
        for (PartitionKey each : quiet) {
            client.send(FrameType.CLOSE_WRITE, 0, streams.get(each), 0, 0);
            openInTheEnd(each);
            write(each, 2);
            client.awaitAcknowledged(++regions);
            expectCommitted(each, 3);
        }
    }

    @Test
    void writersThatAlwaysHaveMoreAreAskedToTakeTurns() throws Exception {
        PartitionKey other = fillMemory();
        int regions = streams.size();
        assertThat(client.splits()).isZero();
        PartitionKey first = streams.keySet().iterator().next();
        end(first, 1);
        client.awaitAcknowledged(++regions);
        assertThat(client.splits()).isOne();
        client.send(FrameType.CLOSE_WRITE, 0, streams.get(first), 0, 0);
        openInTheEnd(other);
        write(other, 0);
        client.awaitAcknowledged(++regions);
        expectCommitted(other, 1);
        expectCommitted(first, 2);
    }

    /** Memory that others left comes while the header of a region waits for some, and with it credit for its blocks. */
    @Test
    void aRegionWhoseHeaderHadToWaitForMemoryIsInOrder() throws Exception {
        close();
        FailingDisk[] disk = new FailingDisk[1];
        worker = ShuffleWorker.open(options(directory), path -> disk[0] = new FailingDisk(path, 1L << 30));
        client = new TestClient(worker.port());
        PartitionKey key = fillMemory();
        int written = streams.size();
        client.send(FrameType.CLOSE_WRITE, 0, streams.remove(key(written - 1)), 0, 0);
        openInTheEnd(key);
        int stream = streams.remove(key);
        for (int other : streams.values()) {
            client.send(FrameType.CLOSE_WRITE, 0, other, 0, 0);
        }
        Until.isTrue("one writer", () -> worker.report().load().writers() <= 1);
        disk[0].hold();
        client.write(stream, key, 0, region(key, 0));
        disk[0].awaitHeld();
        int cost = RegionCost.BEGIN_BYTES + 16 + RegionCost.endBytes(1);
        byte[] payload = new byte[(int) client.credit(stream) - cost - 1];
        new SplittableRandom(1).nextBytes(payload);
        List<Block> filling = List.of(new Block(0, 0, payload));
        client.write(stream, key, 1, filling);
        assertThat(client.credit(stream)).isOne();
        client.write(stream, key, 2, 0, List.of());
        client.send(FrameType.PING, 0, 0, 0, 0);
        client.expect(FrameType.PONG);
        disk[0].goOnce();
        List<Block> late = List.of(Block.of(0, "late"));
        client.blocks(stream, key, late);
        client.end(stream, 2, late);
        disk[0].go();
        client.awaitAcknowledged(written + 3);
        assertThat(client.request(FrameType.COMMIT, new Commit(key, manifest(worker.id(), 3, 2))))
                .isNull();
        assertThat(client.read(key, 0, 0, 0, 0, 9).blocks)
                .containsExactly(region(key, 0).get(0), filling.get(0), late.get(0));
    }
}
