package io.drey.shuffle.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.TestClient.Block;
import io.drey.shuffle.worker.TestClient.Read;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker reads a little more than a client has credit for, within its memory. */
final class ReadAheadTest {
    private static final PartitionKey KEY = new PartitionKey("job1", "exchange1", 3, 77);
    private static final int BLOCKS = 40;
    private static final int BLOCK_BYTES = 10_000;
    private static final long MEMORY = 16L << 20;

    @TempDir
    Path directory;

    private ShuffleWorker worker() throws Exception {
        return ShuffleWorker.open(WorkerOptions.of(directory)
                .withPort(0)
                .withMemory(MEMORY)
                .withFreeBytesMin(0)
                .with(WorkerOptions.Key.HTTP_PORT, "0"));
    }

    private static long metric(ShuffleWorker worker, String name) throws Exception {
        return MetricTest.value(MetricTest.get(worker.httpPort(), "/metrics").body(), name);
    }

    private static List<Block> fill(TestClient client, int subpartitions) throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < subpartitions * BLOCKS; i++) {
            byte[] payload = new byte[BLOCK_BYTES];
            random.nextBytes(payload);
            blocks.add(new Block(i / BLOCKS, 0, payload));
        }
        commit(client, subpartitions, blocks);
        return blocks;
    }

    private static void commit(TestClient client, int subpartitions, List<Block> blocks) throws Exception {
        commit(client, KEY, subpartitions, blocks);
    }

    private static void commit(TestClient client, PartitionKey key, int subpartitions, List<Block> blocks)
            throws Exception {
        int before = client.acknowledged().size();
        int stream = client.open(key, subpartitions);
        assertThat(client.write(stream, key, 0, blocks)).isTrue();
        client.awaitAcknowledged(before + 1);
        client.send(FrameType.CLOSE_WRITE, 0, stream, 0, 0);
        Commit commit = new Commit(key, WriteAndReadTest.manifest(client.welcome.worker(), 1, subpartitions));
        assertThat(client.request(FrameType.COMMIT, commit)).isNull();
    }

    private static List<Fetching.Channel> channels(TestClient client, int subpartitions, int credit) {
        List<Fetching.Channel> channels = new ArrayList<>();
        for (int i = 0; i < subpartitions; i++) {
            channels.add(new Fetching.Channel(KEY, client.newStream(), i, i, 0, 0, credit));
        }
        return channels;
    }

    @Test
    void aBlockForWhichCreditComesLaterIsThere() throws Exception {
        try (ShuffleWorker worker = worker();
                TestClient client = new TestClient(worker.port())) {
            List<Block> written = fill(client, 1);
            assertThat(client.read(KEY, 0, 0, 0, 0, 1).blocks).isEqualTo(written);
            // The table of the region is no read of the elevator.
            assertThat(metric(worker, "reads_total")).isLessThanOrEqualTo(BLOCKS / 8);
            await(worker, 0, 0);
        }
    }

    @Test
    void whoGivesNoCreditHoldsAnEighthOfTheMemoryAndNobodyUp() throws Exception {
        int readers = 40;
        try (ShuffleWorker worker = worker();
                TestClient client = new TestClient(worker.port())) {
            List<Block> written = fill(client, readers);
            try (TestClient silent = new TestClient(worker.port())) {
                silent.send(FrameType.OPEN_READ, 0, 0, 0, 0, new Fetching.OpenRead(channels(silent, readers, 1)));
                // Else the other readers' blocks may be all that there is room for, until the silent ones give credit.
                await(worker, 1, MEMORY / 8);
                List<Read> reads = client.readAll(channels(client, readers, 2), 2);
                for (int i = 0; i < readers; i++) {
                    assertThat(reads.get(i).blocks).isEqualTo(written.subList(i * BLOCKS, (i + 1) * BLOCKS));
                }
                await(worker, 1, MEMORY / 8);
            }
            await(worker, 0, 0);
        }
    }

    @Test
    @Timeout(60)
    void aBlockOfTheLargestSegmentIsReadWhileWritersAndReadAheadHoldAllTheyMay() throws Exception {
        int silents = 40;
        PartitionKey large = new PartitionKey("job1", "exchange1", 4, 77);
        Block block = new Block(0, 0, new byte[BlockFormat.PAYLOAD_BYTES_MAX]);
        try (ShuffleWorker worker = worker();
                TestClient client = new TestClient(worker.port());
                TestClient silent = new TestClient(worker.port());
                TestClient writing = new TestClient(worker.port())) {
            fill(client, silents);
            commit(client, large, 1, List.of(block));
            await(worker, 0, 0);
            silent.send(FrameType.OPEN_READ, 0, 0, 0, 0, new Fetching.OpenRead(channels(silent, silents, 0)));
            for (int i = 0; ; i++) {
                PartitionKey key = new PartitionKey("job1", "exchange2", i, 77);
                int stream = writing.open(key, 1);
                if (stream < 0) {
                    break;
                }
                assertThat(writing.write(stream, key, 0, 0, List.of(Block.of(0, "begun"))))
                        .isTrue();
            }
            await(worker, MEMORY * 3 / 4 + 1, MEMORY);
            assertThat(client.read(large, 0, 0, 0, 0, 1).blocks).containsExactly(block);
        }
    }

    /** Small ranges so far apart that each is a read of its own, in a slab of its own. */
    @Test
    void whoTakesNoDataHoldsAnEighthOfTheMemoryHoweverSmallItsRangesAre() throws Exception {
        int ranges = 1200;
        try (ShuffleWorker worker = worker();
                TestClient client = new TestClient(worker.port())) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < ranges; i++) {
                blocks.add(new Block(2 * i, 0, new byte[8 << 10]));
                blocks.add(new Block(2 * i + 1, 0, new byte[65 << 10]));
            }
            commit(client, 2 * ranges, blocks);
            try (TestClient frozen = new TestClient(worker.port())) {
                List<Fetching.Channel> small = channels(frozen, 2 * ranges, 1);
                small.removeIf(each -> each.from() % 2 == 1);
                frozen.send(FrameType.OPEN_READ, 0, 0, 0, 0, new Fetching.OpenRead(small));
                await(worker, MEMORY / 8, MEMORY);
                assertThat(client.read(KEY, 1, 1, 0, 0, 2).blocks).containsExactly(blocks.get(1));
            }
            await(worker, 0, 0);
        }
    }

    /** Until so much memory is in use: what is sent is given back a little later. */
    private static void await(ShuffleWorker worker, long least, long most) throws Exception {
        long used = metric(worker, "memory_used_bytes");
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                (used < least || used > most) && System.nanoTime() < end;
                used = metric(worker, "memory_used_bytes")) {
            Thread.sleep(5);
        }
        assertThat(used).isBetween(least, most);
    }
}
