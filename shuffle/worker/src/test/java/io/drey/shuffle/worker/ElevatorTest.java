package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.expected;
import static io.drey.shuffle.worker.WriteAndReadTest.manifest;
import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.TestClient.Block;
import io.drey.shuffle.worker.TestClient.Read;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many small readers of a disk are served by few large reads, in the order of the disk. */
final class ElevatorTest {
    private static final int PARTITIONS = 4;
    private static final int SUBPARTITIONS = 250;

    @TempDir
    Path directory;

    private static PartitionKey key(int partition) {
        return new PartitionKey("job", "exchange", partition, 1);
    }

    private static List<Block> blocks(SplittableRandom random) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < SUBPARTITIONS; i++) {
            byte[] payload = new byte[(32 << 10) + random.nextInt(32 << 10)];
            random.nextBytes(payload);
            blocks.add(new Block(i, 0, payload));
        }
        return blocks;
    }

    @Test
    void aThousandSmallReadersTakeFewReadsAndSeeks() throws Exception {
        FailingDisk[] disk = new FailingDisk[1];
        SplittableRandom random = new SplittableRandom(1);
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory).withMemory(64L << 20), path -> {
                    disk[0] = new FailingDisk(path, 1L << 30);
                    return disk[0];
                });
                TestClient client = new TestClient(worker.port())) {
            List<List<Block>> written = new ArrayList<>();
            for (int i = 0; i < PARTITIONS; i++) {
                written.add(blocks(random));
                int stream = client.open(key(i), SUBPARTITIONS);
                assertThat(client.write(stream, key(i), 0, written.get(i))).isTrue();
                client.awaitAcknowledged(i + 1);
                Commit commit = new Commit(key(i), manifest(worker.id(), 1, SUBPARTITIONS));
                assertThat(client.request(FrameType.COMMIT, commit)).isNull();
            }
            List<int[]> wanted = new ArrayList<>();
            for (int i = 0; i < PARTITIONS * SUBPARTITIONS; i++) {
                wanted.add(new int[] {i / SUBPARTITIONS, i % SUBPARTITIONS});
            }
            Collections.shuffle(wanted, new Random(1));
            List<Fetching.Channel> channels = new ArrayList<>();
            for (int[] each : wanted) {
                channels.add(new Fetching.Channel(key(each[0]), client.newStream(), each[1], each[1], 0, 0, 2));
            }
            disk[0].resetCounts();
            List<Read> reads = client.readAll(channels, 2);
            for (int i = 0; i < wanted.size(); i++) {
                int subpartition = wanted.get(i)[1];
                assertThat(reads.get(i).blocks)
                        .isEqualTo(expected(List.of(written.get(wanted.get(i)[0])), subpartition, subpartition));
            }
            System.out.println("did " + wanted.size() + " ranges in random order by " + disk[0].reads() + " reads with "
                    + disk[0].seeks() + " seeks");
            // In the order in which they came, each range is a read of its own, and a seek.
            assertThat(disk[0].reads()).isLessThan(wanted.size() / 4);
            assertThat(disk[0].seeks()).isLessThan(wanted.size() / 4);
        }
    }
}
