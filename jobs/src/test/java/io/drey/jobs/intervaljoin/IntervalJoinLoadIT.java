package io.drey.jobs.intervaljoin;

import io.drey.jobs.LoadJob;
import io.drey.jobs.ModelDigests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job against a search through all rows of the same key. */
class IntervalJoinLoadIT {
    @TempDir
    private Path directory;

    @Test
    void theJobIsItsModelAndALostUpdateShows() throws Exception {
        ModelDigests.compare(LoadJob.INTERVAL_JOIN, directory, leader(), IntervalJoinLoadIT::model);
    }

    private static ModelDigests model(long lost) {
        SideGenerator generator = new SideGenerator(ModelDigests.settings());
        long intervalMs = ModelDigests.settings().alive();
        Map<Long, List<SideRow>> byKey = new HashMap<>();
        ModelDigests digests = new ModelDigests();
        for (long position = 0; position < ModelDigests.events(); position++) {
            SideRow row = generator.event(position);
            List<SideRow> others = byKey.computeIfAbsent(row.key, key -> new ArrayList<>());
            for (SideRow other : others) {
                if (other.left != row.left && row.happenedMs - other.happenedMs <= intervalMs) {
                    long digest = row.left ? IntervalJoinLoad.digest(row, other) : IntervalJoinLoad.digest(other, row);
                    digests.add(row.happenedMs, digest);
                }
            }
            if (position != lost) {
                others.add(row);
            }
        }
        return digests;
    }

    /** A row that finds no partner, but is found by a later one. */
    private static long leader() {
        SideGenerator generator = new SideGenerator(ModelDigests.settings());
        Map<Long, Long> positions = new HashMap<>();
        for (long position = 0; position < ModelDigests.events(); position++) {
            Long earlier = positions.putIfAbsent(generator.event(position).key, position);
            if (earlier != null) {
                return earlier;
            }
        }
        throw new IllegalStateException("no row has a partner");
    }
}
