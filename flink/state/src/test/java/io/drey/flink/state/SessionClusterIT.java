package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Memory;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs one after another in one task manager, each with a class loader of its own, beside one that runs all the time
 * and so keeps the background threads: no job leaves anything.
 */
public class SessionClusterIT {
    private static final int JOBS = 50;

    /** After so many jobs everything that Flink itself loads or keeps is there. */
    private static final int WARM_UP_JOBS = 10;

    /** Loaders that the cluster may keep for a while: of the job that runs, and of the last ones. */
    private static final int LOADERS_MAX = 4;

    private static final long METASPACE_GROWTH_MAX = 4 << 20;
    private static final long DIRECT_GROWTH_MAX = 4 << 20;

    /** The loaders of the jobs' classes: their tasks add them. */
    public static final List<WeakReference<ClassLoader>> LOADERS = new CopyOnWriteArrayList<>();

    /** A job that counts in lists of a class of its own, which only Kryo can write, with a time to live. */
    private static final String SOURCE = """
            import java.lang.ref.WeakReference;
            import java.time.Duration;
            import org.apache.flink.api.common.functions.OpenContext;
            import org.apache.flink.api.common.state.*;
            import org.apache.flink.api.common.typeinfo.Types;
            import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
            import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
            import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
            import org.apache.flink.util.Collector;

            public class Job extends KeyedProcessFunction<Long, Long, Long> {
                public static class Seen {
                    private final Object what;
                    private Seen(Object what) { this.what = what; }
                }

                private ListState<Seen> seen;

                public static void build(StreamExecutionEnvironment env, long numbers) {
                    env.fromSequence(1, numbers).keyBy(n -> n % 1000, Types.LONG).process(new Job()).sinkTo(new DiscardingSink<>());
                }

                @Override
                public void open(OpenContext context) {
                    io.drey.flink.state.SessionClusterIT.LOADERS.add(
                            new WeakReference<>(getClass().getClassLoader()));
                    ListStateDescriptor<Seen> descriptor = new ListStateDescriptor<>("seen", Seen.class);
                    descriptor.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofMillis(1)).build());
                    seen = getRuntimeContext().getListState(descriptor);
                }

                @Override
                public void processElement(Long n, Context context, Collector<Long> out) throws Exception {
                    seen.add(new Seen("number " + n));
                    if (n > 100_000) {
                        Thread.sleep(1);
                    }
                    out.collect(n);
                }
            }
            """;

    @TempDir
    Path directory;

    private Path jar;

    @BeforeEach
    void compile() throws IOException {
        Path source = directory.resolve("Job.java");
        Path classes = Files.createDirectory(directory.resolve("classes"));
        Files.writeString(source, SOURCE);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", classes.toString(), source.toString()))
                .isZero();
        jar = directory.resolve("job.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.list(classes)) {
            for (Path file : files.toList()) {
                entries.putNextEntry(new JarEntry(file.getFileName().toString()));
                entries.write(Files.readAllBytes(file));
            }
        }
    }

    private JobGraph job(Configuration configuration, long numbers) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, SessionClusterIT.class.getClassLoader())) {
            thread.setContextClassLoader(loader);
            StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration, loader);
            env.setParallelism(1);
            env.enableCheckpointing(100);
            loader.loadClass("Job")
                    .getMethod("build", StreamExecutionEnvironment.class, long.class)
                    .invoke(null, env, numbers);
            JobGraph graph = env.getStreamGraph().getJobGraph(loader, new JobID());
            graph.addJar(new org.apache.flink.core.fs.Path(jar.toUri()));
            return graph;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static long metaspaceBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Metaspace"))
                .map(MemoryPoolMXBean::getUsage)
                .findFirst()
                .orElseThrow()
                .getUsed();
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow()
                .getMemoryUsed();
    }

    private static long loadersAlive() throws InterruptedException {
        long alive = Long.MAX_VALUE;
        for (int i = 0; i < 50 && alive > LOADERS_MAX; i++) {
            System.gc();
            Thread.sleep(20);
            alive = LOADERS.stream().filter(loader -> loader.get() != null).count();
        }
        return alive;
    }

    @Test
    void jobsOneAfterAnotherLeaveNothing() throws Exception {
        LOADERS.clear();
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(StateBackendOptions.STATE_BACKEND, DreyStateBackendFactory.class.getName());
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(2)
                .setConfiguration(configuration)
                .build());
        try {
            cluster.start();
            runAll(cluster, configuration);
        } finally {
            cluster.close();
        }
        assertThat(LOADERS).hasSize(JOBS + 1);
        assertThat(Memory.allocatedBytes()).as("memory outside the heap").isZero();
    }

    private void runAll(MiniCluster cluster, Configuration configuration) throws Exception {
        JobID lasting =
                cluster.submitJob(job(configuration, Long.MAX_VALUE)).get().getJobID();
        long metaspaceBefore = 0;
        long directBefore = 0;
        for (int i = 1; i <= JOBS; i++) {
            cluster.executeJobBlocking(job(configuration, 20_000));
            if (i == WARM_UP_JOBS) {
                assertThat(loadersAlive()).isLessThanOrEqualTo(LOADERS_MAX);
                metaspaceBefore = metaspaceBytes();
                directBefore = directBytes();
            }
        }
        assertThat(loadersAlive()).as("class loaders").isLessThanOrEqualTo(LOADERS_MAX);
        assertThat(metaspaceBytes() - metaspaceBefore).as("metaspace").isLessThan(METASPACE_GROWTH_MAX);
        assertThat(directBytes() - directBefore).as("direct memory").isLessThan(DIRECT_GROWTH_MAX);
        assertThat(cluster.getJobStatus(lasting).get()).isEqualTo(JobStatus.RUNNING);
        cluster.cancelJob(lasting).get();
    }
}
