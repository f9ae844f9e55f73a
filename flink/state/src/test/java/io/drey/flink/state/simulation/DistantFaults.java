package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.Tally.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What befalls files in the storage while tasks work on what has come of them; undone when these tasks have ended. */
final class DistantFaults {
    private final World world;
    private final List<Runnable> undo = new ArrayList<>();

    DistantFaults(World world) {
        this.world = world;
    }

    /** Spoils what a task was restored from: nothing is readable any more, or a file is not what it was. */
    void spoil(List<SimulatedTask> tasks) {
        List<SimulatedTask> restoring =
                tasks.stream().filter(task -> task.machine.isRestoring()).toList();
        if (restoring.isEmpty()) {
            return;
        }
        Map<String, Set<String>> files = world.any(restoring).restoredFrom;
        List<String> paths = world.storage.byAge(
                files.keySet().stream().filter(world.storage::has).collect(Collectors.toSet()));
        if (paths.isEmpty()) {
            return;
        }
        if (world.random.nextBoolean()) {
            world.tally.count(Event.LAZY_FILES_UNREADABLE);
            for (String path : paths) {
                world.storage.unreadable(path, true);
                undo.add(() -> world.storage.unreadable(path, false));
            }
        } else {
            world.tally.count(Event.LAZY_FILE_FLIPPED);
            String path = world.storage.longest(paths);
            undo.add(world.storage.flip(path, world.random.nextLong()));
            for (SimulatedTask task : tasks) {
                task.flipped.addAll(task.restoredFrom.getOrDefault(path, Set.of()));
            }
        }
    }

    void heal() {
        undo.forEach(Runnable::run);
        undo.clear();
    }
}
