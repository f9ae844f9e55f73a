package io.drey.bench.shuffle;

import com.fasterxml.jackson.databind.JsonNode;
import io.drey.bench.result.ShuffleComparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * The data of {@link ExchangeLoad#READERS} read by all consumers at the same time. They wait for each other before they
 * ask for data. Only the seconds begin then, without a page cache on a limited disk: CPU and bytes are of all the job.
 */
final class ConcurrentReadersLoad implements ShuffleLoad {
    private static final String START = "start";
    private static final long LOOK_MS = 50;

    private static final ExchangeLoad DATA = ExchangeLoad.READERS;

    @Override
    public String text() {
        return "concurrent-readers";
    }

    @Override
    public ShuffleComparison.Job facts(boolean quick) {
        return new ShuffleComparison.Job(
                text(),
                "records that do not compress, read by many consumers at once; the seconds are of reading only",
                ExchangeLoad.size(DATA.records(quick), DATA.consumers(quick)));
    }

    @Override
    public int slots(boolean quick) {
        return DATA.consumers(quick);
    }

    @Override
    public int warmUps(boolean quick) {
        return DATA.warmUps(quick);
    }

    @Override
    public Outcome run(FlinkProcesses cluster, boolean quick, Surroundings surroundings) throws Exception {
        int consumers = DATA.consumers(quick);
        Path start = surroundings.input().resolve(START);
        Files.deleteIfExists(start);
        StreamExecutionEnvironment environment = cluster.batch(ExchangeLoad.PRODUCERS);
        environment
                .fromSequence(1, DATA.records(quick))
                .map(new ExchangeLoad.Filler(false))
                .rebalance()
                .map(new StartGate(start.toString()))
                .setParallelism(consumers)
                .map(new RecordTally())
                .setParallelism(consumers)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(consumers);
        JobClient client = environment.executeAsync(text());
        CompletableFuture<JobExecutionResult> done = client.getJobExecutionResult();
        PatientWait.await(ms -> {
            if (done.isDone() || isReady(job(cluster, client), consumers)) {
                return true;
            }
            Thread.sleep(LOOK_MS);
            throw new TimeoutException("some are not there yet");
        });
        surroundings.forgetWritten();
        long startMs = System.currentTimeMillis();
        Files.createFile(start);
        JobExecutionResult result = PatientWait.await(ms -> done.get(ms, TimeUnit.MILLISECONDS));
        long endMs = job(cluster, client).path("start-time").asLong() + result.getNetRuntime(TimeUnit.MILLISECONDS);
        return new Outcome((endMs - startMs) / 1e3, RecordTally.rows(result), RecordTally.digest(result));
    }

    private static JsonNode job(FlinkProcesses cluster, JobClient client) throws IOException, InterruptedException {
        return cluster.ask("/jobs/" + client.getJobID());
    }

    /** Whether all consumers are there, and wait. */
    private static boolean isReady(JsonNode job, int consumers) {
        for (JsonNode vertex : job.path("vertices")) {
            JsonNode tasks = vertex.path("tasks");
            if (vertex.path("parallelism").asInt() == consumers
                    && tasks.path("INITIALIZING").asInt()
                                    + tasks.path("RUNNING").asInt()
                            == consumers) {
                return true;
            }
        }
        return false;
    }

    /** Lets its task ask for data once a file is there: tasks open their functions before. */
    private static final class StartGate extends RichMapFunction<byte[], byte[]> {
        private static final long serialVersionUID = 1L;
        private final String file;

        private StartGate(String file) {
            this.file = file;
        }

        @Override
        public void open(OpenContext context) throws InterruptedException {
            while (!Files.exists(Path.of(file))) {
                Thread.sleep(LOOK_MS);
            }
        }

        @Override
        public byte[] map(byte[] value) {
            return value;
        }
    }
}
