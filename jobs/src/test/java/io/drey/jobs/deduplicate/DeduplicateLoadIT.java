package io.drey.jobs.deduplicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.LoadJob;
import io.drey.jobs.ModelDigests;
import io.drey.jobs.generate.EventTime;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job against a set of keys, and its plan. */
class DeduplicateLoadIT {
    @TempDir
    private Path directory;

    @Test
    void theJobIsItsModelAndALostUpdateShows() throws Exception {
        ModelDigests.compare(LoadJob.DEDUPLICATE, directory, repeated(), DeduplicateLoadIT::model);
    }

    private static ModelDigests model(long lost) {
        DuplicateGenerator generator = new DuplicateGenerator(ModelDigests.settings());
        Set<Long> known = new HashSet<>();
        ModelDigests digests = new ModelDigests();
        for (long position = 0; position < ModelDigests.events(); position++) {
            Row event = generator.event(position);
            if (known.add(event.getFieldAs(DuplicateGenerator.KEY))) {
                digests.add(EventTime.of(position), DeduplicateLoad.digest(event));
            }
            if (position == lost) {
                known.remove(event.<Long>getFieldAs(DuplicateGenerator.KEY));
            }
        }
        return digests;
    }

    /** The first event of a key that comes again soon. */
    private static long repeated() {
        DuplicateGenerator generator = new DuplicateGenerator(ModelDigests.settings());
        long again = DeduplicateLoad.fillEvents(ModelDigests.settings()) + 1;
        long key = generator.event(again).getFieldAs(DuplicateGenerator.KEY);
        long first = 0;
        while (generator.event(first).<Long>getFieldAs(DuplicateGenerator.KEY) != key) {
            first++;
        }
        assertThat(first).isLessThan(again);
        return first;
    }

    @Test
    void thePlannerRecognizesTheQuery() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        LoadJob.DEDUPLICATE.build(env, ModelDigests.settings(), directory);

        assertThat(env.getExecutionPlan()).contains("Deduplicate(keep=[FirstRow], key=[k], order=[PROCTIME]");
    }
}
