package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients in a process that has nothing left of something: they fail or go on, but wait for ever never. */
@Timeout(30)
final class ScarceGroundTest {
    private final ScarceGround ground = new ScarceGround();
    private final PartitionKey key = new PartitionKey("job", "exchange", 3, 77);
    private TwinWorker worker;

    @BeforeEach
    void open() throws InterruptedException {
        worker = new TwinWorker();
    }

    @AfterEach
    void close() {
        worker.close();
    }

    private ShuffleClient client(int waitSeconds) {
        return ShuffleClient.open(new ClientOptions(List.of(), null, 1, Duration.ofSeconds(waitSeconds)), ground);
    }

    private static Region.Builder region(int blocks) {
        Region.Builder region = new Region.Builder(false);
        for (int i = 0; i < blocks; i++) {
            region.block(0, 0, ByteBuffer.allocateDirect(1000));
        }
        return region;
    }

    @Test
    void withoutFilesAWriterFailsInTheThreadOfItsLane() throws Exception {
        ground.hasFiles = false;
        try (ShuffleClient client = client(1)) {
            CompletableFuture<String> thread = new CompletableFuture<>();
            client.write(
                            key,
                            List.of(worker.candidate()),
                            1,
                            failure -> thread.complete(Thread.currentThread().getName()))
                    .write(region(1));
            assertThat(thread.get()).startsWith("drey-shuffle-write-0");
        }
    }
}
