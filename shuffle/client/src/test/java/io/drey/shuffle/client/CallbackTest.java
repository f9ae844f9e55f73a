package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callbacks that throw, or want no more: they end the stream that they are of, and no other one. */
@Timeout(60)
final class CallbackTest {
    private static final int BLOCKS = 3;

    private final PartitionKey key = new PartitionKey("job", "exchange", 3, 77);
    private TwinWorker worker;
    private ShuffleClient client;

    @BeforeEach
    void open() throws InterruptedException {
        worker = new TwinWorker();
        client = client(20);
    }

    private ShuffleClient client(int waitSeconds) {
        return ShuffleClient.open(
                new ClientOptions(List.of(worker.address()), null, 1, Duration.ofSeconds(waitSeconds)));
    }

    @AfterEach
    void close() {
        client.close();
        worker.close();
    }

    private static Region.Builder region() {
        Region.Builder region = new Region.Builder(false);
        for (int i = 0; i < BLOCKS; i++) {
            region.block(0, 0, ByteBuffer.allocateDirect(1000));
        }
        return region;
    }

    /** Reads a partition of three blocks. */
    private void read(Gathering reader) throws Exception {
        WriteStream writer = client.write(key, List.of(worker.candidate()), 1, failure -> {});
        writer.write(region());
        writer.finish(0, new long[1]);
        reader.start(client.read(key, List.of(worker.candidate()), 0, 0, reader.firstCredit(), reader));
    }

    @Test
    void aReaderWhoseListenerFailsAtABlockDoesNotGoOnWithoutIt() throws Exception {
        Gathering reader = new Gathering(BLOCKS) {
            private boolean hasFailed;

            @Override
            public void blockEnds(int subpartition, int length, int flags, int blocksLeft) {
                if (!hasFailed) {
                    hasFailed = true;
                    throw new InternalError("of the listener");
                }
                super.blockEnds(subpartition, length, flags, blocksLeft);
            }
        };
        read(reader);
        assertThatThrownBy(reader::await).hasStackTraceContaining("of the listener");
    }

    @Test
    void aWriterIsToldOfItsEndThoughAnotherOneFailedAtThat() throws Exception {
        worker.stop();
        CountDownLatch told = new CountDownLatch(2);
        try (ShuffleClient impatient = client(1)) {
            for (int i = 0; i < 2; i++) {
                PartitionKey of = new PartitionKey("job", "exchange", i, 1);
                impatient
                        .write(of, List.of(worker.candidate()), 1, failure -> {
                            told.countDown();
                            throw new IllegalStateException("of the callback");
                        })
                        .write(region());
            }
            told.await();
        }
        assertThat(told.getCount()).isZero();
    }

    @Test
    void aWriterFailsIfItsCandidateHasNoAddress() throws Exception {
        Candidate nowhere = new Candidate(UUID.randomUUID(), "127.0.0.1", 70_000);
        WriteStream writer = client.write(key, List.of(nowhere), 1, failure -> {});
        writer.write(region());
        assertThatThrownBy(() -> writer.finish(0, new long[1]))
                .isInstanceOf(IOException.class)
                .hasStackTraceContaining("70000");
    }

    @Test
    void aReaderWhoseListenerDoesNotTakeTheEndFails() throws Exception {
        Gathering reader = new Gathering(BLOCKS) {
            @Override
            public void complete(int attributes) {
                throw new IllegalArgumentException("of the end");
            }
        };
        read(reader);
        assertThatThrownBy(reader::await).hasStackTraceContaining("of the end");
    }

    @Test
    void aReaderThatNobodyWantsToReadOnIsClosedAndNotALoss() throws Exception {
        Gathering reader = new Gathering(BLOCKS) {
            private int begun;

            @Override
            public ByteBuffer blockBegins(int length, int flags) {
                return ++begun < BLOCKS ? super.blockBegins(length, flags) : null;
            }
        };
        read(reader);
        reader.awaitClose();
        assertThat(client.counts().partitionsLost()).isZero();
    }
}
