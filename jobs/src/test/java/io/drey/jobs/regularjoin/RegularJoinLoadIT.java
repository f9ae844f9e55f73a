package io.drey.jobs.regularjoin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.jobs.LoadJob;
import io.drey.jobs.ModelDigests;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job against lists of the rows of each key, and its plan. */
class RegularJoinLoadIT {
    private static final LoadSettings SETTINGS = new LoadSettings(11, 10_000, KeySkew.UNIFORM, 100, 400, false);

    @TempDir
    private Path directory;

    @Test
    void theJobIsItsModelAndALostUpdateShows() throws Exception {
        ModelDigests.compare(LoadJob.REGULAR_JOIN, SETTINGS, directory, leader(), RegularJoinLoadIT::model);
    }

    private static ModelDigests model(long lost) {
        JoinGenerator generator = new JoinGenerator(SETTINGS);
        Map<Long, List<Row>> alive = new HashMap<>();
        ModelDigests digests = new ModelDigests();
        for (long position = 0; position < ModelDigests.events(); position++) {
            Row change = generator.event(position);
            List<Row> sameKey = alive.computeIfAbsent(change.getFieldAs(JoinGenerator.KEY), key -> new ArrayList<>());
            for (Row other : sameKey) {
                if (left(other) != left(change)) {
                    digests.add(EventTime.of(position), digest(change, other));
                }
            }
            if (change.getKind() == RowKind.DELETE) {
                sameKey.removeIf(row -> number(row) == number(change));
            } else if (position != lost) {
                sameKey.add(change);
            }
        }
        return digests;
    }

    /** Of a pair of which one has just changed. */
    private static long digest(Row change, Row other) {
        Row left = left(change) ? change : other;
        Row right = left(change) ? other : change;
        Row pair = Row.ofKind(
                change.getKind(),
                number(left),
                number(right),
                left.getField(JoinGenerator.PAYLOAD),
                right.getField(JoinGenerator.PAYLOAD));
        return RegularJoinLoad.pairDigest(pair);
    }

    private static boolean left(Row change) {
        return change.getFieldAs(JoinGenerator.LEFT);
    }

    private static long number(Row change) {
        return change.getFieldAs(JoinGenerator.NUMBER);
    }

    /** A row that finds no partner, but is found by a later one. */
    private static long leader() {
        JoinGenerator generator = new JoinGenerator(SETTINGS);
        Set<Long> leftKeys = new HashSet<>();
        for (long position = 1; position < SETTINGS.alive(); position++) {
            Row change = generator.event(position);
            if (left(change)) {
                leftKeys.add(change.getFieldAs(JoinGenerator.KEY));
            } else if (leftKeys.contains(change.<Long>getFieldAs(JoinGenerator.KEY))) {
                long key = change.<Long>getFieldAs(JoinGenerator.KEY);
                long leader = 0;
                while (generator.event(leader).<Long>getFieldAs(JoinGenerator.KEY) != key) {
                    leader++;
                }
                return leader;
            }
        }
        throw new IllegalStateException("no row has a partner");
    }

    @Test
    void thePlannerFindsNoUniqueKeys() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        LoadJob.REGULAR_JOIN.build(env, SETTINGS, directory);

        assertThat(env.getExecutionPlan())
                .contains("Join(joinType=[InnerJoin]", "leftInputSpec=[NoUniqueKey]", "rightInputSpec=[NoUniqueKey]");
    }

    @Test
    void aStateSoSmallThatTimingWouldShowIsRefused() {
        LoadSettings tooSmall = new LoadSettings(11, 1_000, KeySkew.UNIFORM, 100, 400, false);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();

        assertThatThrownBy(() -> LoadJob.REGULAR_JOIN.build(env, tooSmall, directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found 1000 rows alive");
    }
}
