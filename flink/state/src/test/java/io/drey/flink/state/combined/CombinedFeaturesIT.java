package io.drey.flink.state.combined;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.retention.ListedFiles;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.highavailability.nonha.embedded.HaLeadershipControl;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobResourceRequirements;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.state.filemerging.SegmentFileStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs one after another, each restored from what the last one left, with any combination of what Flink can do about
 * checkpoints: each element finds the state that those before it left. A seed chooses the options; when things fail
 * is chance.
 */
@Tag(Effort.TAG)
@Tag(Effort.LONG_TAG)
class CombinedFeaturesIT {
    private static final int LIVES = 5;
    private static final int SUBTASKS_MAX = 3;
    private static final int CHECKPOINTS_AT_FIRST = 3;
    private static final int CHECKPOINTS_AT_LAST = 2;
    private static final long WAIT_SECONDS_MAX = 60;
    private static final long STEP_SECONDS_MAX = 20;

    private static final List<RecoveryClaimMode> MODES =
            List.of(RecoveryClaimMode.CLAIM, RecoveryClaimMode.CLAIM, RecoveryClaimMode.NO_CLAIM);

    @TempDir
    Path directory;

    private final List<String> story = new ArrayList<>();

    /** One job from its start to what it leaves. */
    private final class Life {
        private final SplittableRandom random;
        private final Configuration configuration;
        private final MiniCluster cluster;
        private final JobGraph job;

        Life(SplittableRandom random, MiniCluster cluster, Configuration configuration, JobGraph job) {
            this.random = random;
            this.cluster = cluster;
            this.configuration = configuration;
            this.job = job;
        }

        /** A request that may be refused, as while the job restarts; it is told, and everything goes on. */
        private <T> T ask(String what, Callable<T> request) throws InterruptedException {
            try {
                T answer = request.call();
                story.add(what);
                return answer;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                story.add(what + ": " + e);
                return null;
            }
        }

        private void await(int checkpoints) throws Exception {
            int enough = CombinedJob.completed() + checkpoints;
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
            while (CombinedJob.completed() < enough) {
                assertThat(CombinedJob.WRONG).isEmpty();
                assertThat(status().isGloballyTerminalState()).as("ended").isFalse();
                assertThat(System.nanoTime())
                        .as("no checkpoint completes, the job is %s; threads that write:%n%s", status(), writing())
                        .isLessThan(until);
                Thread.sleep(10);
            }
        }

        /** Where the threads stand that bring checkpoints into the storage. */
        private static String writing() {
            return Thread.getAllStackTraces().entrySet().stream()
                    .filter(each -> each.getKey().getName().matches("(drey-upload|AsyncOperations).*"))
                    .filter(each -> Stream.of(each.getValue())
                            .noneMatch(frame -> frame.getMethodName().equals("getTask")))
                    .map(each -> each.getKey().getName() + " " + List.of(each.getValue()))
                    .collect(Collectors.joining("\n"));
        }

        private JobStatus status() throws InterruptedException {
            try {
                return cluster.getJobStatus(job.getJobID()).get();
            } catch (ExecutionException e) {
                // Its job manager is not there.
                return JobStatus.INITIALIZING;
            }
        }

        private void killATaskManager() throws Exception {
            ask("kill", () -> cluster.terminateTaskManager(0).get(STEP_SECONDS_MAX, TimeUnit.SECONDS));
            cluster.startTaskManager();
        }

        private void replaceTheJobManager() throws InterruptedException {
            HaLeadershipControl control = cluster.getHaLeadershipControl().orElseThrow();
            ask(
                    "revoke",
                    () -> control.revokeJobMasterLeadership(job.getJobID()).get(STEP_SECONDS_MAX, TimeUnit.SECONDS));
            ask(
                    "grant",
                    () -> control.grantJobMasterLeadership(job.getJobID()).get(STEP_SECONDS_MAX, TimeUnit.SECONDS));
        }

        private void rescale() throws InterruptedException {
            JobResourceRequirements.Builder wanted = JobResourceRequirements.newBuilder();
            for (JobVertex vertex : job.getVertices()) {
                int most = vertex.getName().startsWith("Source") ? 1 : 1 + random.nextInt(SUBTASKS_MAX);
                wanted.setParallelismForJobVertex(vertex.getID(), 1, most);
            }
            ask(
                    "rescale",
                    () -> cluster.updateJobResourceRequirements(job.getJobID(), wanted.build())
                            .get(STEP_SECONDS_MAX, TimeUnit.SECONDS));
        }

        private void trouble() throws Exception {
            if (random.nextInt(4) == 0) {
                killATaskManager();
                await(1);
            }
            if (random.nextInt(3) == 0) {
                replaceTheJobManager();
                await(1);
            }
            if (CombinedOptions.isAdaptive(configuration)) {
                rescale();
                await(1);
            }
            if (random.nextInt(3) == 0) {
                ask(
                        "full",
                        () -> cluster.triggerCheckpoint(job.getJobID(), CheckpointType.FULL)
                                .get(STEP_SECONDS_MAX, TimeUnit.SECONDS));
            }
            if (random.nextInt(3) == 0) {
                SavepointFormatType format =
                        random.nextBoolean() ? SavepointFormatType.NATIVE : SavepointFormatType.CANONICAL;
                ask(
                        format + " savepoint",
                        () -> cluster.triggerSavepoint(job.getJobID(), null, false, format)
                                .get(STEP_SECONDS_MAX, TimeUnit.SECONDS));
            }
        }

        /** Ends the job by a savepoint, or with its last checkpoint; returns the path. */
        private String end() throws Exception {
            String left = switch (random.nextInt(5)) {
                case 0 -> ask("stop, native", () -> stop(SavepointFormatType.NATIVE));
                case 1 -> ask("stop, canonical", () -> stop(SavepointFormatType.CANONICAL));
                default -> null;
            };
            if (left == null) {
                ask("cancel", () -> cluster.cancelJob(job.getJobID()).get(STEP_SECONDS_MAX, TimeUnit.SECONDS));
            }
            cluster.requestJobResult(job.getJobID()).get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
            assertThat(CombinedJob.WRONG).isEmpty();
            return left == null ? lastCheckpoint() : left;
        }

        private String stop(SavepointFormatType format)
                throws InterruptedException, ExecutionException, TimeoutException {
            return cluster.stopWithSavepoint(job.getJobID(), null, false, format)
                    .get(STEP_SECONDS_MAX, TimeUnit.SECONDS);
        }

        private String lastCheckpoint() throws IOException {
            Path own = Path.of(URI.create(configuration.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY)))
                    .resolve(job.getJobID().toHexString());
            try (Stream<Path> found = Files.list(own)) {
                return found.filter(each -> Files.exists(each.resolve("_metadata")))
                        .max(Comparator.comparingLong(each ->
                                Long.parseLong(each.getFileName().toString().substring("chk-".length()))))
                        .orElseThrow()
                        .toUri()
                        .toString();
            }
        }
    }

    /** Runs a job, and returns what it leaves. */
    private String live(SplittableRandom random, String from) throws Exception {
        Configuration configuration = CombinedOptions.any(random, directory);
        List<Integer> parallelism = List.of(1 + random.nextInt(SUBTASKS_MAX), 1 + random.nextInt(SUBTASKS_MAX));
        RecoveryClaimMode mode = MODES.get(random.nextInt(MODES.size()));
        int failures = random.nextInt(4);
        CombinedJob.begin(failures);
        story.add(parallelism + ", failures " + failures + (from == null ? "" : ", " + mode + " " + from) + " "
                + CombinedOptions.text(configuration));
        JobGraph job = CombinedJob.graph(configuration, parallelism);
        if (from != null) {
            job.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(from, false, mode));
        }
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(2)
                .setNumSlotsPerTaskManager(SUBTASKS_MAX)
                .setConfiguration(configuration)
                .setHaServices(MiniCluster.HaServices.WITH_LEADERSHIP_CONTROL)
                .build());
        try {
            cluster.start();
            cluster.submitJob(job).get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
            Life life = new Life(random, cluster, configuration, job);
            life.await(CHECKPOINTS_AT_FIRST);
            life.trouble();
            life.await(CHECKPOINTS_AT_LAST);
            String left = life.end();
            assertThat(missing(left)).as("of what the job left").isEmpty();
            if (from != null && mode == RecoveryClaimMode.NO_CLAIM) {
                assertThat(missing(from))
                        .as("of what it was restored from, and did not claim")
                        .isEmpty();
            }
            return left;
        } finally {
            cluster.close();
        }
    }

    /** The files of keyed state that a snapshot lists and that are not there. */
    private TreeSet<String> missing(String snapshot) throws IOException {
        Path metadata = Path.of(URI.create(snapshot)).resolve("_metadata");
        TreeSet<String> missing = new TreeSet<>();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(metadata))) {
            for (OperatorState operator : Checkpoints.loadCheckpointMetadata(
                            in, getClass().getClassLoader(), snapshot)
                    .getOperatorStates()) {
                for (OperatorSubtaskState subtask : operator.getStates()) {
                    subtask.getManagedKeyedState()
                            .forEach(handle -> ListedFiles.forEach(handle, file -> {
                                org.apache.flink.core.fs.Path path = file instanceof FileStateHandle whole
                                        ? whole.getFilePath()
                                        : file instanceof SegmentFileStateHandle part ? part.getFilePath() : null;
                                if (path != null && !Files.exists(Path.of(path.getPath()))) {
                                    missing.add(path.getPath());
                                }
                            }));
                }
            }
        }
        return missing;
    }

    @Test
    void stateIsExactWhateverIsCombined() {
        Seeds.cases(1, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            story.clear();
            String from = null;
            try {
                for (int life = 0; life < LIVES; life++) {
                    from = live(random, from);
                }
            } catch (Exception | AssertionError e) {
                throw new AssertionError(e.getMessage() + "\n" + String.join("\n", story), e);
            }
        });
    }
}
