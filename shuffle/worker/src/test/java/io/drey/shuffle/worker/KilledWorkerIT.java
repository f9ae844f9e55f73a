package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.expected;
import static io.drey.shuffle.worker.WriteAndReadTest.manifest;
import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static io.drey.shuffle.worker.WriteAndReadTest.region;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.TestClient.Block;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker in a process of its own is killed with -9 while it is written to, again and again: nothing it acknowledged
 * is lost.
 */
final class KilledWorkerIT {
    private static final int KILLS = 5;

    @TempDir
    Path directory;

    /** The worker's process: prints its port, and runs until it is killed. */
    public static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            ShuffleWorker worker = ShuffleWorker.open(options(Path.of(args[0])));
            System.out.println(worker.port());
            worker.drainRequested().join();
            worker.close();
        }
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static int port(Process process) throws IOException {
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        return Integer.parseInt(out.readLine());
    }

    @Test
    void whatAKilledWorkerAcknowledgedIsReadAfterItsRestart() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        PartitionKey key = new PartitionKey("job", "exchange", 0, 1);
        PartitionKey committed = new PartitionKey("job", "exchange", 1, 1);
        List<List<Block>> acknowledged = new ArrayList<>();
        List<List<Block>> before = List.of();
        for (int kill = 0; kill < KILLS; kill++) {
            Process process = start();
            try (TestClient client = new TestClient(port(process))) {
                if (kill == 0) {
                    before = WriteAndReadTest.fill(client, committed, 3, 4, 7);
                    client.acknowledged().clear();
                }
                assertThat(client.read(committed, 0, 3, 0, 0, 5).blocks).isEqualTo(expected(before, 0, 3));
                int stream = client.open(key, 4);
                List<List<Block>> sent = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    sent.add(region(random, 4, 30, 20_000));
                    client.write(stream, key, acknowledged.size() + i, sent.get(i));
                }
                client.awaitAcknowledged(1 + random.nextInt(4));
                process.destroyForcibly().waitFor();
                acknowledged.addAll(sent.subList(0, client.acknowledged().size()));
            }
        }
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient client = new TestClient(worker.port())) {
            Commit commit = new Commit(key, manifest(worker.id(), acknowledged.size(), 4));
            assertThat(client.request(FrameType.COMMIT, commit)).isNull();
            assertThat(client.read(key, 0, 3, 0, 0, 9).blocks).isEqualTo(expected(acknowledged, 0, 3));
            assertThat(LeaseTest.audit(client)).isEmpty();
        }
    }
}
