package io.drey.bench.cell;

import io.drey.bench.flink.FlinkSettings;
import io.drey.bench.metric.MetricBoard;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.ProcessSample;
import io.drey.bench.storage.SlowStorageFactory;
import io.drey.jobs.LoadJob;
import io.drey.jobs.digest.DigestBoard;
import io.drey.jobs.feed.FeedSource;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The generated job of a cell: its configuration, how it is built, and how far it is. */
final class CellJob {
    /** A slow checkpoint is a figure to be reported, not a failure. */
    private static final Duration CHECKPOINT_TIMEOUT = Duration.ofMinutes(30);

    /** As a task manager has; Flink's mini cluster has four in all. */
    private static final int IO_THREADS_PER_PROCESSOR = 4;

    /** Long collections of garbage are to be measured, not to lose the task manager. */
    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofHours(1);

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(1);

    /** Memory of the slot, which each of its operators reports. */
    private static final String INDEX_METRIC = ".drey.memoryMetadataBytes";

    /** Below the temporary directory. */
    private static final String OUTPUT = "output";

    private static final String DREY_METRICS = "state.backend.drey.metrics";

    private static final String CHANGELOG_ENABLED = "state.changelog.enabled";
    private static final String CHANGELOG_PATH = "state.changelog.dstl.dfs.base-path";

    private final CellSpec spec;
    private final LoadJob job;
    private final LoadSettings settings;

    CellJob(CellSpec spec) throws CellException {
        this.spec = spec;
        CellSpec.Load load = spec.load();
        try {
            job = LoadJob.named(load.job());
            LoadSettings endless = new LoadSettings(
                    load.seed(),
                    load.alive(),
                    KeySkew.named(load.keys()),
                    job.usesRows() ? load.rowBytesMin() : LoadSettings.ROW_BYTES_MIN,
                    job.usesRows() ? load.rowBytesMax() : LoadSettings.ROW_BYTES_MIN,
                    load.stateless());
            // Events after the fill show that what was taken over is there.
            long end = fillEnd(job.fillEvents(endless)) + (spec.takesOver() ? DigestBoard.BUCKET_MS : 0);
            settings = spec.fills() ? endless.endingAt(end) : endless;
        } catch (IllegalArgumentException e) {
            throw new CellException("The load cannot be generated: " + e.getMessage(), e);
        }
    }

    /**
     * The position at which the source of a fill stops: after its state has its size, but in the same bucket of output.
     * So cells begin at about the same event, however fast their contenders are, and have the buckets after it in common.
     */
    long fillEnd() {
        return fillEnd(job.fillEvents(settings));
    }

    private static long fillEnd(long enough) {
        return (enough / DigestBoard.BUCKET_MS + 1) * DigestBoard.BUCKET_MS;
    }

    /**
     * Flink's configuration: the same for all contenders, with the contender's own options on top.
     *
     * @param temporary directory for what is not the state backend's
     */
    Configuration configuration(Path temporary) {
        CellSpec.Places places = spec.places();
        Configuration configuration = new FlinkSettings(
                        1,
                        spec.memory().managedBytes(),
                        Duration.ofMillis(spec.time().checkpointIntervalMs()),
                        temporary,
                        Path.of(places.local()),
                        Path.of(places.checkpoints()))
                .configuration();
        configuration.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT);
        configuration.set(ClusterOptions.CLUSTER_SERVICES_SHUTDOWN_TIMEOUT, SHUTDOWN_TIMEOUT);
        configuration.set(
                ClusterOptions.CLUSTER_IO_EXECUTOR_POOL_SIZE,
                IO_THREADS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
        configuration.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, CHECKPOINT_TIMEOUT);
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, FlinkSettings.CHECKPOINTS_REMEMBERED);
        configuration.setString(DREY_METRICS, "full");
        boolean changelog = Boolean.parseBoolean(spec.configuration().get(CHANGELOG_ENABLED));
        boolean slow =
                spec.configuration().keySet().stream().anyMatch(key -> key.startsWith(SlowStorageFactory.PREFIX));
        if (changelog) {
            Path log = Path.of(places.checkpoints(), "changelog");
            configuration.setString(CHANGELOG_PATH, slow ? SlowStorageFactory.uri(log) : FlinkSettings.uri(log));
        }
        if (places.restore() != null) {
            // Others start from the same checkpoint later: it is not claimed, so that nothing of it is deleted. The
            // changelog cannot write the full checkpoint that comes first then, and goes on from what it restored.
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, FlinkSettings.uri(places.restore()));
            configuration.setString(StateRecoveryOptions.RESTORE_MODE.key(), changelog ? "LEGACY" : "NO_CLAIM");
        }
        // Flink reads what is not compressed byte by byte.
        configuration.set(ExecutionOptions.SNAPSHOT_COMPRESSION, places.savepoints() != null);
        spec.configuration().forEach(configuration::setString);
        if (slow) {
            configuration.set(
                    CheckpointingOptions.CHECKPOINTS_DIRECTORY, SlowStorageFactory.uri(Path.of(places.checkpoints())));
        }
        return configuration;
    }

    /** @param temporary directory below which the job writes what it commits */
    void build(StreamExecutionEnvironment env, Path temporary) {
        job.build(env, settings, temporary.resolve(OUTPUT));
    }

    /** The commits of the job since they are measured; null if it has none. */
    static CellResult.Commits commits() {
        OptionalLong median = LoadJob.commitLatencyMs(50);
        return median.isEmpty()
                ? null
                : new CellResult.Commits(
                        median.getAsLong(), LoadJob.commitLatencyMs(99).getAsLong());
    }

    /**
     * How much of the input has been processed of what gives the state its size: 1 if it has. The source is ahead of
     * the task after it by what fits between them.
     */
    double filled() {
        long enough = job.fillEvents(settings);
        long processed = Math.min(position(), events().orElse(0));
        return processed >= enough ? 1 : (double) processed / enough;
    }

    /** Position of the next event of the input; 0 if no source is there. */
    long position() {
        return MetricBoard.sum("." + FeedSource.EVENTS_METRIC).orElse(0);
    }

    /** Events that the task after the source has taken since it began; empty if it is not there. */
    OptionalLong events() {
        return MetricBoard.recordsRead();
    }

    /** What the state backend tells of itself by metrics; null if it has none, or its task is not there. */
    ProcessSample.Backend backend() {
        OptionalLong index = MetricBoard.sumOfLargestPerSubtask(INDEX_METRIC);
        return index.isEmpty()
                ? null
                : new ProcessSample.Backend(
                        index.getAsLong(),
                        MetricBoard.sum(".drey.bytesFlushed").orElse(0),
                        MetricBoard.sum(".drey.youngBytesCompacted").orElse(0),
                        MetricBoard.sum(".drey.levelBytesCompacted").orElse(0));
    }

    /** Digests of the output that is complete, by event time. */
    List<CellResult.DigestBucket> digests() {
        return DigestBoard.complete().stream()
                .map(each -> new CellResult.DigestBucket(
                        each.startMs(), each.rows(), String.format(Locale.ROOT, "%016x", each.sum())))
                .toList();
    }
}
