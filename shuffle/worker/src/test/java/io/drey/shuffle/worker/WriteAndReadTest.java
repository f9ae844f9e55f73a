package io.drey.shuffle.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.TestClient.Block;
import io.drey.shuffle.worker.TestClient.Read;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A partition is read back as it was written, over real sockets and files. */
final class WriteAndReadTest {
    private static final PartitionKey KEY = new PartitionKey("job1", "exchange1", 3, 77);

    @TempDir
    Path directory;

    static WorkerOptions options(Path directory) {
        return WorkerOptions.of(directory).withPort(0).withMemory(16L << 20).withFreeBytesMin(0);
    }

    static PartitionManifest manifest(UUID worker, int regions, int subpartitions) {
        return new PartitionManifest(List.of(worker), new int[regions], new long[subpartitions], 9);
    }

    /** Blocks of a region in rotated order. */
    static List<Block> region(SplittableRandom random, int subpartitions, int blocks, int bytesMax) {
        int first = random.nextInt(subpartitions);
        List<Block> all = new ArrayList<>();
        for (int i = 0; i < blocks; i++) {
            byte[] payload = new byte[random.nextInt(bytesMax + 1)];
            random.nextBytes(payload);
            all.add(new Block(random.nextInt(subpartitions), random.nextInt(), payload));
        }
        all.sort(Comparator.comparingInt(each -> (each.subpartition() - first + subpartitions) % subpartitions));
        return all;
    }

    static List<Block> expected(List<List<Block>> regions, int from, int to) {
        List<Block> all = new ArrayList<>();
        for (List<Block> region : regions) {
            region.stream()
                    .filter(each -> each.subpartition() >= from && each.subpartition() <= to)
                    .forEach(all::add);
        }
        return all;
    }

    /** Writes and commits; returns what was written. */
    static List<List<Block>> fill(TestClient client, PartitionKey key, int regions, int subpartitions, long seed)
            throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Block>> written = new ArrayList<>();
        int before = client.acknowledged().size();
        int stream = client.open(key, subpartitions);
        for (int i = 0; i < regions; i++) {
            List<Block> blocks = region(random, subpartitions, 1 + random.nextInt(60), 40_000);
            assertThat(client.write(stream, key, i, blocks)).isTrue();
            written.add(blocks);
        }
        client.awaitAcknowledged(before + regions);
        client.send(FrameType.CLOSE_WRITE, 0, stream, 0, 0);
        assertThat(client.request(
                        FrameType.COMMIT, new Commit(key, manifest(client.welcome.worker(), regions, subpartitions))))
                .isNull();
        return written;
    }

    @Test
    void everySubpartitionComesBackInOrderWithAnyCredit() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> written = fill(client, KEY, 12, 7, 1);
            for (int credit : List.of(1, 3, 1000)) {
                for (int from = 0; from < 7; from += 2) {
                    Read read = client.read(KEY, from, Math.min(6, from + 1), 0, 0, credit);
                    assertThat(read.refused).isNull();
                    assertThat(read.blocks).isEqualTo(expected(written, from, Math.min(6, from + 1)));
                    assertThat(read.opened.value()).isEqualTo(read.blocks.size());
                    assertThat(read.opened.count()).isEqualTo(12);
                    assertThat(read.opened.flags()).isEqualTo(9);
                    assertThat(read.end.flags()).isEqualTo(FrameType.COMPLETE);
                }
            }
        }
    }

    @Test
    void aReaderGoesOnWhereItWasInterrupted() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> written = fill(client, KEY, 5, 6, 2);
            for (int region = 0; region < 5; region++) {
                int inRegion = expected(List.of(written.get(region)), 1, 4).size();
                for (int block = 0; block <= inRegion; block++) {
                    List<Block> rest = expected(written.subList(region, 5), 1, 4);
                    Read read = client.read(KEY, 1, 4, region, block, 2);
                    assertThat(read.blocks).isEqualTo(rest.subList(block, rest.size()));
                    assertThat(Fetching.ReadEnd.read(read.end.fields()).blocks())
                            .isEqualTo(rest.size());
                }
            }
        }
    }

    @Test
    void manyChannelsAreServedTogether() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> written = fill(client, KEY, 8, 50, 3);
            List<Fetching.Channel> channels = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                channels.add(new Fetching.Channel(KEY, client.newStream(), i, i, 0, 0, 2));
            }
            List<Read> reads = client.readAll(channels, 2);
            for (int i = 0; i < 50; i++) {
                assertThat(reads.get(i).blocks).isEqualTo(expected(written, i, i));
            }
        }
    }

    @Test
    void broadcastDataIsStoredOnceAndReadByAll() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            int stream = client.open(KEY, 9);
            List<Block> blocks = List.of(Block.of(0, "for"), Block.of(0, "all"));
            assertThat(client.write(stream, KEY, 0, FrameType.BROADCAST, blocks))
                    .isTrue();
            assertThat(client.end(stream, 0, blocks)).isTrue();
            List<Block> other = List.of(Block.of(4, "four"));
            assertThat(client.write(stream, KEY, 1, other)).isTrue();
            client.awaitAcknowledged(2);
            Commit commit = new Commit(KEY, manifest(worker.id(), 2, 9));
            assertThat(client.request(FrameType.COMMIT, commit)).isNull();
            assertThat(client.read(KEY, 8, 8, 0, 0, 1).blocks).isEqualTo(blocks);
            assertThat(client.read(KEY, 3, 5, 0, 0, 1).blocks)
                    .containsExactly(blocks.get(0), blocks.get(1), other.get(0));
        }
    }

    @Test
    void whatIsNotCommittedIsUnknownAndACommitMayBeRepeated() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            int stream = client.open(KEY, 2);
            assertThat(client.write(stream, KEY, 0, List.of(Block.of(1, "x")))).isTrue();
            client.awaitAcknowledged(1);
            assertThat(client.read(KEY, 0, 1, 0, 0, 5).refused.reason()).isEqualTo(Fault.Reason.UNKNOWN_PARTITION);
            Commit tooMuch = new Commit(KEY, manifest(worker.id(), 2, 2));
            assertThat(client.request(FrameType.COMMIT, tooMuch).reason()).isEqualTo(Fault.Reason.LOST);
            Commit commit = new Commit(KEY, manifest(worker.id(), 1, 2));
            assertThat(client.request(FrameType.COMMIT, commit)).isNull();
            assertThat(client.request(FrameType.COMMIT, commit)).isNull();
            assertThat(client.request(FrameType.COMMIT, tooMuch).reason()).isEqualTo(Fault.Reason.CONFLICT);
            assertThat(client.read(KEY, 0, 1, 0, 0, 5).blocks).containsExactly(Block.of(1, "x"));
        }
    }

    @Test
    void anEmptyPartitionIsCommittedAndEndsAtOnce() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            PartitionManifest empty = new PartitionManifest(List.of(), new int[0], new long[4], 0);
            assertThat(client.request(FrameType.COMMIT, new Commit(KEY, empty))).isNull();
            Read read = client.read(KEY, 0, 3, 0, 0, 5);
            assertThat(read.blocks).isEmpty();
            assertThat(read.end.flags()).isEqualTo(FrameType.COMPLETE);
        }
    }

    @Test
    void regionsOfAnotherWorkerAreLeftToIt() throws Exception {
        UUID elsewhere = new UUID(5, 5);
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            int stream = client.open(KEY, 2);
            assertThat(client.write(stream, KEY, 0, List.of(Block.of(0, "a")))).isTrue();
            assertThat(client.write(stream, KEY, 2, List.of(Block.of(0, "c")))).isTrue();
            client.awaitAcknowledged(2);
            PartitionManifest manifest =
                    new PartitionManifest(List.of(worker.id(), elsewhere), new int[] {0, 1, 0}, new long[2], 0);
            assertThat(client.request(FrameType.COMMIT, new Commit(KEY, manifest)))
                    .isNull();
            Read read = client.read(KEY, 0, 0, 0, 0, 5);
            assertThat(read.blocks).containsExactly(Block.of(0, "a"));
            assertThat(read.end.flags()).isZero();
            assertThat(read.end.count()).isOne();
            Fetching.Holders holders = Fetching.Holders.read(read.opened.fields());
            assertThat(holders.workers().get(holders.holders()[1])).isEqualTo(elsewhere);
            assertThat(client.read(KEY, 0, 0, 1, 0, 5).end.count()).isOne();
            assertThat(client.read(KEY, 0, 0, 2, 0, 5).blocks).containsExactly(Block.of(0, "c"));
        }
    }

    @Test
    void aRegionLargerThanTheWholeMemoryAndBlocksLargerThanASlabPass() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            SplittableRandom random = new SplittableRandom(4);
            List<Block> blocks = region(random, 3, 40, 2 << 20);
            int stream = client.open(KEY, 3);
            assertThat(client.write(stream, KEY, 0, blocks)).isTrue();
            client.awaitAcknowledged(1);
            assertThat(client.request(FrameType.COMMIT, new Commit(KEY, manifest(worker.id(), 1, 3))))
                    .isNull();
            for (int credit : List.of(1, 10)) {
                assertThat(client.read(KEY, 0, 2, 0, 0, credit).blocks).isEqualTo(blocks);
            }
        }
    }

    @Test
    void aChannelThatSharesAReadWithItsNeighboursGetsFramesOfTheAllowedSize() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                // With its header a block is a quarter of a megabyte, and a subpartition one.
                blocks.add(new Block(i / 4, 0, new byte[(256 << 10) - 16]));
            }
            int stream = client.open(KEY, 4);
            assertThat(client.write(stream, KEY, 0, blocks)).isTrue();
            client.awaitAcknowledged(1);
            assertThat(client.request(FrameType.COMMIT, new Commit(KEY, manifest(worker.id(), 1, 4))))
                    .isNull();
            List<Fetching.Channel> channels = new ArrayList<>();
            channels.add(new Fetching.Channel(KEY, client.newStream(), 0, 3, 0, 0, 16));
            for (int i = 1; i < 4; i++) {
                channels.add(new Fetching.Channel(KEY, client.newStream(), i, i, 0, 0, 16));
            }
            assertThat(client.readAll(channels, 16).get(0).blocks).isEqualTo(blocks);
        }
    }

    @Test
    void aTableLargerThanTheCreditDoesNotStopTheWriter() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < 30_000; i++) {
                blocks.add(new Block(i, 0, new byte[] {(byte) i}));
            }
            int stream = client.open(KEY, 30_000);
            for (int region = 0; region < 3; region++) {
                assertThat(client.write(stream, KEY, region, blocks)).isTrue();
            }
            client.awaitAcknowledged(3);
            assertThat(client.request(FrameType.COMMIT, new Commit(KEY, manifest(worker.id(), 3, 30_000))))
                    .isNull();
            assertThat(client.read(KEY, 29_999, 29_999, 0, 0, 1).blocks).hasSize(3);
            assertThat(client.read(KEY, 0, 29_999, 0, 0, 1000).blocks).hasSize(90_000);
        }
    }
}
