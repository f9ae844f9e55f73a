package io.drey.bench.probe;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Processor time of this process by group of threads, since the look before. The time of the whole process is taken as
 * well: what threads used that came and went between two looks is {@code other}, and the sum of all groups is exact.
 */
final class ProcessorTime {
    private record Seen(long ticks, int look) {}

    private final Path process;
    private final ThreadGroups groups;
    private final SmallFile reader = new SmallFile();
    private final Map<String, Seen> threads = new HashMap<>();
    private final Map<String, Long> ticks = new HashMap<>();
    private final Set<String> tasks = new HashSet<>();
    private Map<String, Long> before = Map.of();
    private int look;

    /**
     * @param process the kernel's directory of the process
     */
    ProcessorTime(Path process, ThreadGroups groups) {
        this.process = process;
        this.groups = groups;
    }

    /** Seconds by group since the call before, every group present; empty where the system does not tell. */
    Map<String, Double> take() {
        look++;
        if (!addThreads()) {
            return Map.of();
        }
        String stat = reader.read(process.resolve("stat"));
        ThreadTicks total = stat == null ? null : ThreadTicks.parse(stat);
        if (total == null) {
            return Map.of();
        }
        threads.values().removeIf(seen -> seen.look() != look);
        long grouped = 0;
        for (Map.Entry<String, Long> entry : ticks.entrySet()) {
            grouped += entry.getKey().equals(ThreadGroups.OTHER) ? 0 : entry.getValue();
        }
        ticks.merge(ThreadGroups.OTHER, total.ticks() - grouped, Math::max);
        return sinceBefore();
    }

    private boolean addThreads() {
        tasks.clear();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path directory : directories) {
                String stat = reader.read(directory.resolve("stat"));
                ThreadTicks thread = stat == null ? null : ThreadTicks.parse(stat);
                if (thread != null) {
                    add(directory.getFileName().toString(), thread);
                }
            }
            return true;
        } catch (IOException e) {
            // There is no such directory on this system.
            return false;
        }
    }

    private void add(String id, ThreadTicks thread) {
        Seen last = threads.put(id, new Seen(thread.ticks(), look));
        // Fewer than before: the number of a thread that has ended was given to a new one.
        long from = last == null || last.ticks() > thread.ticks() ? 0 : last.ticks();
        String group = group(thread.name());
        if (!group.equals(ThreadGroups.OTHER)) {
            ticks.merge(group, thread.ticks() - from, Long::sum);
        }
    }

    /**
     * A native thread that nobody named is called like the one that made it. The kernel lists threads by number, and so
     * the task before what it made.
     */
    private String group(String name) {
        String group = groups.of(name);
        return group.equals(ThreadGroups.TASK) && !tasks.add(name) ? ThreadGroups.BACKGROUND : group;
    }

    private Map<String, Double> sinceBefore() {
        Map<String, Double> seconds = new LinkedHashMap<>();
        for (String group : ThreadGroups.ALL) {
            long now = ticks.getOrDefault(group, 0L);
            seconds.put(group, (now - before.getOrDefault(group, 0L)) / (double) ThreadTicks.PER_SECOND);
        }
        before = new HashMap<>(ticks);
        return seconds;
    }
}
