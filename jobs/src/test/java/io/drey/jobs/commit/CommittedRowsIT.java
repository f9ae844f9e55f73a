package io.drey.jobs.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.LoadJob;
import io.drey.jobs.LoadRun;
import io.drey.jobs.LoadRun.Outcome;
import io.drey.jobs.LoadRun.Way;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommittedRowsIT {
    private static final LoadSettings SETTINGS = new LoadSettings(7, 10_000, KeySkew.UNIFORM, 100, 100, false);

    @TempDir
    Path directory;

    /** Event times of all visible rows, in order. */
    private List<Long> visible() throws IOException {
        List<Long> times = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory.resolve("output"))) {
            for (Path file : files.toList()) {
                if (!file.toString().endsWith(".pending")) {
                    ByteBuffer rows = ByteBuffer.wrap(Files.readAllBytes(file));
                    while (rows.hasRemaining()) {
                        times.add(rows.getLong());
                        rows.getLong();
                    }
                }
            }
        }
        Collections.sort(times);
        return times;
    }

    /** Each event makes a row; runs end somewhere behind their last checkpoint, and maybe before its commit. */
    @Test
    void eachRowBecomesVisibleOnceOverRestores() throws Exception {
        CommitBoard.begin();
        MiniCluster flink = LoadRun.startCluster();
        try {
            LoadRun run = new LoadRun(flink, directory);
            Outcome outcome = new Outcome(List.of(), null);
            for (int parallelism : new int[] {1, 2, 1}) {
                Way way = new Way("rocksdb", parallelism, parallelism == 2, outcome.checkpoint());
                outcome = run.until(outcome.digests().size() + 2, LoadJob.LAST_SEEN_COMMITTED, SETTINGS, way);
            }
        } finally {
            flink.close();
        }
        List<Long> visible = visible();
        assertThat(visible).hasSizeGreaterThan(40_000);
        for (int i = 0; i < visible.size(); i++) {
            assertThat(visible.get(i)).isEqualTo(EventTime.of(i));
        }
        assertThat(CommitBoard.rows()).isBetween(1L, (long) visible.size());
        assertThat(CommitBoard.latencyMs(99).getAsLong())
                .isBetween(CommitBoard.latencyMs(50).getAsLong(), CommitBoard.MILLIS_MAX - 1L);
    }
}
