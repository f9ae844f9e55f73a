package io.drey.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.jobs.LoadRun.Outcome;
import io.drey.jobs.LoadRun.Way;
import io.drey.jobs.digest.BucketDigest;
import io.drey.jobs.digest.DigestBoard;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every generated job gives the same output wherever and however often it is run, restored and rescaled. */
class LoadJobIT {
    private static final int BUCKETS = 2;
    private static final Way PLAIN = new Way("hashmap", 2, true, null);

    @TempDir
    private static Path directory;

    private static MiniCluster flink;
    private static LoadRun run;

    @BeforeAll
    static void start() throws Exception {
        flink = LoadRun.startCluster();
        run = new LoadRun(flink, directory);
    }

    @AfterAll
    static void stop() throws Exception {
        flink.close();
    }

    @ParameterizedTest
    @EnumSource(LoadJob.class)
    void aRestoredJobHasTheDigestsOfOneThatRanThrough(LoadJob job) throws Exception {
        LoadSettings settings = settings(job, 7, false);

        Outcome first = run.until(BUCKETS, job, settings, new Way("rocksdb", 1, false, null));
        int more = first.digests().size() + BUCKETS;
        Outcome second = run.until(more, job, settings, new Way("rocksdb", 2, false, first.checkpoint()));
        Outcome through = run.until(more, job, settings, PLAIN);

        assertThat(through.digests().subList(1, BUCKETS)).allMatch(bucket -> bucket.rows() > 0);
        assertSame(second.digests(), first.digests());
        assertSame(through.digests(), second.digests());
    }

    /** Of one input, of two, and in SQL. */
    @ParameterizedTest
    @EnumSource(names = {"LAST_SEEN", "INTERVAL_JOIN", "REGULAR_JOIN"})
    void anInputThatEndsIsGoneOnWithBehindItsEnd(LoadJob job) throws Exception {
        LoadSettings settings = settings(job, 7, false);

        Way way = new Way("hashmap", 1, true, null);
        Outcome begin = run.until(BUCKETS, job, settings.endingAt(BUCKETS * DigestBoard.BUCKET_MS), way);
        Way restored = new Way("hashmap", 1, true, begin.checkpoint());
        Outcome second = run.until(2 * BUCKETS, job, settings, restored);
        Outcome through = run.until(2 * BUCKETS, job, settings, PLAIN);

        assertThat(begin.digests()).hasSize(BUCKETS);
        assertSame(through.digests(), second.digests());
    }

    private static LoadSettings settings(LoadJob job, long seed, boolean stateless) {
        KeySkew keys = job.ordinal() % 2 == 0 ? KeySkew.ZIPF : KeySkew.UNIFORM;
        return new LoadSettings(seed, 10_000, keys, 100, 400, stateless);
    }

    private static void assertSame(List<BucketDigest> one, List<BucketDigest> other) {
        int common = Math.min(one.size(), other.size());
        assertThat(common).isGreaterThanOrEqualTo(BUCKETS);
        assertThat(one.subList(0, common)).isEqualTo(other.subList(0, common));
    }

    @ParameterizedTest
    @EnumSource(LoadJob.class)
    void theStateIsInOneVertexWithTheDigest(LoadJob job) throws Exception {
        for (boolean stateless : new boolean[] {false, true}) {
            JobGraph graph = run.graph(job, settings(job, 7, stateless), PLAIN);
            List<String> names = StreamSupport.stream(graph.getVertices().spliterator(), false)
                    .map(JobVertex::getName)
                    .toList();
            assertThat(names).hasSize(2);
            assertThat(names).filteredOn(name -> name.startsWith("Source: ")).hasSize(1);
            assertThat(names).filteredOn(name -> name.contains("digest")).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(LoadJob.class)
    void withoutStateThereAreRowsToo(LoadJob job) throws Exception {
        Outcome ceiling = run.until(1, job, settings(job, 7, true), PLAIN);

        assertThat(ceiling.digests()).allMatch(bucket -> bucket.rows() > 0);
    }

    @Test
    void anotherSeedHasOtherDigests() throws Exception {
        LoadJob job = LoadJob.LAST_SEEN;
        Outcome one = run.until(1, job, settings(job, 7, false), PLAIN);
        Outcome other = run.until(1, job, settings(job, 8, false), PLAIN);

        assertThat(one.digests().get(0)).isNotEqualTo(other.digests().get(0));
    }

    @Test
    void aCheckpointOfAnotherRunIsRefused() throws Exception {
        LoadJob job = LoadJob.LAST_SEEN;
        Outcome one = run.until(1, job, settings(job, 7, false), PLAIN);

        int more = one.digests().size() + BUCKETS;
        Way restored = new Way("hashmap", 2, true, one.checkpoint());
        assertThatThrownBy(() -> run.until(more, job, settings(job, 8, false), restored))
                .hasMessageContaining("The checkpoint belongs to another run");
    }

    @Test
    void aWrongNameIsToldWithTheRightOnes() {
        assertThatThrownBy(() -> LoadJob.named("last-sen"))
                .hasMessageContaining("last-sen")
                .hasMessageContaining("interval-join");
        for (LoadJob job : LoadJob.values()) {
            assertThat(LoadJob.named(job.jobName())).isEqualTo(job);
        }
    }
}
