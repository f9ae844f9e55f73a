package io.drey.cli.inspect;

import io.drey.bench.flink.EmbeddedFlink;
import io.drey.bench.flink.FlinkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * A job with a state of each form, whose every entry is known: event {@code n} below {@link #EVENTS} belongs to key
 * {@code user-<n % 500>}, each tenth to key {@code hot}. Runs until it is closed.
 */
public final class InspectedJob implements AutoCloseable {
    public static final int EVENTS = 20_000;
    public static final int USERS = 450;
    private static final int PHOTO_BYTES = 4 << 10;
    private static final int HOT = 10;
    private static final int KEYS = 500;
    private static final long WAIT_SECONDS_MAX = 60;
    private static final AtomicLong SEEN = new AtomicLong();

    private final EmbeddedFlink flink;
    private final CompletableFuture<JobResult> result;

    /** Of a class that only the job has. Reading one may be made to take long. */
    public static final class Profile {
        /** What each new one waits for. */
        public static volatile CountDownLatch gate = new CountDownLatch(0);

        public String name;
        public int visits;

        public Profile() {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class Slow implements MapFunction<Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public Long map(Long event) throws InterruptedException {
            if (event >= EVENTS) {
                Thread.sleep(10);
            }
            return event;
        }
    }

    private static final class Keeper extends KeyedProcessFunction<String, Long, Long> {
        private static final long serialVersionUID = 1L;
        private transient ValueState<Long> last;
        private transient ValueState<Profile> profile;
        private transient ListState<String> words;
        private transient MapState<Long, String> visits;
        private transient ValueState<Long> recent;
        private transient ValueState<byte[]> photo;

        @Override
        public void open(OpenContext context) {
            last = getRuntimeContext().getState(new ValueStateDescriptor<>("last", Long.class));
            profile = getRuntimeContext().getState(new ValueStateDescriptor<>("profile", Profile.class));
            words = getRuntimeContext().getListState(new ListStateDescriptor<>("words", String.class));
            visits = getRuntimeContext().getMapState(new MapStateDescriptor<>("visits", Long.class, String.class));
            photo = getRuntimeContext().getState(new ValueStateDescriptor<>("photo", byte[].class));
            ValueStateDescriptor<Long> descriptor = new ValueStateDescriptor<>("recent", Long.class);
            descriptor.enableTimeToLive(
                    StateTtlConfig.newBuilder(Duration.ofHours(10)).build());
            recent = getRuntimeContext().getState(descriptor);
        }

        @Override
        public void processElement(Long event, Context context, Collector<Long> out) throws Exception {
            last.update(event);
            Profile known = profile.value();
            Profile next = known == null ? new Profile() : known;
            next.name = context.getCurrentKey();
            next.visits++;
            profile.update(next);
            words.add("word" + event % 3);
            visits.put(event, "visit " + event);
            recent.update(event);
            if (photo.value() == null) {
                byte[] bytes = new byte[PHOTO_BYTES];
                new java.util.SplittableRandom(event).nextBytes(bytes);
                photo.update(bytes);
            }
            context.timerService().registerEventTimeTimer(1_000_000_000_000L + event);
            SEEN.incrementAndGet();
        }
    }

    static String key(long event) {
        return event % HOT == 0 ? "hot" : "user-" + event % KEYS;
    }

    /** The options of a job that keeps everything in a directory and takes no checkpoints by itself. */
    public static Configuration configuration(int parallelism, String backend, Path directory) throws IOException {
        Configuration configuration = new FlinkSettings(
                        parallelism,
                        64L << 20,
                        Duration.ofHours(1),
                        Files.createDirectories(directory.resolve("tmp")),
                        Files.createDirectories(directory.resolve("local")),
                        Files.createDirectories(directory.resolve("checkpoints")))
                .configuration();
        configuration.setString("state.backend.type", backend);
        return configuration;
    }

    /** Starts the job on a backend, with all state in files, and waits until its state is complete. */
    public InspectedJob(String backend, Path directory) throws Exception {
        this(backend, directory, new Configuration());
    }

    /** The same with further options. */
    public InspectedJob(String backend, Path directory, Configuration more) throws Exception {
        SEEN.set(0);
        Configuration configuration = configuration(2, backend, directory);
        configuration.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ZERO);
        configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 3);
        configuration.addAll(more);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.fromSequence(0, Long.MAX_VALUE)
                .setParallelism(1)
                .map(new Slow())
                .setParallelism(1)
                .filter(event -> event < EVENTS)
                .setParallelism(1)
                .keyBy(InspectedJob::key)
                .process(new Keeper())
                .uid("keeper-uid")
                .name("Keeper")
                .sinkTo(new DiscardingSink<>());
        flink = new EmbeddedFlink(configuration, env, "inspected");
        result = flink.submit();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
        while (SEEN.get() < EVENTS) {
            if (System.nanoTime() > end || result.isDone()) {
                close();
                throw new IllegalStateException("the job saw " + SEEN.get() + " of " + EVENTS + " events");
            }
            Thread.sleep(20);
        }
    }

    /** Takes a checkpoint; its directory. */
    public Path checkpoint() throws Exception {
        return Path.of(java.net.URI.create(flink.checkpoint().get(WAIT_SECONDS_MAX, TimeUnit.SECONDS)));
    }

    /** Stops the job with a savepoint. */
    public Path savepoint(Path directory, SavepointFormatType format) throws Exception {
        return Path.of(flink.stop(directory, format).get(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
    }

    @Override
    public void close() {
        flink.close();
    }
}
