package io.drey.bench.run;

import io.drey.bench.cell.JarsInUse;
import io.drey.bench.folder.FolderLock;
import io.drey.bench.folder.FolderTree;
import io.drey.bench.plan.CompareSettings;
import io.drey.bench.plan.Plan;
import io.drey.bench.plan.PlannedCell;
import io.drey.bench.plan.Workload;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One comparison from its plan to its result.
 *
 * <ol>
 *   <li>For each workload each contender fills its state in a process of its own and leaves a checkpoint; or one does,
 *       and the others take it over by a savepoint.
 *   <li>Then they take turns: restore that checkpoint, warm up, measure.
 *   <li>After every cell the sink gets all that is known, so that nothing measured is lost when the run is stopped.
 *   <li>Whatever was set up goes away: processes, disk, directories.
 * </ol>
 *
 * A cell that fails does not end the run; a fill that fails skips the cells that need it. {@link #stop} may be called
 * by any thread.
 */
public final class ComparisonRun {
    /** Runs one cell to its end; throws {@link InterruptedException} only after the cell's process is gone. */
    interface CellRunner {
        CellResult run(CellSpec spec, Path folder, RunListener listener) throws IOException, InterruptedException;
    }

    /** Keeps what is known so far. */
    public interface Sink {
        void keep(Comparison comparison) throws IOException;
    }

    private static final Duration FILL_GUESS = Duration.ofSeconds(25);
    private static final Duration START_AND_STOP_GUESS = Duration.ofSeconds(6);

    private final CompareSettings settings;
    private final Plan plan;
    private final RunListener listener;
    private final CellRunner cells;
    private final Sink sink;
    private final RemainingTime remaining;
    private final List<CellResult> results = new ArrayList<>();
    private final List<Comparison.Skipped> skipped = new ArrayList<>();
    private final Map<String, String> filled = new HashMap<>();

    /** By workload, what contenders take its state from that do not fill it. */
    private final Map<String, String> savepoints = new HashMap<>();

    private final Map<String, String> versions = MachineFacts.versions();
    private final String startedAt = now();
    private final JarsInUse jars;
    private final Thread owner = Thread.currentThread();
    private Comparison.Machine machine;
    private boolean inCells;
    private volatile boolean stopping;

    /** A comparison as planned, each of whose cells runs in a process of its own. */
    public ComparisonRun(CompareSettings settings, Plan plan, RunListener listener, Sink sink) {
        this(
                settings,
                plan,
                listener,
                new ProcessCells(
                        CellFolders.shared(settings.work()), plan.cells().size()),
                sink);
    }

    ComparisonRun(CompareSettings settings, Plan plan, RunListener listener, CellRunner cells, Sink sink) {
        this.settings = settings;
        this.plan = plan;
        this.listener = listener;
        this.cells = cells;
        this.sink = sink;
        CellSpec.Time time = settings.time();
        this.remaining =
                new RemainingTime(FILL_GUESS, START_AND_STOP_GUESS.plusMillis(time.warmUpMs() + time.measureMs()));
        this.jars = new JarsInUse(settings.contenders().stream()
                .flatMap(contender -> contender.jars().stream())
                .toList());
        skipped.addAll(plan.skipped());
    }

    /** The plan of a comparison on this machine. */
    public static Plan plan(CompareSettings settings) throws IOException {
        return Plan.of(settings, StateDisk.whyNot(settings));
    }

    /** Ends the run soon: the cell that runs is killed, its result is dropped, the others are kept. */
    public synchronized void stop() {
        stopping = true;
        if (inCells) {
            owner.interrupt();
        }
    }

    private synchronized void enterCells() {
        inCells = true;
    }

    /** From here on nothing is interrupted: what is known is written, and what was set up is taken down. */
    private synchronized void leaveCells() {
        inCells = false;
        stopping |= Thread.interrupted();
    }

    /**
     * Runs all cells, in the thread that made this object.
     *
     * @return what came of it; its status says whether it is complete
     * @throws IOException if the work directory or the disk cannot be used
     */
    public Comparison run() throws IOException {
        FolderLock lock = FolderLock.take(Files.createDirectories(settings.work()));
        try {
            return runAlone();
        } finally {
            lock.close();
            FolderTree.deleteIfEmpty(settings.work());
        }
    }

    private Comparison runAlone() throws IOException {
        machine = MachineFacts.of(settings.work());
        try (StateDisk disk = plan.cells().isEmpty() ? StateDisk.plain(settings) : StateDisk.create(settings)) {
            CellFolders folders = new CellFolders(settings.work(), disk.directory());
            folders.clear();
            try {
                enterCells();
                runCells(disk, folders);
            } catch (InterruptedException | ClosedByInterruptException e) {
                stopping = true;
            } finally {
                leaveCells();
                folders.leave();
            }
        }
        Comparison comparison = comparison(stopping ? "interrupted" : "complete", now());
        sink.keep(comparison);
        return comparison;
    }

    private void runCells(StateDisk disk, CellFolders folders) throws IOException, InterruptedException {
        sink.keep(comparison("running", null));
        String workload = null;
        for (int i = 0; i < plan.cells().size() && !stopping; i++) {
            PlannedCell cell = plan.cells().get(i);
            if (workload != null && !workload.equals(cell.workload().name())) {
                folders.leave(workload);
            }
            workload = cell.workload().name();
            endIfJarsChanged();
            Optional<String> whyNot = whyNot(cell);
            if (whyNot.isPresent()) {
                skip(cell, whyNot.get());
                continue;
            }
            listener.started(
                    cell,
                    i + 1,
                    plan.cells().size(),
                    remaining.of(plan.cells().subList(i, plan.cells().size())));
            long begin = System.nanoTime();
            CellResult result = run(cell, disk, folders);
            if (stopping) {
                // On Ctrl-C the terminal stops the cell as well, whose result then is about that.
                return;
            }
            remaining.took(cell, Duration.ofNanos(System.nanoTime() - begin));
            if (result.error() != null || !result.spec().takesOver()) {
                results.add(result.with(RerunCommand.of(settings, cell), result.samples()));
            }
            if (result.error() == null && cell.fills()) {
                filled.put(key(cell), result.checkpoint());
            }
            if (result.error() == null && result.spec().places().savepoints() != null) {
                savepoints.put(cell.workload().name(), folders.savepoint(cell));
            }
            listener.finished(result);
            if (result.error() != null) {
                listener.say("Its log is in " + folders.result(cell) + ".");
            }
            sink.keep(comparison("running", null));
        }
    }

    /** What was measured until now stays in the report. */
    private void endIfJarsChanged() throws IOException {
        Optional<String> change = jars.change();
        if (change.isPresent()) {
            sink.keep(comparison("interrupted", now()));
            throw new IOException("expected " + change.get() + ": all cells must run the same classes, so do not build"
                    + " while they run; what was measured before is in the report");
        }
    }

    private CellResult run(PlannedCell cell, StateDisk disk, CellFolders folders)
            throws IOException, InterruptedException {
        folders.create(cell);
        String restore = cell.fills() ? savepoints.get(cell.workload().name()) : filled.get(key(cell));
        CellSpec.Places places = new CellSpec.Places(
                folders.local(cell).toString(),
                folders.checkpoints(cell).toString(),
                restore,
                settings.fillOnce() && restore == null
                        ? folders.savepoints(cell).toString()
                        : null,
                disk.device());
        boolean failed = false;
        try {
            if (cell.fills()) {
                disk.free();
            } else {
                disk.ration();
            }
            CellResult result = cells.run(settings.spec(cell, places), folders.result(cell), listener);
            failed = result.error() != null;
            return result;
        } finally {
            disk.free();
            folders.leave(cell, failed);
        }
    }

    private Optional<String> whyNot(PlannedCell cell) {
        if (cell.fills() || !cell.contender().keepsState() || filled.containsKey(key(cell))) {
            return Optional.empty();
        }
        return Optional.of("Its state could not be filled.");
    }

    private void skip(PlannedCell cell, String why) {
        Comparison.Skipped entry =
                new Comparison.Skipped(cell.workload().name(), cell.contender().name(), why);
        if (!skipped.contains(entry)) {
            skipped.add(entry);
        }
    }

    private static String key(PlannedCell cell) {
        return cell.workload().name() + "/" + cell.contender().name();
    }

    private Comparison comparison(String status, String finishedAt) {
        return new Comparison(
                Comparison.FORMAT,
                startedAt,
                finishedAt,
                status,
                settings.command(),
                machine,
                versions,
                settings.contenders().stream()
                        .map(contender ->
                                new Comparison.ContenderInfo(contender.name(), contender.title(), contender.options()))
                        .toList(),
                settings.workloads().stream().map(this::info).toList(),
                settings.disk(),
                List.copyOf(results),
                List.copyOf(skipped));
    }

    private Comparison.JobInfo info(Workload workload) {
        return new Comparison.JobInfo(
                workload.name(),
                workload.description(),
                workload.unit(),
                settings.load(workload),
                new Comparison.Scale(workload.family(), workload.size().timesMemory()));
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
