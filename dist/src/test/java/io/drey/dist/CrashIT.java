package io.drey.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.Retention;
import io.drey.checkpoint.retention.Retention.Need;
import io.drey.dist.crash.CrashJob;
import io.drey.dist.crash.InputEnd;
import io.drey.flink.state.retention.FlinkJobFiles;
import io.drey.testkit.Effort;
import io.drey.testkit.TestSummary;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A job with every kind of state, in a Flink of separate processes with local recovery and a checkpoint a second, whose
 * task managers are killed with -9 again and again. They come back on the same disk. What the state holds is compared
 * all the time and at the end; then no file is left that nobody needs. Both jobs run at a time: they mostly wait.
 */
@Tag(Effort.TAG)
@Execution(ExecutionMode.CONCURRENT)
class CrashIT {
    private static final int TASK_MANAGERS = 2;
    private static final int KEYS = 4_000;
    private static final int NUMBERS_PER_MILLISECOND = 4;

    /** More than any run passes; those after the end that is asked for are left out in no time. */
    private static final long NUMBERS_MAX = 20_000_000;

    /** A kill comes so long after the one before: also while the job is being restored. */
    private static final int PAUSE_MS_MIN = 1_500;

    private static final int PAUSE_MS_MAX = 12_000;

    /** Folders of a task manager's disk that Flink keeps as long as it runs. */
    private static final List<String> OF_FLINK = List.of("blobStorage", "slotAllocationSnapshots");

    private static final Duration LIMIT = Duration.ofSeconds(120);

    /** Behind a restore one proves what is garbage; the others are for those that were under way. */
    private static final int CHECKPOINTS_AFTER_KILLS = 3;

    private static final int METADATA_BYTES_MAX = 1 << 20;

    private static final Map<String, String> OPTIONS = Map.of(
            "execution.checkpointing.interval", "1 s",
            "execution.checkpointing.local-backup.enabled", "true",
            "execution.state-recovery.from-local", "true",
            "restart-strategy.fixed-delay.attempts", "100000",
            "restart-strategy.fixed-delay.delay", "100 ms",
            "taskmanager.numberOfTaskSlots", "1",
            "taskmanager.cpu.cores", "1",
            "taskmanager.memory.managed.size", "16 mb",
            "parallelism.default", String.valueOf(TASK_MANAGERS));

    /** The job goes on with the task managers that are left, and with all when they are back: two rescalings a kill. */
    private static final Map<String, String> RESCALING = Map.of(
            "jobmanager.scheduler", "adaptive",
            "jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout", "200 ms",
            "jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout", "200 ms",
            "jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling", "200 ms",
            "jobmanager.adaptive-scheduler.rescale-trigger.max-delay", "1 s");

    private final TestSummary summary = new TestSummary(CrashIT.class);
    private final Random random = new Random();
    private final List<JavaProcess> taskManagers = new ArrayList<>();
    private final List<JavaProcess> killed = new ArrayList<>();
    private final int[] lives = new int[TASK_MANAGERS];

    @Test
    void stateIsExactHoweverOftenTaskManagersAreKilledWhileCheckpointsOverlap() throws Exception {
        play("overlapping", Map.of("execution.checkpointing.max-concurrent-checkpoints", "3"));
        assertThat(summary.of("backends from local copies")).isPositive();
    }

    @Test
    @Tag(Effort.LONG_TAG)
    void stateIsExactHoweverOftenTheJobIsRescaledFromUnalignedCheckpoints() throws Exception {
        Map<String, String> options = new HashMap<>(RESCALING);
        options.put("execution.checkpointing.unaligned.enabled", "true");
        play("unaligned", options);
    }

    private void play(String name, Map<String, String> more) throws Exception {
        Path directory = BuiltFiles.workDirectory("crash-" + name);
        Map<String, String> options = new HashMap<>(OPTIONS);
        options.putAll(more);
        options.put(
                "process.taskmanager.working-dir", directory.resolve("disks").toString());
        Duration duration = Effort.of(Duration.ofSeconds(15), Duration.ofMinutes(3), Duration.ofMinutes(30));
        Path end = directory.resolve("end");
        try (FlinkCluster cluster = new FlinkCluster(directory, BuiltFiles.flinkJars(), options)) {
            for (int i = 0; i < TASK_MANAGERS; i++) {
                lives[i] = 1;
                taskManagers.add(cluster.startTaskManager());
            }
            JavaProcess client = cluster.client("client", submission(jobJar(directory), end));
            String job = begun(cluster, client);
            killUntil(System.nanoTime() + duration.toNanos(), cluster, job);
            audit(cluster, job, directory.resolve("checkpoints").resolve(job));
            Files.createFile(end);
            Deadline.await("the job to end", LIMIT, () -> !client.isAlive(), () -> told(cluster, job));
            assertThat(client.output()).contains(CrashJob.KEYS_CHECKED + ": " + KEYS);
            assertThat(cluster.rest().status(job)).isEqualTo("FINISHED");
            summary.add("numbers", new InputEnd(end.toString()).numbers());
            summary.add("checkpoints", cluster.rest().completedCheckpoints(job));
            summary.add("restores", cluster.rest().restored(job));
            checkStorage(directory.resolve("checkpoints"));
            checkDisks(directory);
        }
        checkLogs();
        summary.print();
    }

    private static List<String> submission(Path jar, Path end) {
        return List.of(
                "run",
                "--class",
                CrashJob.class.getName(),
                jar.toString(),
                String.valueOf(NUMBERS_MAX),
                String.valueOf(KEYS),
                String.valueOf(NUMBERS_PER_MILLISECOND),
                end.toString());
    }

    /** Of the job's classes, which are among those of the tests. */
    private static Path jobJar(Path directory) throws Exception {
        Path classes = Path.of(CrashJob.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path jar = directory.resolve("crash-job.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (Path file : DirectoryTree.files(
                    classes.resolve(CrashJob.class.getPackageName().replace('.', '/')))) {
                entries.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                entries.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }

    private static String begun(FlinkCluster cluster, JavaProcess client) throws Exception {
        Deadline.await(
                "a checkpoint",
                LIMIT,
                () -> {
                    if (!client.isAlive()) {
                        throw new IllegalStateException("The job ended before it began. " + client.tail());
                    }
                    return cluster.rest().onlyJob().isPresent()
                            && cluster.rest()
                                            .completedCheckpoints(
                                                    cluster.rest().onlyJob().orElseThrow())
                                    > 0;
                },
                () -> "See the logs in " + cluster.directory());
        return cluster.rest().onlyJob().orElseThrow();
    }

    private void killUntil(long end, FlinkCluster cluster, String job) throws Exception {
        do {
            Thread.sleep(PAUSE_MS_MIN + random.nextInt(PAUSE_MS_MAX - PAUSE_MS_MIN));
            assertThat(cluster.rest().status(job))
                    .as("the job while its task managers are killed; see the logs in %s", cluster.directory())
                    .isNotIn("FINISHED", "FAILED", "FAILING");
            int chosen = random.nextInt(TASK_MANAGERS);
            JavaProcess taskManager = taskManagers.get(chosen);
            taskManager.mustBeAlive();
            taskManager.kill();
            killed.add(taskManager);
            summary.add("task managers killed", 1);
            taskManagers.set(chosen, cluster.startTaskManager("taskmanager-" + (chosen + 1), ++lives[chosen]));
        } while (System.nanoTime() - end < 0);
    }

    private static String told(FlinkCluster cluster, String job) {
        try {
            return "Job " + cluster.rest().status(job) + ", exceptions: "
                    + cluster.rest().exceptions(job) + ". See the logs in " + cluster.directory();
        } catch (IOException e) {
            return "The job manager does not answer (" + e + "). See the logs in " + cluster.directory();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "Interrupted. See the logs in " + cluster.directory();
        }
    }

    /** What killed processes left goes, while the job is at work. */
    private void audit(FlinkCluster cluster, String job, Path checkpoints) throws Exception {
        long before = cluster.rest().completedCheckpoints(job);
        Deadline.await(
                "checkpoints after the last kill",
                LIMIT,
                () -> cluster.rest().completedCheckpoints(job) >= before + CHECKPOINTS_AFTER_KILLS,
                () -> told(cluster, job));
        FlinkJobFiles storage = new FlinkJobFiles();
        JobDirectory found = JobDirectory.read(storage, checkpoints.toString(), METADATA_BYTES_MAX);
        assertThat(found.doubts()).isEmpty();
        Retention retention = new Retention(found, Long.MAX_VALUE, Long.MAX_VALUE);
        for (StoredFile file : found.files()) {
            Need need = retention.need(file);
            summary.add("files " + need, 1);
            if (need == Need.GARBAGE) {
                storage.delete(checkpoints.resolve(file.path()).toString());
            }
        }
    }

    /** A finished job needs no checkpoint, and all that killed processes had left is gone. */
    private static void checkStorage(Path checkpoints) throws Exception {
        Deadline.await(
                "the checkpoints to go", LIMIT, () -> left(checkpoints).isEmpty(), () -> "Left: " + left(checkpoints));
    }

    private static List<Path> left(Path checkpoints) {
        try {
            return DirectoryTree.files(checkpoints);
        } catch (IOException | UncheckedIOException goesWhileRead) {
            return List.of(checkpoints);
        }
    }

    /** Neither stores nor local copies of checkpoints. */
    private static void checkDisks(Path directory) throws Exception {
        Path disks = directory.resolve("disks");
        Deadline.await("the local state to go", LIMIT, () -> stateOf(disks).isEmpty(), () -> "Left: " + stateOf(disks));
    }

    private static List<Path> stateOf(Path disks) {
        try (Stream<Path> files = Files.walk(disks)) {
            return files.filter(path -> Files.isRegularFile(path)
                            || path.getFileName().toString().startsWith("drey_"))
                    .filter(path -> OF_FLINK.stream().noneMatch(path.toString()::contains))
                    .toList();
        } catch (IOException | UncheckedIOException goesWhileRead) {
            return List.of(disks);
        }
    }

    /** Nothing failed but what was killed. */
    private void checkLogs() throws IOException {
        List<JavaProcess> all = new ArrayList<>(killed);
        all.addAll(taskManagers);
        for (JavaProcess process : all) {
            List<String> lines = process.output().lines().toList();
            assertThat(lines).filteredOn(line -> line.contains("WRONG STATE")).isEmpty();
            assertThat(lines)
                    .filteredOn(line -> Pattern.matches(".*ERROR .*Drey .*", line))
                    .isEmpty();
            summary.add("backends from local copies", count(lines, "Drey restored .* from the local copy .*"));
            summary.add("backends from checkpoints", count(lines, "Drey restored .* from checkpoint .*"));
        }
    }

    private static long count(List<String> lines, String pattern) {
        Pattern wanted = Pattern.compile(".*" + pattern);
        return lines.stream().filter(line -> wanted.matcher(line).matches()).count();
    }
}
