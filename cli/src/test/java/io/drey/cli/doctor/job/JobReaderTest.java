package io.drey.cli.doctor.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.job.JobFacts.ProcessFacts;
import io.drey.cli.doctor.job.JobFacts.VertexFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.data.Offset;
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

    /** How often the time of processes was asked for: each second time Flink has fetched anew. */
    private int asked;

    /** Answers from the first look at tasks on. */
    private final Map<String, String> later = new HashMap<>();

    private int longestAddress;
    private String authorization;
    private HttpServer server;
    private int statusWithoutAnswer = 404;

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
            String path = exchange.getRequestURI().getRawPath();
            if (path.contains("/subtasks/")) {
                answers.putAll(later);
            }
            String query = String.valueOf(exchange.getRequestURI().getRawQuery());
            authorization = exchange.getRequestHeaders().getFirst("Authorization");
            longestAddress =
                    Math.max(longestAddress, exchange.getRequestURI().toString().length());
            asked += query.contains("CPU.Time") ? 1 : 0;
            String answer = query.contains("CPU.Time")
                    ? String.format(Locale.ROOT, "[{\"id\": \"Status.JVM.CPU.Time\", \"value\": \"%d\"}]", asked / 2)
                    : answers.get(path);
            answer = answer == null ? null : answer.replace("FETCHES", asked / 2 + "");
            byte[] body = String.valueOf(answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? statusWithoutAnswer : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private JobFacts job() throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return new JobReader(address).read("j", 0);
    }

    /** A job of one source, since when it runs and with so many tasks in each state. */
    private static String streaming(String type, long since, String tasks) {
        return String.format(Locale.ROOT, """
                {"name": "job", "state": "RUNNING", "job-type": "%s", "timestamps": {"RUNNING": %d},
                 "vertices": [{"id": "a", "name": "Source", "parallelism": 1, "duration": 60000, "tasks": {%s}},
                              {"id": "b", "name": "Ended", "parallelism": 0, "duration": 60000,
                               "tasks": {"RUNNING": 0, "FINISHED": 2}}],
                 "plan": {"nodes": [{"id": "a"}]}}""", type, since, tasks);
    }

    private List<Finding> findings(String before, String after) throws Exception {
        answers.put("/jobs/j", before);
        answers.put("/jobs/j/checkpoints/config", "{\"state_backend\": \"drey\", \"interval\": 1000}");
        answers.put("/jobs/j/vertices/a/subtasks/0/metrics", "[]");
        later.put("/jobs/j", after);
        return JobRules.findings(job());
    }

    /** Nothing is known of tasks that do not run, so nothing is said of what limits them. */
    private void expectTasksThatDoNotRun(String evidence, String before, String after) throws Exception {
        List<Finding> findings = findings(before, after);
        assertThat(findings).extracting(Finding::rule).doesNotContain("source", "busy", "drey-metrics", "move");
        assertThat(findings)
                .filteredOn(finding -> finding.rule().equals("tasks-not-running"))
                .singleElement()
                .extracting(Finding::evidence)
                .isEqualTo(evidence);
    }

    @Test
    void tasksWithoutSlotsAreSaidToNotRunAndNotToWaitForTheirSource() throws Exception {
        String waits = streaming("STREAMING", 1, "\"RUNNING\": 1, \"SCHEDULED\": 4, \"DEPLOYING\": 2, \"FAILED\": 0");
        expectTasksThatDoNotRun(
                "3 of its 9 subtasks run or have ended, 2 are DEPLOYING, 4 are SCHEDULED", waits, waits);
    }

    @Test
    void tasksThatEndOrAreStartedAgainDuringTheLookDoNotRun() throws Exception {
        String runs = streaming("STREAMING", 1, "\"RUNNING\": 3");
        String restores = streaming("STREAMING", 2, "\"RUNNING\": 2, \"INITIALIZING\": 1");
        expectTasksThatDoNotRun("4 of its 5 subtasks run or have ended, 1 is INITIALIZING", runs, restores);
        expectTasksThatDoNotRun(
                "it was started again during the look", runs, streaming("STREAMING", 2, "\"RUNNING\": 3"));
    }

    /** Else the doctor would wait for an hour until the tasks are old enough to have metrics. */
    @Test
    void tasksThatBeganLaterThanTheClockOfTheirJobManagerSaysAreNewOnes() throws Exception {
        String job = streaming("STREAMING", 1, "\"RUNNING\": 3");
        ObjectMapper json = new ObjectMapper();
        assertThat(JobReader.age(json.readTree(job.replace("60000", "-3600000"))))
                .isZero();
        assertThat(JobReader.age(json.readTree(job))).isPositive();
    }

    /** Flink does not find what takes more than 4,096 bytes; operators may have names of 80 Chinese letters. */
    @Test
    void metricsWithLongNamesAreAskedForInShortAddresses() throws Exception {
        StringBuilder metrics = new StringBuilder("[");
        for (int i = 0; i < 60; i++) {
            metrics.append(i == 0 ? "" : ",")
                    .append("{\"id\": \"")
                    .append("\u7b97".repeat(80))
                    .append(i)
                    .append(".drey.stateReads\", \"value\": \"1\"}");
        }
        answers.put("/jobs/j", streaming("STREAMING", 1, "\"RUNNING\": 3"));
        answers.put("/jobs/j/checkpoints/config", "{\"state_backend\": \"drey\", \"interval\": 1000}");
        answers.put("/jobs/j/vertices/a/subtasks/0/metrics", metrics + "]");
        assertThat(job().vertices().get(0).subtasks().get(0).drey("stateReads")).isEqualTo(60);
        assertThat(longestAddress).isBetween(1_000, 4_000);
    }

    @Test
    void aJobThatIsGoneDuringTheLookIsASentenceWithoutNamesOfMetrics() {
        answers.put("/jobs/j", streaming("STREAMING", 1, "\"RUNNING\": 3"));
        answers.put("/jobs/j/vertices/a/subtasks/0/metrics", "[{\"id\": \"x.drey.stateReads\", \"value\": \"1\"}]");
        answers.remove("/jobs/j/metrics");
        assertThatThrownBy(this::job)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/jobs/j/metrics: is that")
                .hasMessageContaining("and does it still know the job?");
    }

    /** Proxies before Flink ask for one; what goes wrong is said without it. */
    @Test
    void aJobManagerWithoutALeaderIsToBeAskedAgain() {
        statusWithoutAnswer = 503;
        assertThatThrownBy(this::job).hasMessageContaining("503").hasMessageContaining("ask again in a minute");
    }

    @Test
    void theLoginOfTheAddressIsSentAndNotShown() throws Exception {
        URI address =
                new URI("http", "ann:s3cret", "127.0.0.1", server.getAddress().getPort(), "/", null, null);
        assertThat(new JobReader(address).read("j", 0).id()).isEqualTo("j");
        assertThat(authorization).isEqualTo("Basic YW5uOnMzY3JldA==");
        answers.remove("/jobs/j");
        assertThatThrownBy(() -> new JobReader(address).read("j", 0))
                .hasMessageContaining("There is nothing at http://127.0.0.1:")
                .hasMessageNotContainingAny("ann", "s3cret");
    }

    /** Flink 2.3 completes no checkpoint after a restore that leaves the savepoint to its owner. */
    @Test
    void onlyAMoveUnderTheChangelogIsByASavepointThatIsClaimed() throws Exception {
        answers.put("/jobs/j/checkpoints", "{\"latest\": {\"completed\": {\"state_size\": 1000}}}");
        for (boolean isOn : List.of(true, false)) {
            answers.put(
                    "/jobs/j/checkpoints/config",
                    String.format(
                            Locale.ROOT,
                            "{\"state_backend\": \"EmbeddedRocksDBStateBackend\", \"state_changelog_enabled\": %b}",
                            isOn));
            Finding move = MoveRules.move(job());
            assertThat(move.rule()).isEqualTo("move");
            assertThat(move.advice().contains("-claimMode CLAIM")).isEqualTo(isOn);
        }
    }

    /** Others ask Flink as well, so it has fetched at any time before. */
    @Test
    void ratesAreOfTheTimeBetweenTwoTimesAtWhichFlinkFetched() throws Exception {
        String runs = streaming("STREAMING", 1, "\"RUNNING\": 1");
        answers.put("/jobs/j", runs);
        answers.put(
                "/jobs/j/vertices/a/subtasks/0/metrics", "[{\"id\": \"0.op.drey.stalls\", \"value\": \"FETCHES\"}]");
        JobFacts facts = job();
        assertThat(facts.seconds()).isPositive();
        assertThat(facts.vertices().get(0).subtasks().get(0).rate("stalls") * facts.seconds())
                .isEqualTo(1, Offset.offset(1e-9));
    }

    @Test
    void cyclesBesideTheJobsThreadsAreNotItsTimeInGarbageCollection() throws Exception {
        answers.put("/jobs/j", streaming("STREAMING", 1, "\"RUNNING\": 1"));
        answers.put("/jobs/j/vertices/a/subtasks/0/metrics", "[]");
        answers.put(
                "/taskmanagers/rack%201%2Fslot%252/metrics",
                "[{\"id\": \"Status.JVM.GarbageCollector.ZGC_Cycles.Time\", \"value\": \"FETCHES000\"},"
                        + " {\"id\": \"Status.JVM.GarbageCollector.ZGC_Pauses.Time\", \"value\": \"FETCHES00\"},"
                        + " {\"id\": \"Status.JVM.GarbageCollector.All.Time\", \"value\": \"FETCHES100\"}]");
        JobFacts facts = job();
        assertThat(facts.processes())
                .singleElement()
                .satisfies(process ->
                        assertThat(process.gcShare() * facts.seconds()).isEqualTo(0.1, Offset.offset(1e-9)));
    }

    @Test
    void aJobThatFailsDuringTheLookDoesNotRun() throws Exception {
        String runs = streaming("STREAMING", 1, "\"RUNNING\": 3");
        assertThat(findings(runs, runs.replace("\"state\": \"RUNNING\"", "\"state\": \"RESTARTING\"")))
                .extracting(Finding::rule)
                .contains("not-running")
                .doesNotContain("source", "busy", "drey-metrics", "move", "tasks-not-running");
    }

    @Test
    void tasksThatRunOrHaveEndedAreDiagnosedAndSoIsABatchJobWhoseLaterStagesWait() throws Exception {
        for (String job : List.of(
                streaming("STREAMING", 1, "\"RUNNING\": 1"),
                streaming("BATCH", 1, "\"RUNNING\": 1, \"CREATED\": 5, \"SCHEDULED\": 2"))) {
            assertThat(findings(job, job))
                    .extracting(Finding::rule)
                    .contains("source", "drey-metrics")
                    .doesNotContain("tasks-not-running");
        }
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
