package io.drey.jobs.samplejoin;

import io.drey.jobs.LoadJob;
import io.drey.jobs.ModelDigests;
import io.drey.jobs.digest.DigestBoard;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job against a map of samples that are looked through when any may be due. */
class SampleJoinLoadIT {
    @TempDir
    private Path directory;

    @Test
    void theJobIsItsModelAndALostUpdateShows() throws Exception {
        ModelDigests.compare(LoadJob.SAMPLE_JOIN, directory, soonEmitted(), SampleJoinLoadIT::model);
    }

    /** A message of a sample that is emitted early in the run. */
    private static long soonEmitted() {
        LoadSettings settings = ModelDigests.settings();
        MessageGenerator generator = new MessageGenerator(settings);
        long position = SampleJoinLoad.fillEvents(settings);
        while (true) {
            Message message = generator.event(position);
            long dueMs = message.requestedMs + MessageGenerator.windowMs(settings);
            if (message.kind != Message.REQUEST && dueMs < EventTime.of(DigestBoard.BUCKET_MS)) {
                return position;
            }
            position++;
        }
    }

    private static ModelDigests model(long lost) {
        LoadSettings settings = ModelDigests.settings();
        MessageGenerator generator = new MessageGenerator(settings);
        Map<Long, Sample> open = new HashMap<>();
        ModelDigests digests = new ModelDigests();
        for (long position = 0; position < ModelDigests.events(); position++) {
            Message message = generator.event(position);
            if (position != lost) {
                open.computeIfAbsent(message.sample, key -> new Sample()).collect(message);
            }
            if (position % 100 == 99) {
                emitDue(open, EventTime.of(position) - MessageGenerator.windowMs(settings), digests, settings);
            }
        }
        return digests;
    }

    private static void emitDue(Map<Long, Sample> open, long untilMs, ModelDigests digests, LoadSettings settings) {
        open.forEach((key, sample) -> {
            if (sample.requestedMs <= untilMs) {
                digests.add(sample.requestedMs + MessageGenerator.windowMs(settings), sample.digest(key));
            }
        });
        open.values().removeIf(sample -> sample.requestedMs <= untilMs);
    }
}
