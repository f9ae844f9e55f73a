package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.bench.shuffle.FlinkProcesses;
import io.drey.bench.shuffle.WorkerProcesses;
import io.drey.cli.shuffle.PacedJob;
import io.drey.testkit.Effort;
import io.drey.testkit.TestSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JobManager, two task managers and two shuffle workers, each a process, of which some go while a job is at work. Flink
 * tells which tasks ran again.
 */
@Timeout(240)
@Tag(Effort.TAG)
final class ShuffleProcessIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int WORKERS = 2;
    private static final int TASK_MANAGERS = 2;
    private static final long LIMIT_SECONDS = 200;

    /** More than half a minute's work, if it may not hurry. */
    private static final long RECORDS = 100_000;

    /** More of a partition than the second stage reads before it may hurry: with less, it may have been read. */
    private static final long UNREAD_BYTES = 10 << 20;

    private static final Pattern COMMITTED = Pattern.compile("(.*): committed, .* (\\d+) bytes in .*");

    @TempDir
    private static Path shared;

    private static WorkerProcesses workers;
    private static FlinkProcesses flink;
    private static int jobs;

    private final Shell shell = new Shell();
    private PacedJob job;
    private JobClient client;

    @BeforeAll
    static void start() throws Exception {
        workers = new WorkerProcesses(
                shared.resolve("workers"),
                List.of(Drey.class.getName(), "shuffle-worker"),
                WORKERS,
                Map.of("free-space.min", "0", "memory", "64m"));
        workers.startAll();
        flink = FlinkProcesses.start(
                shared.resolve("flink"),
                TASK_MANAGERS,
                PacedJob.PARALLELISM,
                PacedJob.flinkOptions(workers.registry()));
    }

    @AfterAll
    static void end() throws IOException {
        try {
            if (flink != null) {
                flink.close();
            }
        } finally {
            workers.close();
        }
    }

    @BeforeEach
    void submit() throws Exception {
        job = new PacedJob(Files.createDirectories(shared.resolve("job-" + ++jobs)), RECORDS);
        StreamExecutionEnvironment environment = flink.batch(PacedJob.PARALLELISM);
        job.build(environment);
        client = environment.executeAsync("job " + jobs);
        job.awaitReached(LIMIT_SECONDS);
        // The second stage is some megabytes into its input.
        Thread.sleep(1_000);
    }

    private JobExecutionResult expectExact() throws Exception {
        JobExecutionResult result = client.getJobExecutionResult().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(PacedJob.result(result)).isEqualTo(job.expected());
        return result;
    }

    /** The number of the last attempt of each task, by stage. */
    private Map<String, List<Integer>> attempts() throws Exception {
        Map<String, List<Integer>> attempts = new TreeMap<>();
        tasks().forEach((stage, tasks) -> attempts.put(
                stage, tasks.stream().map(task -> task.path("attempt").asInt()).toList()));
        return attempts;
    }

    private Map<String, List<JsonNode>> tasks() throws Exception {
        Map<String, List<JsonNode>> all = new TreeMap<>();
        for (JsonNode vertex : flink.ask("/jobs/" + client.getJobID()).path("vertices")) {
            String name = vertex.path("name").asText();
            String stage = List.of("first", "second", "third").stream()
                    .filter(name::contains)
                    .findFirst()
                    .orElseThrow();
            JsonNode tasks = flink.ask("/jobs/" + client.getJobID() + "/vertices/"
                    + vertex.path("id").asText());
            tasks.path("subtasks")
                    .forEach(task ->
                            all.computeIfAbsent(stage, any -> new ArrayList<>()).add(task));
        }
        return all;
    }

    private void expectNoTaskRanAgain() throws Exception {
        List<Integer> once = List.of(0, 0);
        assertThat(attempts()).isEqualTo(Map.of("first", once, "second", once, "third", once));
    }

    /**
     * Committed partitions of the job of which a worker has more bytes than so many. One may have nothing but the last
     * watermark: a task that begins early takes the other one's records, too.
     */
    private Set<String> partitions(int worker, long bytes) throws Exception {
        assertThat(shell.run(
                        "shuffle", "inspect", client.getJobID().toString(), "--json", "--at", workers.address(worker)))
                .as(shell.err())
                .isZero();
        Set<String> committed = new HashSet<>();
        for (JsonNode line : JSON.readTree(shell.out())) {
            Matcher partition = COMMITTED.matcher(line.asText());
            if (partition.matches() && Long.parseLong(partition.group(2)) > bytes) {
                committed.add(partition.group(1));
            }
        }
        return committed;
    }

    @Test
    void bothWorkersDrainedAndRestartedOneAfterTheOtherFailNoTask() throws Exception {
        for (int worker = 0; worker < WORKERS; worker++) {
            assertThat(shell.run("shuffle", "drain", "--at", workers.address(worker)))
                    .as(shell.err())
                    .isZero();
            workers.process(worker).awaitEnd();
            Thread.sleep(1_000);
            workers.start(worker);
            Thread.sleep(2_000);
        }
        job.hurry();
        TestSummary summary = new TestSummary(ShuffleProcessIT.class);
        summary.add("ms of the longest pause", PacedJob.pauseMs(expectExact()));
        summary.print();
        expectNoTaskRanAgain();
    }

    @Test
    @Tag(Effort.LONG_TAG)
    void workersKilledAndStartedAgainOnTheirDirectoriesFailNoTask() throws Exception {
        for (int worker = 0; worker < WORKERS; worker++) {
            workers.process(worker).kill();
            Thread.sleep(2_000);
            workers.start(worker);
            Thread.sleep(1_000);
        }
        job.hurry();
        expectExact();
        expectNoTaskRanAgain();
    }

    @Test
    @Tag(Effort.LONG_TAG)
    void aTaskManagerKilledBehindItsFirstTasksMakesNoneOfTheseRunAgain() throws Exception {
        JsonNode running = tasks().get("second").get(0);
        flink.taskManager(running.path("taskmanager-id").asText()).kill();
        flink.startTaskManager(TASK_MANAGERS);
        job.hurry();
        expectExact();
        assertThat(attempts().get("first")).containsExactly(0, 0);
        assertThat(attempts().get("second")).anyMatch(attempt -> attempt > 0);
    }

    /**
     * Nobody knows for a minute whether it comes back. Of a partition in two parts, as a crowded worker makes some, the
     * first may have been read.
     */
    @Test
    @Tag(Effort.LONG_TAG)
    void aWorkerKilledForGoodMakesOnlyItsPartitionsRunAgain() throws Exception {
        List<Set<String>> unread = List.of(partitions(0, UNREAD_BYTES), partitions(1, UNREAD_BYTES));
        int worker = unread.get(0).size() > unread.get(1).size() ? 0 : 1;
        Set<String> whole = new HashSet<>(unread.get(worker));
        whole.removeAll(unread.get(1 - worker));
        Set<String> held = partitions(worker, 0);
        assertThat(unread.get(worker)).isNotEmpty();
        workers.process(worker).kill();
        job.hurry();
        expectExact();
        Map<String, List<Integer>> attempts = attempts();
        assertThat(attempts.get("first").stream().filter(attempt -> attempt > 0))
                .as("of the partitions " + held + " these must run again: " + whole)
                .hasSizeBetween(whole.size(), held.size());
        assertThat(attempts.get("third")).containsExactly(0, 0);
        workers.start(worker);
    }
}
