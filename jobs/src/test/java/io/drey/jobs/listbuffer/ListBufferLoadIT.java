package io.drey.jobs.listbuffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.LoadJob;
import io.drey.jobs.ModelDigests;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job against lists, and timers in a map by time and key. */
class ListBufferLoadIT {
    @TempDir
    private Path directory;

    /** Elements alive at each watermark of the last model, after a window. */
    private final List<Integer> alive = new ArrayList<>();

    @Test
    void theJobIsItsModelAndALostUpdateShows() throws Exception {
        ModelDigests.compare(LoadJob.LIST_BUFFER, directory, 7_777, this::model);

        double average = alive.stream().mapToInt(Integer::intValue).average().orElseThrow();
        assertThat((long) average).isCloseTo(ModelDigests.settings().alive(), Percentage.withPercentage(15));
    }

    private ModelDigests model(long lost) {
        LoadSettings settings = ModelDigests.settings();
        BufferFunction function = new BufferFunction(ElementGenerator.windowMs(settings));
        ElementGenerator generator = new ElementGenerator(settings);
        Map<Long, List<BufferedElement>> lists = new HashMap<>();
        TreeMap<Long, Map<Long, Boolean>> timers = new TreeMap<>();
        ModelDigests digests = new ModelDigests();
        for (long position = 0; position < ModelDigests.events(); position++) {
            BufferedElement element = generator.event(position);
            if (position != lost) {
                lists.computeIfAbsent(element.key, key -> new ArrayList<>()).add(element);
            }
            timers.computeIfAbsent(function.windowEndMs(element), key -> new HashMap<>())
                    .put(element.key, true);
            while (position % 100 == 99 && !timers.isEmpty() && timers.firstKey() <= EventTime.of(position)) {
                Map.Entry<Long, Map<Long, Boolean>> due = timers.pollFirstEntry();
                for (long key : due.getValue().keySet()) {
                    List<BufferedElement> elements = lists.containsKey(key) ? lists.remove(key) : List.of();
                    digests.add(due.getKey(), BufferFunction.digest(key, elements));
                }
            }
            if (position % 100 == 99 && position > ListBufferLoad.fillEvents(settings)) {
                alive.add(lists.values().stream().mapToInt(List::size).sum());
            }
        }
        return digests;
    }
}
