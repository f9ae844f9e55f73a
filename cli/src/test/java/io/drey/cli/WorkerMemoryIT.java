package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.drey.cli.shuffle.CountingReader;
import io.drey.cli.shuffle.IdleConnections;
import io.drey.cli.shuffle.LaunchedWorker;
import io.drey.shuffle.client.Candidate;
import io.drey.shuffle.client.ClientOptions;
import io.drey.shuffle.client.Region;
import io.drey.shuffle.client.ShuffleClient;
import io.drey.shuffle.client.ShuffleControl;
import io.drey.shuffle.client.WriteStream;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.testkit.Effort;
import io.drey.testkit.TestSummary;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Memory and connections of a worker's process, as its users start it, with very many clients. */
@Timeout(300)
@Tag(Effort.TAG)
@EnabledOnOs(OS.LINUX)
final class WorkerMemoryIT {
    private static final int POOL_MB = 64;
    private static final int BESIDE_MB_MAX = 150;
    private static final int STREAMS = 1_000;
    private static final int CLIENTS = 10;
    private static final int REGIONS = 2;
    private static final int BLOCKS = 8;
    private static final int BLOCK_BYTES = 32 << 10;
    private static final int CONNECTIONS = 10_000;

    /** Open files of a process beside its connections. */
    private static final int OTHER_FILES = 1_000;

    @TempDir
    private Path folder;

    private final TestSummary summary = new TestSummary(WorkerMemoryIT.class);
    private LaunchedWorker worker;

    @BeforeEach
    void start() throws Exception {
        worker = new LaunchedWorker(folder, Map.of("free-space.min", "0", "memory", POOL_MB + "m"), "");
    }

    @AfterEach
    void end() {
        worker.close();
    }

    @Test
    void aWorkerThatRunsOutOfHeapEndsInsteadOfGoingOnInPart() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        assertThatThrownBy(() -> new LaunchedWorker(other, Map.of(), "-Xms5m -Xmn2m -Xmx5m"))
                .hasMessageContaining("Terminating due to java.lang.OutOfMemoryError");
    }

    private static PartitionKey key(int partition) {
        return new PartitionKey("job", "exchange", partition, 1);
    }

    private static ShuffleClient of(List<ShuffleClient> clients, int partition) {
        return clients.get(partition % clients.size());
    }

    /** All send at once, and are open until all have sent. */
    private void write(List<ShuffleClient> clients, List<Candidate> candidates) throws Exception {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        List<WriteStream> writers = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            writers.add(of(clients, i).write(key(i), candidates, 1, failure -> {}));
        }
        for (int region = 0; region < REGIONS; region++) {
            for (WriteStream each : writers) {
                Region.Builder builder = new Region.Builder(false);
                for (int i = 0; i < BLOCKS; i++) {
                    builder.block(0, 0, block.duplicate());
                }
                each.write(builder);
            }
        }
        for (WriteStream each : writers) {
            each.finish(0, new long[1]);
        }
    }

    private void read(List<ShuffleClient> clients, List<Candidate> candidates) throws Exception {
        List<CompletableFuture<Long>> readers = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            CountingReader reader = new CountingReader(BLOCK_BYTES);
            readers.add(reader.start(of(clients, i).read(key(i), candidates, 0, 0, CountingReader.CREDIT, reader)));
        }
        for (CompletableFuture<Long> each : readers) {
            assertThat(each.get()).isEqualTo((long) REGIONS * BLOCKS * BLOCK_BYTES);
        }
    }

    @Test
    void aThousandWritersAndReadersTakeItsPoolAndLittleMore() throws Exception {
        ClientOptions options = new ClientOptions(List.of(worker.address()), null, 1, Duration.ofSeconds(60));
        List<ShuffleClient> clients = new ArrayList<>();
        try (ShuffleControl control = ShuffleControl.open(options)) {
            assertThat(control.awaitFirstList(Duration.ofSeconds(60))).isTrue();
            List<Candidate> candidates = control.choose(1);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(ShuffleClient.open(options));
            }
            long atFirst = worker.peakMb();
            write(clients, candidates);
            long written = worker.peakMb();
            read(clients, candidates);
            summary.add("MB at first", atFirst);
            summary.add("MB with writers", written);
            summary.add("MB with readers", worker.peakMb());
            summary.print();
            assertThat(worker.peakMb()).isLessThanOrEqualTo(POOL_MB + BESIDE_MB_MAX);
        } finally {
            clients.forEach(ShuffleClient::close);
        }
    }

    @Test
    void tenThousandIdleConnectionsAreHeld() throws Exception {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            long limit = system.getMaxFileDescriptorCount();
            String tooFew = "This machine lets a process open " + limit + " files, too few for " + CONNECTIONS
                    + " connections: not tested. Raise it with ulimit -n.";
            if (limit < CONNECTIONS + OTHER_FILES) {
                System.out.println(tooFew);
            }
            assumeTrue(limit >= CONNECTIONS + OTHER_FILES, tooFew);
        }
        try (IdleConnections connections = new IdleConnections()) {
            while (connections.size() < CONNECTIONS) {
                connections.connect(worker.address());
            }
            connections.expectAnswers();
            summary.add("connections held", connections.size());
            summary.add("MB with them", worker.peakMb());
            summary.print();
        }
    }
}
