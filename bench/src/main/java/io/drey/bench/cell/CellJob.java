package io.drey.bench.cell;

import io.drey.bench.metric.MetricBoard;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.jobs.LoadJob;
import io.drey.jobs.digest.BucketDigest;
import io.drey.jobs.digest.DigestBoard;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.generate.LoadSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The generated job of a cell: how it is built, and how far it is. */
final class CellJob {
    private final LoadJob job;
    private final LoadSettings settings;

    CellJob(CellSpec.Load load) throws CellException {
        try {
            job = LoadJob.named(load.job());
            settings = new LoadSettings(
                    load.seed(),
                    load.alive(),
                    KeySkew.named(load.keys()),
                    job.usesRows() ? load.rowBytesMin() : LoadSettings.ROW_BYTES_MIN,
                    job.usesRows() ? load.rowBytesMax() : LoadSettings.ROW_BYTES_MIN,
                    load.stateless());
        } catch (IllegalArgumentException e) {
            throw new CellException("The load cannot be generated: " + e.getMessage(), e);
        }
    }

    void build(StreamExecutionEnvironment env) {
        job.build(env, settings);
    }

    /**
     * Whether so much of the input has been processed that the state has its size. The source is ahead of the task behind it
     * by what fits between them.
     */
    boolean filled() {
        long enough = job.fillEvents(settings);
        return position() >= enough && events().orElse(0) >= enough;
    }

    /** Position of the next event of the input; 0 if no source is there. */
    long position() {
        return MetricBoard.sum("." + LoadSource.POSITION_METRIC).orElse(0);
    }

    /** Events that the task behind the source has taken since it began; empty if it is not there. */
    OptionalLong events() {
        return MetricBoard.recordsRead();
    }

    /** Digests of the output that is complete, by event time. */
    List<CellResult.DigestBucket> digests() {
        List<CellResult.DigestBucket> all = new ArrayList<>();
        for (BucketDigest bucket : DigestBoard.complete()) {
            all.add(new CellResult.DigestBucket(bucket.startMs(), bucket.rows(), String.format("%016x", bucket.sum())));
        }
        return all;
    }
}
