package io.drey.cli.doctor.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.drey.cli.doctor.job.JobFacts.ProcessFacts;
import io.drey.cli.doctor.job.JobFacts.VertexFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads a job that has ended from answers as Flink gives them. */
class JobReaderTest {
    private static final String PLAN = """
            {"name": "job", "state": "FINISHED", "job-type": "BATCH",
             "vertices": [{"id": "a", "name": "Source: numbers", "parallelism": 0},
                          {"id": "b", "name": "process -> Sink: Writer", "parallelism": 0},
                          {"id": "c", "name": "Sink: Writer", "parallelism": 0}],
             "plan": {"nodes": [{"id": "a"},
                                {"id": "b", "inputs": [{"id": "a", "ship_strategy": "HASH"}]},
                                {"id": "c", "inputs": [{"id": "a", "ship_strategy": "REBALANCE"}]}]}}""";

    private static final String CHECKPOINTS = """
            {"counts": {"completed": 900, "failed": 90},
             "history": [{"status": "IN_PROGRESS"}, {"status": "FAILED"}, {"status": "FAILED"},
                         {"status": "COMPLETED"}, {"status": "FAILED"}, {"status": "COMPLETED"}]}""";

    private final Map<String, String> answers = new HashMap<>(Map.of(
            "/jobs/j", PLAN,
            "/jobs/j/checkpoints", CHECKPOINTS,
            "/jobs/j/metrics", "[]",
            "/taskmanagers", "{\"taskmanagers\": [{\"id\": \"rack 1/slot%2\"}]}",
            "/taskmanagers/rack%201%2Fslot%252/metrics", "[{\"id\": \"Status.JVM.CPU.Load\", \"value\": \"0.5\"}]"));

    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String answer = answers.get(exchange.getRequestURI().getRawPath());
            byte[] body = String.valueOf(answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private JobFacts job() throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return new JobReader(address).read("j", 0);
    }

    @Test
    void aTaskWithInputByKeyIsMoreThanASink() throws Exception {
        assertThat(job().vertices()).extracting(VertexFacts::isSink).containsExactly(false, false, true);
    }

    @Test
    void failedCheckpointsAreCountedOfThoseThatFlinkStillKnows() throws Exception {
        assertThat(job().checkpoints().failed()).isEqualTo(3);
        assertThat(JobRules.failedCheckpoints(job()).evidence()).isEqualTo("3 of the last 5 failed");
    }

    @Test
    void aBatchJobIsNotToldToTakeCheckpoints() throws Exception {
        assertThat(job().checkpoints().intervalMs()).isNegative();
        assertThat(JobRules.noCheckpoints(job())).isNull();
    }

    @Test
    void metricsWithoutNamesAreNotFlinks() {
        answers.put("/jobs/j/metrics", "[{}]");
        assertThatThrownBy(this::job)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Expected the REST API of Flink at ")
                .hasMessageContaining("(a metric without a name): is the address of --rest right, http or https too?");
    }

    @Test
    void namesOfTaskManagersMayHaveBlanksAndSlashes() throws Exception {
        assertThat(job().processes()).extracting(ProcessFacts::cpuLoad).containsExactly(0.5);
    }
}
