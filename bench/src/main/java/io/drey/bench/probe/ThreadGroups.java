package io.drey.bench.probe;

import java.util.List;

/**
 * Says which group of a cell's processor time a thread belongs to, by the 15 characters that the kernel keeps of its
 * name.
 */
final class ThreadGroups {
    static final String TASK = "task";
    static final String SOURCE = "source";
    static final String BACKGROUND = "background";
    static final String CHECKPOINT = "checkpoint";
    static final String GC = "gc";
    static final String JIT = "jit";
    static final String OTHER = "other";

    /** In the order of reports. */
    static final List<String> ALL = List.of(TASK, SOURCE, BACKGROUND, CHECKPOINT, GC, JIT, OTHER);

    private static final int NAME_CHARS_MAX = 15;

    private record Rule(String prefix, String group) {}

    /** The first that fits holds. */
    private static final List<Rule> RULES = List.of(
            new Rule("Source:", SOURCE),
            new Rule("Legacy Source", SOURCE),
            new Rule("drey-upload", CHECKPOINT),
            new Rule("drey-restore", CHECKPOINT),
            new Rule("drey-", BACKGROUND),
            new Rule("rocksdb:", BACKGROUND),
            new Rule("forst", BACKGROUND),
            new Rule("ForSt", BACKGROUND),
            new Rule("AsyncOperation", CHECKPOINT),
            new Rule("jobmanager-io", CHECKPOINT),
            new Rule("cluster-io", CHECKPOINT),
            new Rule("mini-cluster-io", CHECKPOINT),
            new Rule("Checkpoint Time", CHECKPOINT),
            new Rule("Flink-RocksDB", CHECKPOINT),
            new Rule("Flink-ForSt", CHECKPOINT),
            new Rule("flink-taskexecu", CHECKPOINT),
            new Rule("Changelog", CHECKPOINT),
            new Rule("periodic-materi", CHECKPOINT),
            new Rule("GC Thread", GC),
            new Rule("G1 ", GC),
            new Rule("VM Thread", GC),
            new Rule("C1 Compiler", JIT),
            new Rule("C2 Compiler", JIT),
            new Rule("Sweeper thread", JIT));

    private List<String> tasks = List.of();

    /**
     * From now on the job is known.
     *
     * @param vertices Flink's names of its tasks; their threads are called like them
     */
    void tasks(List<String> vertices) {
        tasks = vertices.stream()
                .filter(vertex -> !vertex.startsWith("Source:"))
                .map(ThreadGroups::kept)
                .toList();
    }

    /** What the kernel keeps of a thread's name. */
    private static String kept(String name) {
        return name.length() <= NAME_CHARS_MAX ? name : name.substring(0, NAME_CHARS_MAX);
    }

    /** The group of a thread with this name. */
    String of(String name) {
        for (String task : tasks) {
            // A short name of a task goes on with the number of the subtask.
            if (name.startsWith(task)) {
                return TASK;
            }
        }
        for (Rule rule : RULES) {
            if (name.startsWith(rule.prefix())) {
                return rule.group();
            }
        }
        return OTHER;
    }
}
