package io.drey.bench.shuffle;

import io.drey.bench.disk.RationedDisk;
import io.drey.bench.flink.FailureSentence;
import io.drey.bench.folder.FolderLock;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * One comparison of shuffle services.
 *
 * <ol>
 *   <li>For each load two clusters start, one with Netty's shuffle service and one with Drey's and its workers, and
 *       stay: both are warm, and what waits costs next to nothing.
 *   <li>It runs on both in turn, the one that begins alternating; the first runs are not measured.
 *   <li>After every run the sink gets all that is known.
 * </ol>
 *
 * A run that fails does not end the comparison. {@link #stop} may be called by any thread, all else by the one that made
 * this object.
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
     * @param loads in their order
     * @param quick whether with little data
     * @param repetitions measured runs of each job on each contender
     * @param disk limits of the disk that exchanges go to, or null for the disk as it is
     * @param work directory for all that processes write, and for nothing else: what was in it goes
     * @param workerCommand main class of a shuffle worker and its first arguments
     * @param command that repeats this
     */
    public record Settings(
            ShuffleLoads loads,
            boolean quick,
            int repetitions,
            Comparison.Disk disk,
            Path work,
            List<String> workerCommand,
            String command) {}

    private static final String NETTY = "netty";
    private static final String DREY = "drey";
    private static final List<String> CONTENDERS = List.of(NETTY, DREY);
    private static final int TASK_MANAGERS = 2;
    private static final int WORKERS = 2;

    /** Room for the exchanges of the largest load, and those before them that are being deleted. */
    private static final long LIMITED_DISK_BYTES = 8L << 30;

    private static final String IMAGE = "exchanges" + RationedDisk.IMAGE_ENDING;

    private static final String FACTORY_OPTION = "shuffle-service-factory.class";
    private static final String FACTORY = "io.drey.flink.shuffle.DreyShuffleServiceFactory";

    private final Settings settings;
    private final Listener listener;
    private final Keeper keeper;
    private final List<ShuffleComparison.Cell> cells = new ArrayList<>();
    private final String startedAt = now();
    private final Thread owner = Thread.currentThread();
    private Comparison.Machine machine;
    private int number;
    private boolean inLoads;
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

    /** Ends the comparison soon: the run under way is dropped, what was measured is kept. */
    public synchronized void stop() {
        stopping = true;
        if (inLoads) {
            owner.interrupt();
        }
    }

    /** Elsewhere nothing is interrupted: what is known is written, and what was set up is taken down. */
    private synchronized void setInLoads(boolean entered) {
        inLoads = entered;
        stopping |= Thread.interrupted();
    }

    /**
     * Runs everything.
     *
     * @throws IOException if processes do not start or the work directory cannot be used; their logs stay in it
     */
    public ShuffleComparison run() throws IOException, InterruptedException {
        Path work = settings.work().toAbsolutePath();
        FolderLock lock = FolderLock.take(Files.createDirectories(work));
        try {
            return runAlone(work.resolve("run"));
        } finally {
            lock.close();
            FolderTree.deleteIfEmpty(work);
        }
    }

    private ShuffleComparison runAlone(Path work) throws IOException, InterruptedException {
        RationedDisk.cleanUp(work.resolve(IMAGE));
        FolderTree.delete(work);
        Files.createDirectories(work);
        machine = MachineFacts.of(work);
        // Logging, which Flink's classes begin with, starts only in a thread that is not interrupted.
        LoggerFactory.getLogger(ShuffleRun.class);
        boolean failed = true;
        try (RationedDisk disk = disk(work)) {
            compareAll(work, disk);
            failed = cells.stream().anyMatch(cell -> cell.error() != null);
        } finally {
            if (!failed || stopping) {
                FolderTree.delete(work);
            }
        }
        ShuffleComparison comparison = comparison(stopping ? "interrupted" : "complete", now());
        keeper.keep(comparison);
        return comparison;
    }

    private void compareAll(Path work, RationedDisk disk) throws IOException, InterruptedException {
        try {
            setInLoads(true);
            for (ShuffleLoad load : settings.loads().list()) {
                if (!stopping) {
                    compare(load, work.resolve(load.text()), disk);
                }
            }
        } catch (IOException | InterruptedException e) {
            // On Ctrl-C the terminal ends the processes as well, and whoever waits for one of them fails.
            if (!stopping) {
                throw e;
            }
        } finally {
            setInLoads(false);
        }
    }

    private RationedDisk disk(Path work) throws IOException {
        if (settings.disk() == null) {
            return null;
        }
        RationedDisk disk =
                RationedDisk.create(work.resolve(IMAGE), work.resolve("disk"), LIMITED_DISK_BYTES, settings.disk());
        disk.limit();
        return disk;
    }

    private void compare(ShuffleLoad load, Path folder, RationedDisk disk) throws IOException, InterruptedException {
        Path exchanges = (disk == null ? folder : disk.directory()).resolve("exchanges");
        Place place = new Place(Files.createDirectories(folder.resolve("input")), disk);
        load.prepare(place.input(), settings.quick());
        try (WorkerProcesses workers =
                new WorkerProcesses(folder.resolve("workers"), settings.workerCommand(), WORKERS, Map.of())) {
            workers.keepDataIn(exchanges);
            workers.startAll();
            try (FlinkProcesses netty = start(load, folder.resolve(NETTY), exchanges, Map.of());
                    FlinkProcesses drey =
                            start(load, folder.resolve(DREY), exchanges, flinkOptions(workers.registry()))) {
                runInTurn(load, place, Map.of(NETTY, netty, DREY, drey), workers.pids());
            }
        }
        FolderTree.delete(exchanges);
    }

    private FlinkProcesses start(ShuffleLoad load, Path folder, Path exchanges, Map<String, String> more)
            throws IOException, InterruptedException {
        Map<String, String> options = new HashMap<>(more);
        options.put(
                "io.tmp.dirs",
                Files.createDirectories(exchanges.resolve(folder.getFileName())).toString());
        return FlinkProcesses.start(folder, TASK_MANAGERS, load.slots(settings.quick()) / TASK_MANAGERS, options);
    }

    private void runInTurn(ShuffleLoad load, Place place, Map<String, FlinkProcesses> clusters, List<Long> workers)
            throws IOException, InterruptedException {
        int count = settings.loads().list().stream().mapToInt(this::cells).sum();
        for (int repetition = 1 - load.warmUps(settings.quick()); repetition <= settings.repetitions(); repetition++) {
            for (int turn = 0; turn < CONTENDERS.size() && !stopping; turn++) {
                String contender = CONTENDERS.get(Math.floorMod(repetition + turn, CONTENDERS.size()));
                listener.started(load.text(), contender, repetition, ++number, count);
                List<Long> pids = new ArrayList<>(clusters.get(contender).pids());
                pids.addAll(contender.equals(DREY) ? workers : List.of());
                ShuffleComparison.Cell cell =
                        runOnce(load, contender, repetition, clusters.get(contender), place, pids);
                if (stopping) {
                    // On Ctrl-C the terminal stops the cluster as well, and the run fails for that.
                    return;
                }
                cells.add(cell);
                if (cell.error() != null) {
                    listener.say(load.text() + " on " + contender + ", run " + repetition + ", failed: " + cell.error()
                            + " Logs are in " + settings.work() + ".");
                }
                keeper.keep(comparison("running", null));
            }
        }
    }

    private int cells(ShuffleLoad load) {
        return (settings.repetitions() + load.warmUps(settings.quick())) * CONTENDERS.size();
    }

    private ShuffleComparison.Cell runOnce(
            ShuffleLoad load, String contender, int repetition, FlinkProcesses cluster, Place place, List<Long> pids)
            throws InterruptedException {
        ProcessCost before = ProcessCost.of(pids);
        try {
            ShuffleLoad.Outcome outcome = load.run(cluster, settings.quick(), place);
            ProcessCost cost = ProcessCost.of(pids).since(before);
            return new ShuffleComparison.Cell(
                    load.text(),
                    contender,
                    repetition,
                    null,
                    outcome.seconds(),
                    cost.cpuSeconds(),
                    cost.readBytes(),
                    cost.writtenBytes(),
                    cost.peakBytes(),
                    outcome.rows(),
                    outcome.digest());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            // Flink declares no narrower type; whatever it is, it is this run's result.
            String error = FailureSentence.of(e);
            return new ShuffleComparison.Cell(load.text(), contender, repetition, error, 0, -1, -1, -1, -1, 0, null);
        }
    }

    /** Where the runs of a load take place. */
    private final class Place implements ShuffleLoad.Surroundings {
        private final Path input;
        private final RationedDisk disk;

        Place(Path input, RationedDisk disk) {
            this.input = input;
            this.disk = disk;
        }

        @Override
        public Path input() {
            return input;
        }

        @Override
        public void forgetWritten() throws IOException {
            if (disk != null) {
                disk.forget();
            }
        }
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
                settings.disk(),
                versions,
                CONTENDERS,
                settings.loads().list().stream().map(load -> load.facts(quick)).toList(),
                List.copyOf(cells));
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
