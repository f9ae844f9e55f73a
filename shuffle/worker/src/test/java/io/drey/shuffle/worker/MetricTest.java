package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics follow what happened, and health is a word and a code. */
final class MetricTest {
    @TempDir
    Path directory;

    static HttpResponse<String> get(int port, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .timeout(Duration.ofMinutes(1))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    static long value(String text, String name) {
        return text.lines()
                .filter(each -> each.startsWith("drey_shuffle_" + name))
                .mapToLong(each -> Long.parseLong(each.substring(each.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void metricsAndHealthAreServed() throws Exception {
        WorkerOptions options = options(directory).with(WorkerOptions.Key.HTTP_PORT, "0");
        try (ShuffleWorker worker = ShuffleWorker.open(options);
                TestClient client = new TestClient(worker.port())) {
            PartitionKey key = new PartitionKey("job", "exchange", 0, 1);
            WriteAndReadTest.fill(client, key, 2, 3, 1);
            client.read(key, 0, 2, 0, 0, 5);
            String text = get(worker.httpPort(), "/metrics").body();
            assertThat(value(text, "partitions")).isOne();
            assertThat(value(text, "running")).isOne();
            assertThat(value(text, "written_bytes_total")).isEqualTo(value(text, "data_bytes"));
            assertThat(value(text, "read_bytes_total")).isPositive();
            assertThat(value(text, "failures_total")).isZero();
            assertThat(get(worker.httpPort(), "/health").statusCode()).isEqualTo(200);
            assertThat(get(worker.httpPort(), "/else").statusCode()).isEqualTo(404);
            worker.drain();
            assertThat(get(worker.httpPort(), "/health").statusCode()).isEqualTo(503);
            assertThat(get(worker.httpPort(), "/health").body()).isEqualTo("draining\n");
        }
    }

    @Test
    void halfARequestKeepsNobodyFromAnAnswer() throws Exception {
        WorkerOptions options = options(directory).with(WorkerOptions.Key.HTTP_PORT, "0");
        try (ShuffleWorker worker = ShuffleWorker.open(options);
                Socket silent = new Socket("127.0.0.1", worker.httpPort())) {
            silent.getOutputStream().write('G');
            assertThat(get(worker.httpPort(), "/health").statusCode()).isEqualTo(200);
        }
    }

    /** It has two ports, and the system says only that one is in use. */
    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());
            WorkerOptions options = options(directory).with(WorkerOptions.Key.HTTP_PORT, port);
            assertThatThrownBy(() -> ShuffleWorker.open(options))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining("http.port");
        }
        ShuffleWorker.open(options(directory)).close();
    }

    private static Set<ObjectName> beans(ShuffleWorker worker) throws Exception {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("io.drey.shuffle:type=worker,id=" + worker.id() + ",*"), null);
    }

    @Test
    void jmxHasTheSameMetricsUntilTheWorkerIsClosed() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        WorkerOptions options = options(directory).with(WorkerOptions.Key.HTTP_PORT, "0");
        ShuffleWorker worker = ShuffleWorker.open(options);
        try (worker;
                TestClient client = new TestClient(worker.port())) {
            WriteAndReadTest.fill(client, new PartitionKey("job", "exchange", 0, 1), 2, 3, 1);
            String text = get(worker.httpPort(), "/metrics").body();
            Set<String> names = new TreeSet<>();
            for (ObjectName bean : beans(worker)) {
                for (MBeanAttributeInfo each : server.getMBeanInfo(bean).getAttributes()) {
                    names.add(each.getName());
                    assertThat(server.getAttribute(bean, each.getName()))
                            .as(each.getName())
                            .isInstanceOf(Long.class);
                }
            }
            assertThat(names)
                    .isEqualTo(text.lines()
                            .filter(each -> each.startsWith("# TYPE"))
                            .map(each -> each.split(" ")[2].replace("drey_shuffle_", ""))
                            .collect(Collectors.toCollection(TreeSet::new)));
            ObjectName name = new ObjectName("io.drey.shuffle:type=worker,id=" + worker.id());
            assertThat(server.getAttribute(name, "partitions")).isEqualTo(1L);
            ObjectName one = new ObjectName(name + ",directory=" + ObjectName.quote(directory.toString()));
            assertThat(server.getAttribute(one, "written_bytes_total"))
                    .isEqualTo(value(text, "written_bytes_total"))
                    .isNotEqualTo(0L);
        }
        assertThat(beans(worker)).isEmpty();
    }
}
