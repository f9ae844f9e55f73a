package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.bench.shuffle.FlinkProcesses;
import io.drey.bench.shuffle.WorkerProcesses;
import io.drey.cli.shuffle.InProcessZooKeeper;
import io.drey.cli.shuffle.PacedJob;
import io.drey.testkit.Effort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JobManager killed while a batch job is at work, with workers and task managers in processes of their own. */
@Timeout(300)
@Tag(Effort.TAG)
final class JobManagerKilledIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int WORKERS = 2;
    private static final int TASK_MANAGERS = 2;
    private static final long LIMIT_SECONDS = 200;
    private static final long RECORDS = 50_000;

    @TempDir
    private Path folder;

    private final Shell shell = new Shell();
    private InProcessZooKeeper zooKeeper;
    private WorkerProcesses workers;
    private FlinkProcesses flink;
    private PacedJob job;
    private JobClient client;

    @BeforeEach
    void startZooKeeper() throws Exception {
        zooKeeper = new InProcessZooKeeper(folder.resolve("zookeeper"));
    }

    @AfterEach
    void end() throws IOException {
        try {
            if (flink != null) {
                flink.close();
            }
            if (workers != null) {
                workers.close();
            }
        } finally {
            zooKeeper.close();
        }
    }

    private Map<String, String> flinkOptions() {
        Map<String, String> options = PacedJob.flinkOptions(workers.registry());
        options.put("high-availability.type", "zookeeper");
        options.put("high-availability.zookeeper.quorum", zooKeeper.address());
        options.put("high-availability.zookeeper.client.session-timeout", "4 s");
        options.put(
                "high-availability.storageDir", folder.resolve("jobs").toUri().toString());
        options.put("execution.batch.job-recovery.enabled", "true");
        options.put("execution.batch.job-recovery.snapshot.min-pause", "0 s");
        options.put("job-event.store.write-buffer.flush-interval", "100 ms");
        return options;
    }

    /** Starts all, and a job whose first stage has finished. */
    private void startJob(String leaseKeep) throws Exception {
        workers = new WorkerProcesses(
                folder.resolve("workers"),
                List.of(Drey.class.getName(), "shuffle-worker"),
                WORKERS,
                Map.of("free-space.min", "0", "memory", "64m", "lease.keep", leaseKeep));
        workers.startAll();
        flink = FlinkProcesses.start(folder.resolve("flink"), TASK_MANAGERS, PacedJob.PARALLELISM, flinkOptions());
        job = new PacedJob(Files.createDirectories(folder.resolve("job")), RECORDS);
        StreamExecutionEnvironment environment = flink.batch(PacedJob.PARALLELISM);
        job.build(environment);
        client = environment.executeAsync("a job");
        job.awaitReached(LIMIT_SECONDS);
        // What the JobManager writes down is with its file system some moments later.
        Thread.sleep(3_000);
    }

    /** Lines of a command at all workers. */
    private int lines(String... command) throws Exception {
        int lines = 0;
        for (int worker = 0; worker < WORKERS; worker++) {
            String[] words = Stream.concat(Stream.of(command), Stream.of("--json", "--at", workers.address(worker)))
                    .toArray(String[]::new);
            assertThat(shell.run(words)).as(shell.err()).isZero();
            lines += JSON.readTree(shell.out()).size();
        }
        return lines;
    }

    /** Files of a job at all workers. */
    private List<Path> left(String id) throws IOException {
        List<Path> left = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            try (Stream<Path> files = Files.walk(workers.data(worker))) {
                files.filter(each -> each.toString().contains(id)).forEach(left::add);
            } catch (UncheckedIOException e) {
                // It deletes just now.
                left.add(workers.data(worker));
            }
        }
        return left;
    }

    @Test
    void whatHadFinishedDoesNotRunAgain() throws Exception {
        startJob("10min");
        flink.jobManager().kill();
        flink.restartJobManager();
        job.hurry();
        assertThat(PacedJob.result(client.getJobExecutionResult().get(LIMIT_SECONDS, TimeUnit.SECONDS)))
                .isEqualTo(job.expected());
        assertThat(job.runs("first")).isEqualTo(PacedJob.PARALLELISM);
        assertThat(job.runs("second")).isGreaterThan(PacedJob.PARALLELISM);
    }

    @Test
    @Tag(Effort.LONG_TAG)
    void dataOfAJobThatNeverReturnsGoesWithItsLease() throws Exception {
        startJob("20s");
        String id = client.getJobID().toString();
        assertThat(lines("shuffle", "inspect", id)).isPositive();
        flink.close();
        for (long waited = 0; lines("shuffle", "inspect", id) > 0; waited++) {
            assertThat(waited).isLessThan(LIMIT_SECONDS);
            Thread.sleep(1_000);
        }
        // A worker forgets first, and deletes then.
        for (int look = 0; look < 30 && !left(id).isEmpty(); look++) {
            Thread.sleep(1_000);
        }
        assertThat(left(id)).isEmpty();
        assertThat(lines("shuffle", "audit")).isZero();
    }
}
