package io.drey.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.digest.BucketDigest;
import io.drey.jobs.digest.DigestBoard;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.apache.flink.runtime.minicluster.MiniCluster;

/** The output that a model of a job in plain collections makes, and its comparison with the job's. */
public final class ModelDigests {
    private static final int BUCKETS = 3;
    private static final long NOTHING_LOST = -1;

    private final Map<Long, long[]> byStart = new TreeMap<>();

    /** Adds a row. */
    public void add(long eventTimeMs, long digest) {
        long start = eventTimeMs - Math.floorMod(eventTimeMs, DigestBoard.BUCKET_MS);
        long[] bucket = byStart.computeIfAbsent(start, key -> new long[2]);
        bucket[0]++;
        bucket[1] += digest;
    }

    private List<BucketDigest> first(int buckets) {
        List<BucketDigest> first = new ArrayList<>();
        for (int i = 0; i < buckets; i++) {
            long start = EventTime.START_MS + i * DigestBoard.BUCKET_MS;
            long[] bucket = byStart.getOrDefault(start, new long[2]);
            first.add(new BucketDigest(start, bucket[0], bucket[1]));
        }
        return first;
    }

    /** How many events a model has to be given. */
    public static long events() {
        return (BUCKETS + 1) * DigestBoard.BUCKET_MS;
    }

    /**
     * Runs a job and compares it with its model, and also with what the model makes if one update is lost.
     *
     * @param lost the event whose update is lost; it must matter to one of the buckets
     * @param model the output if the update of the event at a position is lost, or of none if it is negative
     */
    public static void compare(LoadJob job, Path directory, long lost, LongFunction<ModelDigests> model)
            throws Exception {
        compare(job, settings(), directory, lost, model);
    }

    /** The same with settings of its own. */
    public static void compare(
            LoadJob job, LoadSettings settings, Path directory, long lost, LongFunction<ModelDigests> model)
            throws Exception {
        List<BucketDigest> found;
        try (MiniClusterCloser flink = new MiniClusterCloser(LoadRun.startCluster())) {
            LoadRun run = new LoadRun(flink.cluster(), directory);
            found = run.until(BUCKETS, job, settings, new LoadRun.Way("hashmap", 2, true, null))
                    .digests()
                    .subList(0, BUCKETS);
        }
        assertThat(found).isEqualTo(model.apply(NOTHING_LOST).first(BUCKETS));
        assertThat(found).isNotEqualTo(model.apply(lost).first(BUCKETS));
    }

    /** What jobs get to do when they are compared with models. */
    public static LoadSettings settings() {
        return new LoadSettings(11, 2_000, KeySkew.ZIPF, 16, 64, false);
    }

    private record MiniClusterCloser(MiniCluster cluster) implements AutoCloseable {
        @Override
        public void close() {
            cluster.closeAsync().join();
        }
    }
}
