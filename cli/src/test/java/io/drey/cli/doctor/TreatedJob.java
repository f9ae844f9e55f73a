package io.drey.cli.doctor;

import io.drey.bench.flink.EmbeddedFlink;
import io.drey.bench.flink.FlinkSettings;
import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.finding.FindingList;
import io.drey.cli.doctor.job.JobReader;
import java.io.Serializable;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimitedSourceReader;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/** A job that a test makes ill in one way: numbers, by key into a state, and on to an end. */
final class TreatedJob implements AutoCloseable {
    /** Of each job, by its number: what has passed. Tasks get at it from their own threads. */
    private static final Map<Integer, Progress> PROGRESS = new ConcurrentHashMap<>();

    private static final AtomicInteger JOBS = new AtomicInteger();
    private static final long WAIT_SECONDS_MAX = 90;
    private static final long LOOK_MS = 3_000;

    private final Progress progress;
    private final EmbeddedFlink flink;
    private final CompletableFuture<JobResult> result;

    private static final class Progress {
        private final AtomicLong passed = new AtomicLong();
        private final AtomicBoolean failed = new AtomicBoolean();
    }

    /** How the job is, healthy at first. */
    static final class Illness implements Serializable {
        private static final long serialVersionUID = 1L;
        long perSecond = 2_000;
        int keys = 1_000;
        int hotPercent;
        int workMicros;
        int endMicros;
        int valueBytes = 8;
        int snapshotMillis;
        boolean failsOnce;
        boolean isChained;
        boolean lacksSlot;
        String backend = "io.drey.flink.state.DreyStateBackendFactory";
        long managedBytes = 128L << 20;
        Duration interval = Duration.ofSeconds(1);
        transient Configuration configuration = new Configuration();
    }

    /** Waits as for another system, which to Flink is as busy as a processor is: so jobs can be ill side by side. */
    private static void work(int micros) {
        long end = System.nanoTime() + micros * 1_000L;
        for (long left = micros * 1_000L; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Numbers, so many a second. */
    private static final class Numbers extends NumberSequenceSource {
        private static final long serialVersionUID = 1L;
        private final long perSecond;

        Numbers(long perSecond) {
            super(0, Long.MAX_VALUE - 1);
            this.perSecond = perSecond;
        }

        @Override
        @SuppressWarnings("unchecked") // the factory is raw
        public SourceReader<Long, NumberSequenceSplit> createReader(SourceReaderContext context) {
            RateLimiterStrategy<NumberSequenceSplit> strategy = RateLimiterStrategy.perSecond(perSecond);
            return new RateLimitedSourceReader<>(super.createReader(context), strategy.createRateLimiter(1));
        }
    }

    private record KeyOf(int keys, int hotPercent) implements KeySelector<Long, Long> {
        @Override
        public Long getKey(Long number) {
            return number % 100 < hotPercent ? -1 : ((number * 0x9E3779B97F4A7C15L) >>> 1) % keys;
        }
    }

    private record End(int micros) implements MapFunction<Long, Long> {
        @Override
        public Long map(Long number) {
            work(micros);
            return number;
        }
    }

    private static final class Keep extends KeyedProcessFunction<Long, Long, Long> implements CheckpointedFunction {
        private static final long serialVersionUID = 1L;
        private final Illness illness;
        private final int job;
        private transient Progress progress;
        private transient ValueState<byte[]> state;

        Keep(Illness illness, int job) {
            this.illness = illness;
            this.job = job;
        }

        @Override
        public void open(OpenContext context) {
            progress = PROGRESS.get(job);
            state = getRuntimeContext().getState(new ValueStateDescriptor<>("state", byte[].class));
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
            work(illness.workMicros);
            byte[] known = state.value();
            byte[] value = known == null ? new byte[illness.valueBytes] : known.clone();
            new SplittableRandom(number).nextBytes(value);
            state.update(value);
            if (progress.passed.incrementAndGet() > 1_000
                    && illness.failsOnce
                    && progress.failed.compareAndSet(false, true)) {
                throw new IllegalStateException("this test wants a failure");
            }
            out.collect(number);
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws InterruptedException {
            Thread.sleep(illness.snapshotMillis);
        }

        @Override
        public void initializeState(FunctionInitializationContext context) {}
    }

    TreatedJob(Path directory, Illness illness) throws Exception {
        int job = JOBS.incrementAndGet();
        progress = new Progress();
        PROGRESS.put(job, progress);
        Configuration configuration = new FlinkSettings(
                        2,
                        illness.managedBytes,
                        illness.interval == null ? Duration.ofHours(1) : illness.interval,
                        Files.createDirectories(directory.resolve("tmp")),
                        Files.createDirectories(directory.resolve("local")),
                        Files.createDirectories(directory.resolve("checkpoints")))
                .configuration();
        configuration.setString("state.backend.type", illness.backend);
        configuration.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ZERO);
        configuration.setString("metrics.fetcher.update-interval", "500");
        if (illness.interval == null) {
            configuration.removeConfig(CheckpointingOptions.CHECKPOINTING_INTERVAL);
        }
        // File systems are configured for the whole process by whichever cluster starts last.
        configuration.setString("fs.slow.bandwidth", "500kb");
        configuration.addAll(illness.configuration);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        DataStream<Long> kept = env.fromSource(
                        new Numbers(illness.perSecond), WatermarkStrategy.noWatermarks(), "Numbers")
                .setParallelism(1)
                .keyBy(new KeyOf(illness.keys, illness.hotPercent))
                .process(new Keep(illness, job))
                .name("Keep")
                .slotSharingGroup(illness.lacksSlot ? "another" : "default");
        (illness.isChained ? kept : kept.rebalance())
                .map(new End(illness.endMicros))
                .name("End")
                .sinkTo(new DiscardingSink<>());
        flink = new EmbeddedFlink(configuration, env, "treated");
        result = flink.submit();
    }

    /** Waits until so many numbers have passed. */
    TreatedJob after(long numbers) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
        while (progress.passed.get() < numbers) {
            if (System.nanoTime() > end || result.isDone()) {
                throw new IllegalStateException("only " + progress.passed.get() + " of " + numbers + " numbers passed");
            }
            Thread.sleep(50);
        }
        return this;
    }

    /** Waits until Flink says that it is in a state. For some time after it was submitted it is being set up. */
    TreatedJob in(JobStatus state) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest overview = HttpRequest.newBuilder(flink.webAddress().resolve("/jobs/overview"))
                .build();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
        String said = "";
        while (!said.contains('"' + state.name() + '"')) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("expected it to be " + state + ", found " + said);
            }
            Thread.sleep(50);
            said = client.send(overview, BodyHandlers.ofString()).body();
        }
        return this;
    }

    FindingList visit() throws Exception {
        return visit(flink.webAddress());
    }

    static FindingList visit(URI address) throws Exception {
        return Visit.job(new JobReader(address), null, LOOK_MS);
    }

    /** The rules that find something. */
    List<String> rules() throws Exception {
        return visit().findings().stream().map(Finding::rule).toList();
    }

    URI address() throws Exception {
        return flink.webAddress();
    }

    @Override
    public void close() {
        flink.close();
    }
}
