package io.drey.store;

import io.drey.files.DiskFullException;
import io.drey.foundation.DreyException;
import io.drey.foundation.LentOutException;
import io.drey.store.block.Compression;
import io.drey.store.compaction.CompactionChoice;
import io.drey.store.compaction.CompactionJob;
import io.drey.store.compaction.CompactionLimits;
import io.drey.store.compaction.CompactionPicker;
import io.drey.store.compaction.CompactionWriter;
import io.drey.store.compaction.ExpiryPicker;
import io.drey.store.compaction.RelocationPicker;
import io.drey.store.flush.FlushJob;
import io.drey.store.log.HybridLog;
import io.drey.store.memory.MemoryPlan;
import io.drey.store.read.VersionReader;
import io.drey.store.run.LogShare;
import io.drey.store.run.Run;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunView;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.OwnedWork;
import io.drey.store.stats.Counters;
import io.drey.store.tuning.CompactionPace;
import io.drey.store.tuning.CompactionYield;
import io.drey.store.tuning.CompressionPolicy;
import io.drey.store.tuning.FlushPace;
import io.drey.store.tuning.RunShape;
import io.drey.store.tuning.TreeShape;
import io.drey.store.tuning.ValuePlacement;
import io.drey.store.value.ValueReader;
import io.drey.store.version.FileRefs.Holder;
import io.drey.store.version.LogUsage;
import io.drey.store.version.StoreFiles;
import io.drey.store.version.Version;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The background jobs of one store: flushes, in the order of their epochs, at most one compaction, and beside a long
 * one another of runs that came meanwhile. The owner starts them and installs their results; {@link #isSignalled} is
 * the one thing that a job's thread sets.
 *
 * <p>The first failure poisons: every later call throws it.
 */
final class StoreJobs {
    /** Frozen epochs at most; a further freeze waits for the oldest. */
    private static final int FLUSHES_MAX = 4;

    /** Less than this is flushed with the checkpoint itself: it takes no longer than what else a checkpoint does. */
    private static final long PREPARED_BYTES_MIN = 1 << 20;

    /** Fresh runs, in multiples of the young ones at which a compaction is due, at which the owner waits for it. */
    private static final int CROWD_FACTOR = 2;

    /** Compactions in a row that may find no memory to borrow: after as many it is not for others that there is none. */
    private static final int LENT_OUT_MAX = 16;

    private final StoreFiles files;
    private final HybridLog log;
    private final VersionReader runs;
    private final Background background;
    private final CompactionLimits limits;
    private final CompactionWriter.Target target;
    private final ArrayDeque<FlushJob> flushes = new ArrayDeque<>();
    private final Compactions compactions = new Compactions();
    private final CompactionPace pace;
    private final FlushPace flushPace;
    private final CompactionYield compactionYield = new CompactionYield();

    /** Why the last ones were chosen, as fast as they were, and compressed as they did; statistics, for any thread. */
    private FlushPace.Reason flushReason = FlushPace.Reason.AT_ONCE;

    private CompactionPace.Reason compactionReason = CompactionPace.Reason.IDLE;
    private TreeShape.Reason treeReason = TreeShape.Reason.FEW_FLUSHES;
    private CompressionPolicy.Decision compression = CompressionPolicy.Decision.LZ4_DISK_IS_FAST;

    private final RunShapes shapes;

    /** Whether there was no room on the disk or in memory for a compaction: the next is tried after another flush. */
    private boolean compactionsHeld;

    /** Compactions in a row that found no memory to borrow. */
    private int compactionsLentOut;

    /** Whether young runs are to be compacted although they are small. */
    private boolean readsSuffer;

    /** What a version uses of value logs, see {@link #usage}. */
    private LogUsage usage = LogUsage.of(Version.EMPTY);

    private Version usageOf = Version.EMPTY;

    /** Fresh runs that a lookup asks in a version, see {@link #isCrowded}. */
    private int depth;

    private Version depthOf = Version.EMPTY;

    private Throwable failure;
    private volatile boolean signalled;

    StoreJobs(
            StoreFiles files,
            HybridLog log,
            VersionReader runs,
            Background background,
            CompactionLimits limits,
            CompactionWriter.Target target,
            MemoryPlan plan) {
        this.files = files;
        this.log = log;
        this.runs = runs;
        this.background = background;
        this.limits = limits;
        this.target = target;
        this.shapes = new RunShapes(target.options(), plan, runs.session().disk());
        this.pace = new CompactionPace(files.counters().now(), CROWD_FACTOR * limits.youngRunsMax());
        this.flushPace = new FlushPace(files.counters().now());
    }

    /** Whether a job has ended since the last {@link #install}. Cheap: asked before every operation. */
    boolean isSignalled() {
        return signalled;
    }

    boolean isFlushing() {
        return !flushes.isEmpty();
    }

    /**
     * Whether so many young runs wait to be compacted that the owner should wait too. Those of a major compaction in
     * progress do not count: they get no more, and the major compaction may be long. Hot path.
     */
    boolean isCrowded() {
        if (!compactions.isAny()) {
            return false;
        }
        Version version = runs.version();
        int most = CROWD_FACTOR * limits.youngRunsMax();
        if (version.young().size() < most) {
            return false;
        }
        if (!depthOf.equals(version)) {
            depth = CompactionPicker.freshDepth(version.young());
            depthOf = version;
        }
        return depth >= most;
    }

    /** Young runs that wait to be compacted, as a part of those at which the owner waits; any thread. */
    double backlog() {
        return CompactionPicker.freshDepth(runs.version().young()) / (double) (CROWD_FACTOR * limits.youngRunsMax());
    }

    RunShape shape() {
        return shapes.last();
    }

    FlushPace.Reason flushReason() {
        return flushReason;
    }

    CompactionPace.Reason compactionReason() {
        return compactionReason;
    }

    TreeShape.Reason treeReason() {
        return treeReason;
    }

    CompressionPolicy.Decision compression() {
        return compression;
    }

    /** The flushes under way, oldest first. */
    List<FlushJob> flushes() {
        return new ArrayList<>(flushes);
    }

    /**
     * Freezes the log, if there is anything to flush, and starts flushing it, to wait for it.
     *
     * @param pagesMax that the log may hold
     */
    void flush(int pagesMax) {
        flush(pagesMax, false);
    }

    /** The same, to have room before it is needed. */
    void flushAhead(int pagesMax) {
        flush(pagesMax, true);
    }

    /** The same for a snapshot. Ahead of one, what is little is not flushed, nor what would have to wait. */
    void flushForSnapshot(boolean ahead, int pagesMax) {
        if (!ahead || (log.dirtyBytes() >= PREPARED_BYTES_MIN && flushes.size() < FLUSHES_MAX - 1)) {
            flush(pagesMax);
        }
    }

    /** How what leaves the log is written now. Frames become larger here, but smaller only with the last level. */
    RunOptions flushed() {
        RunOptions options = shapes.flushed();
        runs.blocksHave(Math.max(options.blockBytes(), runs.frameBytes()));
        return options;
    }

    private void flush(int pagesMax, boolean ahead) {
        check();
        if (!log.hasDirty()) {
            return;
        }
        if (flushes.size() >= FLUSHES_MAX) {
            awaitFlush();
        }
        FlushPace.Speed speed = flushPace.begin(
                files.counters().now(), log.dirtyBytes(), ahead, log.roomLeft(pagesMax), log.writtenBytes());
        measureValues();
        FlushJob job = new FlushJob(files, flushed(), log.freeze(), compactions::giveWay, this::signal);
        job.pace(speed.bytes());
        flushReason = speed.reason();
        flushes.addLast(job);
        job.submit(background, Background.Urgency.FLUSH);
    }

    /** Tells what values cost now to what decides where they go when they leave memory. */
    void measureValues() {
        ValueReader values = runs.values();
        Counters counters = files.counters();
        files.placement()
                .measure(
                        values::count,
                        new ValuePlacement.Costs(
                                values.count(),
                                values.nanos(),
                                counters.runBytesFlushed.get(),
                                counters.runBytesCompacted.get(),
                                ValuePlacement.workBytes(
                                        counters.runBytesCompacted.get(),
                                        counters.bytesRelocated.get(),
                                        counters.entriesCompacted.get()),
                                counters.compactionNanos.get()),
                        runs.session().disk());
    }

    /** There is something to install, or to look at before the next operation. Any thread. */
    void signal() {
        signalled = true;
    }

    /** Waits for the oldest flush and installs it. */
    void awaitFlush() {
        await(flushes.peekFirst());
    }

    /** Waits for the compaction that ends first and installs it. */
    void awaitCompaction() {
        await(compactions.underWay().get(0));
    }

    private void await(OwnedWork job) {
        files.counters().waitBegins();
        try {
            job.await();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            files.counters().waitEnds();
        }
        install();
    }

    static DreyException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new DreyException("interrupted while waiting for a background job: the task is being cancelled", e);
    }

    /** Installs what has ended, no flush after one that failed, and starts the next compaction. */
    void install() {
        signalled = false;
        try {
            installEnded();
        } catch (RuntimeException | Error e) {
            // What a job made may be in no version.
            fail(e);
            throw e;
        }
        reclaim();
    }

    private void installEnded() {
        while (failure == null && !flushes.isEmpty() && flushes.peekFirst().isDone()) {
            installFlush(flushes.pollFirst());
        }
        for (CompactionJob job : compactions.underWay()) {
            if (job.isDone()) {
                compactions.forget(job);
                installCompaction(job);
            }
        }
    }

    /** Lets go of what has expired, and begins to, though no job has ended. */
    void reclaim() {
        check();
        dropExpired();
        files.counters().valueLogBytes = usage().fileBytes();
        files.counters().valueLogBytesLive = usage().liveBytes();
        files.counters().valueLogsDropped = files.refs().logsDropped();
        startCompaction();
        startBeside();
        adjustCompaction();
    }

    /** Lookups lose by young runs: they are compacted next, whatever their size. Hot path once it was said. */
    void majorCompaction() {
        if (!readsSuffer) {
            readsSuffer = true;
            check();
            startCompaction();
        }
    }

    /** What the version in force uses of its value logs: looked up in its runs once for each version. */
    private LogUsage usage() {
        Version version = runs.version();
        if (!usageOf.equals(version)) {
            usage = LogUsage.of(version);
            usageOf = version;
        }
        return usage;
    }

    private void dropExpired() {
        Version version = runs.version();
        CompactionChoice gone = ExpiryPicker.drop(
                version,
                files.expiries(),
                compactions.underWay().stream().map(CompactionJob::choice).toList());
        if (gone != null) {
            Version alive = gone.apply(version, List.of());
            int runsGone = VersionReader.runsOf(version).size()
                    - VersionReader.runsOf(alive).size();
            files.counters().runsExpired.addAndGet(runsGone);
            runs.install(alive);
            log.wholeUnless(runs::holdsTable);
        }
    }

    private void installFlush(FlushJob job) {
        if (job.failure() != null) {
            fail(job.failure());
            return;
        }
        installYoungest(job.result());
        log.installed(job.frozen());
        pace.flushed(files.counters().now(), job.result().info().bytes(), valueBytes(job.result()));
    }

    private void installCompaction(CompactionJob job) {
        if (DiskFullException.isCauseOf(job.failure())) {
            // Nothing is lost by waiting but speed. If a flush finds no room either, that is the end.
            compactionsHeld = true;
        } else if (job.failure() instanceof LentOutException && ++compactionsLentOut < LENT_OUT_MAX) {
            compactionsHeld = true;
        } else if (job.failure() != null) {
            fail(job.failure());
        } else {
            installSuccess(job);
        }
        pace.compacted(files.counters().now(), job.bytesRead());
        job.release();
    }

    private void installSuccess(CompactionJob job) {
        compactionsLentOut = 0;
        CompactionChoice choice = job.choice();
        long before = usage().liveBytes();
        install(choice.apply(runs.version(), job.outputs()), Holder.COMPACTION, job.outputs());
        if (choice.majorCompaction() && !choice.young().isEmpty()) {
            compactionYield.compacted(job.youngBytes(), before - usage().liveBytes());
            if (job.bytesAfter() == 0) {
                compactionYield.ended();
            }
        }
    }

    private static long valueBytes(Run run) {
        return run.info().logs().stream().mapToLong(LogShare::bytes).sum();
    }

    /** A run that is held as flushed becomes the youngest. */
    void installYoungest(Run run) {
        // There was room for it: there may be some for compactions again.
        compactionsHeld = false;
        Version version = runs.version();
        List<RunView> young = new ArrayList<>();
        young.add(RunView.of(run));
        young.addAll(version.young());
        install(new Version(young, version.levels()), Holder.FLUSH, List.of(run));
    }

    /** Puts a version in force, whose new runs a job made and held until now. */
    private void install(Version next, Holder madeBy, List<Run> made) {
        try {
            runs.install(next);
            log.wholeUnless(runs::holdsTable);
        } finally {
            files.refs().release(madeBy, made);
        }
    }

    private void startCompaction() {
        if (compactions.isAny() || compactionsHeld || files.isClosing()) {
            return;
        }
        Version version = runs.version();
        CompactionChoice choice = dueWithRoom(version);
        if (choice == null) {
            return;
        }
        RunOptions options = choice.majorCompaction()
                ? shapes.lastLevel(version)
                : shapes.young(version, choice, shaped(version).dueBytes(version.levelBytes(), usage().liveBytes()));
        if (choice.majorCompaction()) {
            readsSuffer = false;
            runs.forgetWaste();
            runs.blocksHave(options.blockBytes());
        }
        CompactionJob compaction = new CompactionJob(files, choice, target.with(options), this::signal);
        compactions.begin(compaction);
        adjustCompaction();
        boolean frees = !choice.emptied().isEmpty() || usage().liveBytes() > version.levelBytes();
        compaction.submit(background, frees ? Background.Urgency.GARBAGE : Background.Urgency.COMPACTION);
    }

    /** What is due, or else as much of it as has room. */
    private CompactionChoice dueWithRoom(Version version) {
        CompactionChoice choice = due(version, Long.MAX_VALUE);
        if (choice == null) {
            return null;
        }
        long room = roomBytes();
        if (choice.bytes() <= room) {
            return choice;
        }
        choice = due(version, room);
        return choice == null || choice.bytes() > room ? null : choice;
    }

    private CompactionChoice due(Version version, long room) {
        CompactionChoice due =
                CompactionPicker.pick(version, usage(), shaped(version), compactionYield, readsSuffer, room);
        if (!version.isWhole()) {
            return due;
        }
        CompactionChoice choice = RelocationPicker.pick(version, usage(), due, files.logSizes(), room);
        return choice == null ? ExpiryPicker.rewrite(version, files.expiries(), limits, room) : choice;
    }

    /** A long compaction is no reason for many young runs. */
    private void startBeside() {
        CompactionJob compaction = compactions.main();
        if (compaction == null || compactions.isOneBeside() || compactionsHeld || files.isClosing()) {
            return;
        }
        CompactionChoice choice = CompactionPicker.pickBeside(
                runs.version(), usage(), limits, compactionYield, compaction.choice(), compaction.bytesLeft());
        if (choice != null && choice.bytes() <= roomBytes()) {
            CompactionJob beside = new CompactionJob(files, choice, target, this::signal);
            compactions.beginBeside(beside);
            beside.submit(background, Background.Urgency.SHORT_COMPACTION);
        }
    }

    private CompactionLimits shaped(Version version) {
        return limits.shaped(tree(version));
    }

    private TreeShape tree(Version version) {
        Counters counters = files.counters();
        TreeShape shape = TreeShape.of(counters.flushes.get(), counters.runBytesFlushed.get(), version.levelBytes());
        treeReason = shape.reason();
        return shape;
    }

    /** For another compaction: what the next flush needs, and the one under way, is not its own. */
    private long roomBytes() {
        try {
            return Math.max(0, files.directory().usableBytes() - compactions.bytesLeft() - log.dirtyBytes());
        } catch (IOException e) {
            fail(e);
            return 0;
        }
    }

    /** Says how fast the compaction under way has to be, if there is one, and how it compresses from now on. */
    void adjustCompaction() {
        CompactionJob compaction = compactions.main();
        if (compaction == null) {
            return;
        }
        Version version = runs.version();
        long level = version.levelBytes();
        long values = usage().liveBytes();
        long young = version.young().stream().mapToLong(RunView::bytes).sum();
        CompactionPace.Work left = new CompactionPace.Work(
                compaction.bytesLeft(),
                compaction.bytesAfter(),
                young,
                shaped(version).dueBytes(level, values),
                level,
                level + values);
        int fresh = CompactionPicker.freshCount(version.young());
        CompactionPace.Speed speed =
                pace.speed(files.counters().now(), fresh, version.young().size() - fresh, left);
        boolean isMajor = compaction.choice().majorCompaction();
        if (isMajor) {
            runs.noteStalls();
            compression = runs.compression(speed.steadyBytes());
        }
        compaction.pace(speed);
        compactionReason = speed.reason();
        compaction.compress(
                isMajor && compression.isZstd()
                        ? Compression.ZSTD
                        : target.options().compression());
    }

    private void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** Throws if a job has failed. */
    void check() {
        if (failure != null) {
            throw new DreyException(
                    "the state store has stopped because a background job failed: " + failure.getMessage(), failure);
        }
    }

    /** Ends all jobs, waits for them, and drops their results. */
    void close() {
        files.closing();
        // Those that wait for a thread, which parts of other stores may have for long.
        flushes.forEach(OwnedWork::endSoon);
        compactions.underWay().forEach(OwnedWork::endSoon);
        awaitAll();
        List<Run> results = new ArrayList<>();
        for (FlushJob flush : flushes) {
            if (flush.result() != null) {
                results.add(flush.result());
            }
        }
        flushes.clear();
        try {
            files.refs().release(Holder.FLUSH, results);
        } finally {
            compactions.drop();
        }
    }

    private void awaitAll() {
        boolean interrupted = false;
        boolean waiting = true;
        while (waiting) {
            try {
                for (FlushJob flush : flushes) {
                    flush.await();
                }
                for (CompactionJob job : compactions.underWay()) {
                    job.await();
                }
                waiting = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
