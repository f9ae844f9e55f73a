package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients in a process that lacks something: they fail or go on, and do not wait for ever. */
@Timeout(60)
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

    private WriteStream writer(ShuffleClient client) {
        return client.write(key, List.of(worker.candidate()), 1, failure -> {});
    }

    private static void finish(WriteStream writer) throws Exception {
        writer.finish(0, new long[1]);
    }

    private void write(ShuffleClient client) throws Exception {
        WriteStream writer = writer(client);
        writer.write(region(3));
        finish(writer);
    }

    private void start(Gathering reader, ShuffleClient client) {
        reader.start(client.read(key, List.of(worker.candidate()), 0, 0, reader.firstCredit(), reader));
    }

    @Test
    void aReaderGoesOnThoughThereWasNoMemoryToGiveCredit() throws Exception {
        try (ShuffleClient client = client(20)) {
            write(client);
            Gathering reader = Gathering.stingy(1);
            start(reader, client);
            reader.awaitBlocks(1);
            ground.isNextHeaderRefused.set(true);
            reader.give(1);
            reader.awaitBlocks(1);
            assertThat(ground.isNextHeaderRefused).isFalse();
            reader.give(1);
            assertThat(reader.await()).hasSize(3);
        }
    }

    @Test
    void aWriterGoesOnThoughThereWasNoMemoryForAFrame() throws Exception {
        try (ShuffleClient client = client(20)) {
            WriteStream writer = writer(client);
            writer.writeAndWait(region(1));
            ground.isNextHeaderRefused.set(true);
            writer.write(region(2));
            finish(writer);
            assertThat(ground.isNextHeaderRefused).isFalse();
            assertThat(client.counts().regionsResent()).isEqualTo(1);
            Gathering reader = new Gathering(3);
            start(reader, client);
            assertThat(reader.await()).hasSize(3);
        }
    }

    @Test
    void aConnectionIsMadeAgainIfThereWasNoMemoryForItsGreeting() throws Exception {
        ground.isNextGrowingRefused.set(true);
        try (ShuffleClient client = client(20)) {
            write(client);
            assertThat(ground.isNextGrowingRefused).isFalse();
        }
    }

    @Test
    void aNameThatIsLookedUpForLongDelaysNoReaderOfAnotherWorker() throws Exception {
        try (ShuffleClient client = client(20)) {
            write(client);
            Candidate slow = new Candidate(UUID.randomUUID(), ScarceGround.SLOW_HOST, 1);
            Gathering waiting = new Gathering(1);
            waiting.start(client.read(key, List.of(slow), 0, 0, 1, waiting));
            ground.slowLookUps.await();
            Gathering reader = new Gathering(1);
            start(reader, client);
            assertThat(reader.await()).hasSize(3);
            assertThat(waiting.isOver()).isFalse();
        } finally {
            ground.isAnswered.release(100);
        }
    }

    @Test
    void aWorkerIsFoundByItsName() throws Exception {
        try (ShuffleClient client = client(20)) {
            int port = worker.candidate().port();
            client.write(key, List.of(new Candidate(worker.id, "localhost", port)), 1, failure -> {})
                    .finish(0, new long[1]);
        }
        worker.run(() -> assertThat(worker.commits).hasSize(1));
    }
}
