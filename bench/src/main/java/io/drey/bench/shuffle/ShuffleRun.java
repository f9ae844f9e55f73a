package io.drey.bench.shuffle;

import io.drey.bench.flink.FailureSentence;
import io.drey.bench.folder.FolderTree;
import io.drey.bench.probe.ProcessCost;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ShuffleComparison;
import io.drey.bench.run.MachineFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * One comparison of shuffle services.
 *
 * <ol>
 *   <li>Two clusters start, one with Netty's shuffle service and one with Drey's and its workers, and stay: both are
 *       warm, and what waits costs next to nothing.
 *   <li>Each job runs on both in turn, the one that begins alternating; the first runs are not measured.
 *   <li>After every run the sink gets all that is known.
 * </ol>
 *
 * A run that fails does not end the comparison. {@link #stop} may be called by any thread.
 */
public final class ShuffleRun {
    /** Hears how it goes on; the thread of the run calls. */
    public interface Listener {
        /** A run begins, the number counts from 1. */
        void started(String job, String contender, int repetition, int number, int count);

        /** Something the user should know. */
        void say(String sentence);
    }

    /** Keeps what is known so far. */
    public interface Keeper {
        void keep(ShuffleComparison comparison) throws IOException;
    }

    /**
     * A comparison that a user asked for.
     *
     * @param jobs in their order
     * @param quick whether with little data
     * @param repetitions measured runs of each job on each contender
     * @param work directory for all that processes write
     * @param workerCommand main class of a shuffle worker and its first arguments
     * @param command that repeats this
     */
    public record Settings(
            List<ShuffleLoad> jobs,
            boolean quick,
            int repetitions,
            Path work,
            List<String> workerCommand,
            String command) {}

    private static final String NETTY = "netty";
    private static final String DREY = "drey";
    private static final List<String> CONTENDERS = List.of(NETTY, DREY);
    private static final int TASK_MANAGERS = 2;
    private static final int WORKERS = 2;
    /** A worker serves for weeks: for so many runs compiling it takes as much processor time as its work. */
    private static final int WARM_UPS = 8;

    private static final long JOB_MS_MAX = 600_000;
    private static final long LOOK_MS = 100;

    private static final String FACTORY_OPTION = "shuffle-service-factory.class";
    private static final String FACTORY = "io.drey.flink.shuffle.DreyShuffleServiceFactory";

    private final Settings settings;
    private final Listener listener;
    private final Keeper keeper;
    private final List<ShuffleComparison.Cell> cells = new ArrayList<>();
    private final String startedAt = now();
    private Comparison.Machine machine;
    private volatile boolean stopping;

    public ShuffleRun(Settings settings, Listener listener, Keeper keeper) {
        this.settings = settings;
        this.listener = listener;
        this.keeper = keeper;
    }

    /** Options of a Flink that keeps its blocking exchanges with workers, and fails if there are none. */
    public static Map<String, String> flinkOptions(String registry) {
        return Map.of(FACTORY_OPTION, FACTORY, "drey.shuffle.registry", registry, "drey.shuffle.fallback", "fail");
    }

    /** Ends the comparison soon; what was measured is kept. */
    public void stop() {
        stopping = true;
    }

    /**
     * Runs everything.
     *
     * @throws IOException if processes do not start or the work directory cannot be used; their logs stay in it
     */
    public ShuffleComparison run() throws IOException, InterruptedException {
        Path work = settings.work().toAbsolutePath();
        FolderTree.delete(work);
        Files.createDirectories(work);
        machine = MachineFacts.of(work);
        boolean failed = true;
        try (WorkerProcesses workers =
                new WorkerProcesses(work.resolve("workers"), settings.workerCommand(), WORKERS, Map.of())) {
            workers.startAll();
            try (FlinkProcesses netty = FlinkProcesses.start(work.resolve(NETTY), TASK_MANAGERS, 1, Map.of());
                    FlinkProcesses drey = FlinkProcesses.start(
                            work.resolve(DREY), TASK_MANAGERS, 1, flinkOptions(workers.registry()))) {
                runJobs(netty, drey, workers);
            }
            failed = cells.stream().anyMatch(cell -> cell.error() != null) && !stopping;
        } finally {
            if (!failed || stopping) {
                FolderTree.delete(work);
            }
        }
        ShuffleComparison comparison = comparison(stopping ? "interrupted" : "complete", now());
        keeper.keep(comparison);
        return comparison;
    }

    private void runJobs(FlinkProcesses netty, FlinkProcesses drey, WorkerProcesses workers)
            throws IOException, InterruptedException {
        List<Long> dreyPids = new ArrayList<>(drey.pids());
        dreyPids.addAll(workers.pids());
        int warmUps = settings.quick() ? 1 : WARM_UPS;
        int count = settings.jobs().size() * (settings.repetitions() + warmUps) * CONTENDERS.size();
        int number = 0;
        for (ShuffleLoad job : settings.jobs()) {
            for (int repetition = 1 - warmUps; repetition <= settings.repetitions(); repetition++) {
                for (int turn = 0; turn < CONTENDERS.size() && !stopping; turn++) {
                    String contender = CONTENDERS.get(Math.floorMod(repetition + turn, CONTENDERS.size()));
                    boolean isDrey = contender.equals(DREY);
                    listener.started(job.text(), contender, repetition, ++number, count);
                    ShuffleComparison.Cell cell =
                            run(job, contender, repetition, isDrey ? drey : netty, isDrey ? dreyPids : netty.pids());
                    if (stopping) {
                        // On Ctrl-C the terminal stops the cluster as well, and the run fails for that.
                        return;
                    }
                    cells.add(cell);
                    if (cell.error() != null) {
                        listener.say(job.text() + " on " + contender + ", run " + repetition + ", failed: "
                                + cell.error() + " Logs are in " + settings.work() + ".");
                    }
                    keeper.keep(comparison("running", null));
                }
            }
        }
    }

    private ShuffleComparison.Cell run(
            ShuffleLoad job, String contender, int repetition, FlinkProcesses cluster, List<Long> pids)
            throws InterruptedException {
        StreamExecutionEnvironment environment = cluster.batch(ShuffleLoad.PRODUCERS);
        job.build(environment, settings.quick());
        ProcessCost before = ProcessCost.of(pids);
        try {
            JobExecutionResult result = await(
                    environment.executeAsync(job.text() + " " + repetition).getJobExecutionResult());
            ProcessCost cost = ProcessCost.of(pids).since(before);
            return new ShuffleComparison.Cell(
                    job.text(),
                    contender,
                    repetition,
                    null,
                    result.getNetRuntime(TimeUnit.MILLISECONDS) / 1e3,
                    cost.cpuSeconds(),
                    cost.readBytes(),
                    cost.writtenBytes(),
                    cost.peakBytes(),
                    RecordTally.rows(result),
                    RecordTally.digest(result));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            // Flink declares no narrower type; whatever it is, it is this run's result.
            String error = FailureSentence.of(e);
            return new ShuffleComparison.Cell(job.text(), contender, repetition, error, 0, -1, -1, -1, -1, 0, null);
        }
    }

    private JobExecutionResult await(CompletableFuture<JobExecutionResult> result)
            throws InterruptedException, ExecutionException, TimeoutException {
        for (long waited = 0; waited < JOB_MS_MAX && !stopping; waited += LOOK_MS) {
            try {
                return result.get(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // It still runs.
                continue;
            }
        }
        throw new TimeoutException(stopping ? "it was stopped" : "it was not done within " + JOB_MS_MAX / 1000 + " s");
    }

    private ShuffleComparison comparison(String status, String finishedAt) {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("drey", MachineFacts.drey());
        versions.put("flink", MachineFacts.flink());
        versions.put("java", MachineFacts.java());
        boolean quick = settings.quick();
        return new ShuffleComparison(
                ShuffleComparison.FORMAT,
                startedAt,
                finishedAt,
                status,
                settings.command(),
                machine,
                versions,
                CONTENDERS,
                settings.jobs().stream()
                        .map(job -> new ShuffleComparison.Job(
                                job.text(),
                                job.purpose(),
                                job.records(quick),
                                ShuffleLoad.RECORD_BYTES,
                                ShuffleLoad.PRODUCERS,
                                job.consumers(quick)))
                        .toList(),
                List.copyOf(cells));
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
