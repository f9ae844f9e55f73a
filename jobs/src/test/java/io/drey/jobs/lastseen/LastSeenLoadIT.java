package io.drey.jobs.lastseen;

import io.drey.jobs.LoadJob;
import io.drey.jobs.ModelDigests;
import io.drey.jobs.generate.EventTime;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job against a map. */
class LastSeenLoadIT {
    @TempDir
    private Path directory;

    @Test
    void theJobIsItsModelAndALostUpdateShows() throws Exception {
        ModelDigests.compare(LoadJob.LAST_SEEN, directory, newer(), LastSeenLoadIT::model);
    }

    /** An event that is later than the last of its type, as it is the first and was not delayed. */
    private static long newer() {
        DeviceGenerator generator = new DeviceGenerator(ModelDigests.settings());
        long position = LastSeenLoad.fillEvents(ModelDigests.settings());
        while (generator.event(position).happenedMs < EventTime.of(position)) {
            position++;
        }
        return position;
    }

    private static ModelDigests model(long lost) {
        DeviceGenerator generator = new DeviceGenerator(ModelDigests.settings());
        Map<List<Long>, Long> lastSeen = new HashMap<>();
        ModelDigests digests = new ModelDigests();
        for (long position = 0; position < ModelDigests.events(); position++) {
            DeviceEvent event = generator.event(position);
            long previous = Long.MIN_VALUE;
            if (event.type == DeviceEvent.REGISTRATION) {
                for (long type = 0; type < 100; type++) {
                    lastSeen.put(List.of(event.device, type), event.happenedMs);
                }
            } else {
                List<Long> key = List.of(event.device, (long) event.type);
                previous = lastSeen.get(key);
                if (position != lost) {
                    lastSeen.put(key, Math.max(previous, event.happenedMs));
                }
            }
            digests.add(EventTime.of(position), LastSeenLoad.digest(event, previous));
        }
        return digests;
    }
}
