package io.drey.cli.shuffle;

import io.drey.bench.shuffle.ShuffleRun;
import io.drey.jobs.generate.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.accumulators.LongMaximum;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A batch job of three stages, {@code first}, {@code second} and {@code third}, for a cluster of other processes on this
 * machine. The second reads and writes slowly until a file says that it may hurry.
 */
public final class PacedJob {
    public static final int PARALLELISM = 2;

    private static final int BYTES = 1_000;
    private static final String ROWS = "rows";
    private static final String DIGEST = "digest";
    private static final String PAUSE = "pause";
    private static final String RUN = "-run-";

    private final long records;
    private final Path folder;
    private final Path reached;
    private final Path hurry;

    /**
     * @param folder for the files by which the job and its test talk
     * @param records through each exchange, of 1,000 bytes each
     */
    public PacedJob(Path folder, long records) {
        this.records = records;
        this.folder = folder;
        this.reached = folder.resolve("reached");
        this.hurry = folder.resolve("hurry");
    }

    /** Builds it in an environment. */
    public void build(StreamExecutionEnvironment environment) {
        environment
                .fromSequence(1, records)
                .map(new Fill(folder.toString()))
                .name("first")
                .rebalance()
                .map(new Pace(folder.toString(), reached.toString(), hurry.toString()))
                .name("second")
                .rebalance()
                .map(new Sum())
                .name("third")
                .sinkTo(new DiscardingSink<>());
    }

    /** Waits until the second stage is at work. */
    public void awaitReached(long secondsMax) throws InterruptedException, IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
        while (!Files.exists(reached)) {
            if (System.nanoTime() > end) {
                throw new IOException("the second stage does not begin within " + secondsMax + " s");
            }
            Thread.sleep(100);
        }
    }

    /** How often tasks of a stage, {@code first} or {@code second}, have begun. */
    public long runs(String stage) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> each.getFileName().toString().startsWith(stage + RUN))
                    .count();
        }
    }

    private static void begun(String folder, String stage) throws IOException {
        Files.createTempFile(Path.of(folder), stage + RUN, "");
    }

    /** Options of a Flink that runs it: lost processes are noticed soon, and what was lost runs again. */
    public static Map<String, String> flinkOptions(String registry) {
        Map<String, String> options = new HashMap<>(ShuffleRun.flinkOptions(registry));
        options.put("restart-strategy.type", "fixed-delay");
        options.put("restart-strategy.fixed-delay.attempts", "20");
        options.put("restart-strategy.fixed-delay.delay", "200 ms");
        options.put("heartbeat.interval", "500 ms");
        options.put("heartbeat.timeout", "5 s");
        options.put("taskmanager.network.sort-shuffle.min-buffers", "64");
        return options;
    }

    /** From now on it hurries. */
    public void hurry() throws IOException {
        Files.createFile(hurry);
    }

    /** What comes of it, as rows and digest. */
    public static String result(JobExecutionResult result) {
        return result.<Long>getAccumulatorResult(ROWS) + " " + result.<Long>getAccumulatorResult(DIGEST);
    }

    /** The longest time in which a task of the second stage waited for its next record, or to be rid of one. */
    public static long pauseMs(JobExecutionResult result) {
        return TimeUnit.NANOSECONDS.toMillis(result.<Long>getAccumulatorResult(PAUSE));
    }

    /** What has to come of it. */
    public String expected() {
        long digest = 0;
        for (long i = 1; i <= records; i++) {
            digest += Payload.digest(Payload.incompressible(i, BYTES));
        }
        return records + " " + digest;
    }

    private static final class Fill extends RichMapFunction<Long, byte[]> {
        private static final long serialVersionUID = 1L;

        private final String folder;

        private Fill(String folder) {
            this.folder = folder;
        }

        @Override
        public void open(OpenContext context) throws IOException {
            begun(folder, "first");
        }

        @Override
        public byte[] map(Long number) {
            return Payload.incompressible(number, BYTES);
        }
    }

    private static final class Pace extends RichMapFunction<byte[], byte[]> {
        private static final long serialVersionUID = 1L;
        private static final int LOOK_EACH = 8;

        private final String folder;
        private final String reached;
        private final String hurry;
        private transient LongMaximum pause;
        private long seen;
        private long doneNanos;
        private boolean hurries;

        private Pace(String folder, String reached, String hurry) {
            this.folder = folder;
            this.reached = reached;
            this.hurry = hurry;
        }

        @Override
        public void open(OpenContext context) throws IOException {
            begun(folder, "second");
            pause = new LongMaximum(0);
            getRuntimeContext().addAccumulator(PAUSE, pause);
        }

        @Override
        public byte[] map(byte[] record) throws Exception {
            if (seen++ == 0) {
                Files.writeString(Path.of(reached), "");
            } else {
                pause.add(System.nanoTime() - doneNanos);
            }
            if (!hurries && seen % LOOK_EACH == 0) {
                hurries = Files.exists(Path.of(hurry));
                Thread.sleep(5);
            }
            doneNanos = System.nanoTime();
            return record;
        }
    }

    private static final class Sum extends RichMapFunction<byte[], byte[]> {
        private static final long serialVersionUID = 1L;
        private transient LongCounter rows;
        private transient LongCounter digest;

        @Override
        public void open(OpenContext context) {
            rows = new LongCounter();
            digest = new LongCounter();
            getRuntimeContext().addAccumulator(ROWS, rows);
            getRuntimeContext().addAccumulator(DIGEST, digest);
        }

        @Override
        public byte[] map(byte[] record) {
            rows.add(1L);
            digest.add(Payload.digest(record));
            return record;
        }
    }
}
