package io.drey.jobs.slidingwindow;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.LoadJob;
import io.drey.jobs.ModelDigests;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job against one map entry per sensor and window. */
class SlidingWindowLoadIT {
    private static final int WINDOWS = 12;

    @TempDir
    private Path directory;

    @Test
    void theJobIsItsModelAndALostUpdateShows() throws Exception {
        ModelDigests.compare(LoadJob.SLIDING_WINDOW, directory, 7_777, SlidingWindowLoadIT::model);
    }

    private static ModelDigests model(long lost) {
        LoadSettings settings = ModelDigests.settings();
        long slideMs = SlidingWindowLoad.fillEvents(settings);
        ReadingGenerator generator = new ReadingGenerator(settings);
        Pane.Aggregate aggregate = new Pane.Aggregate();
        Map<List<Long>, Pane> panes = new HashMap<>();
        for (long position = 0; position < ModelDigests.events(); position++) {
            Reading reading = generator.event(position);
            long lastStart = EventTime.of(position) - EventTime.of(position) % slideMs;
            for (int i = 0; i < WINDOWS && position != lost; i++) {
                List<Long> key = List.of(reading.sensor, lastStart - i * slideMs);
                panes.put(key, aggregate.add(reading, panes.computeIfAbsent(key, missing -> new Pane())));
            }
        }
        ModelDigests digests = new ModelDigests();
        panes.forEach(
                (key, pane) -> digests.add(key.get(1) + WINDOWS * slideMs - 1, pane.digest(key.get(0), key.get(1))));
        return digests;
    }

    @Test
    void asManyPanesAreOpenAsAskedFor() {
        LoadSettings settings = new LoadSettings(3, 11_000, KeySkew.UNIFORM, 16, 16, false);
        ReadingGenerator generator = new ReadingGenerator(settings);
        long slideMs = SlidingWindowLoad.fillEvents(settings);
        long endMs = EventTime.of(20 * slideMs) + slideMs / 2;
        Set<List<Long>> panes = new HashSet<>();
        for (long position = 0; EventTime.of(position) < endMs; position++) {
            long time = EventTime.of(position);
            for (long start = time - time % slideMs; start > time - WINDOWS * slideMs; start -= slideMs) {
                if (start + WINDOWS * slideMs > endMs) {
                    panes.add(List.of(generator.event(position).sensor, start));
                }
            }
        }
        assertThat(panes.size()).isCloseTo((int) settings.alive(), Percentage.withPercentage(5));
    }
}
