package io.drey.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.LoadRun.Outcome;
import io.drey.jobs.digest.BucketDigest;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every generated job gives the same output wherever and however often it is run, restored and moved. */
class LoadJobIT {
    private static final int BUCKETS = 3;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(LoadJob.class)
    void aRestoredJobHasTheDigestsOfOneThatRanThrough(LoadJob job) throws Exception {
        LoadSettings settings = settings(job, false);
        Outcome through = new LoadRun("hashmap", 2, true, directory).until(2 * BUCKETS, job, settings, null);

        LoadRun rocksdb = new LoadRun("rocksdb", 1, false, directory);
        Outcome first = rocksdb.until(BUCKETS, job, settings, null);
        Outcome second = rocksdb.until(first.digests().size() + BUCKETS, job, settings, first.checkpoint());

        assertThat(through.digests()).anyMatch(bucket -> bucket.rows() > 0);
        assertSame(second.digests(), first.digests());
        assertSame(through.digests(), second.digests());
    }

    static LoadSettings settings(LoadJob job, boolean stateless) {
        KeySkew keys = job.ordinal() % 2 == 0 ? KeySkew.ZIPF : KeySkew.UNIFORM;
        return new LoadSettings(7, 10_000, keys, 100, 400, stateless);
    }

    private static void assertSame(List<BucketDigest> one, List<BucketDigest> other) {
        int common = Math.min(one.size(), other.size());
        assertThat(common).isGreaterThanOrEqualTo(BUCKETS);
        assertThat(one.subList(0, common)).isEqualTo(other.subList(0, common));
    }

    @ParameterizedTest
    @EnumSource(LoadJob.class)
    void withoutStateTheJobHasTheSameVertices(LoadJob job) throws Exception {
        LoadRun run = new LoadRun("hashmap", 2, true, directory);
        for (boolean stateless : new boolean[] {false, true}) {
            JobGraph graph = LoadRun.graph(job, settings(job, stateless), run.configuration(null));
            List<String> names = StreamSupport.stream(graph.getVertices().spliterator(), false)
                    .map(JobVertex::getName)
                    .sorted()
                    .toList();
            assertThat(names).hasSize(2);
            assertThat(names).filteredOn(name -> name.startsWith("Source: ")).hasSize(1);
            assertThat(names).filteredOn(name -> name.contains("digest")).hasSize(1);
        }
        Outcome ceiling = run.until(BUCKETS, job, settings(job, true), null);
        assertThat(ceiling.digests()).allMatch(bucket -> bucket.rows() > 0);
    }
}
