package io.drey.cli.doctor.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.drey.cli.doctor.job.JobFacts.CheckpointFacts;
import io.drey.cli.doctor.job.JobFacts.ProcessFacts;
import io.drey.cli.doctor.job.JobFacts.SubtaskFacts;
import io.drey.cli.doctor.job.JobFacts.VertexFacts;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Looks at a job twice and makes facts of that. Flink's REST API fetches metrics each 10 seconds if somebody asks, and
 * gives what it has: a look is right after that, so that rates are of the time between. One thread.
 */
public final class JobReader {
    /** So long after values of the first task manager the API has those of all. */
    private static final long SETTLE_MS = 500;

    private static final long POLL_MS = 200;

    /** Longer than between two times at which the API fetches metrics, unless it is told otherwise. */
    private static final long FETCH_MS_MAX = 12_000;

    /** Before, Flink counts all of a task's time as busy: shares of time are means of the last 5 seconds or more. */
    private static final long AGE_MS_MIN = 11_000;

    /** Checkpoints that are looked at, the newest ones. */
    private static final int CHECKPOINTS_MAX = 20;

    private static final String COMPLETED = "COMPLETED";
    private static final String FAILED = "FAILED";

    private static final double MS_PER_SECOND = 1_000;
    private static final long NANOS_PER_MS = 1_000_000;

    /** Flink's word for the partitioner of keyBy. */
    private static final String BY_KEY = "HASH";

    /** States that a job does not leave. */
    private static final Set<String> ENDED = Set.of("FINISHED", "CANCELED", "FAILED", "SUSPENDED");

    /** More subtasks than these are not asked one by one: each so many of them is. */
    private static final int SUBTASKS_MAX = 256;

    private static final String DREY = ".drey.";
    private static final Set<String> RATIOS = Set.of(
            "blockCacheHitRatio",
            "objectCacheHitRatio",
            "filterErrorRatio",
            "memoryFreeBytes",
            "directoryUsableBytesMin");
    private static final Set<String> WORST = Set.of(
            "directoryFullnessMax",
            "directoryLatencyNanosMax",
            "writeAmplification",
            "youngRuns",
            "compactionBacklog",
            "directoriesUnusable");
    private static final List<String> TASK = List.of(
            "busyTimeMsPerSecond", "backPressuredTimeMsPerSecond", "idleTimeMsPerSecond", "numRecordsInPerSecond");
    private static final List<String> PROCESS =
            List.of("Status.JVM.Memory.Heap.Used", "Status.JVM.Memory.Heap.Max", "Status.JVM.CPU.Load");

    /** Grows always: another value says that the API has fetched. */
    private static final String CPU_TIME = "Status.JVM.CPU.Time";

    private static final String COLLECTOR = "Status.JVM.GarbageCollector.";
    private static final String TIME = ".Time";

    /** Of collectors that count the time beside the job's threads as well, and their pauses apart. */
    private static final String CONCURRENT = "Cycles";

    private final RestClient rest;

    public JobReader(URI address) {
        this.rest = new RestClient(address);
    }

    /** A look at one moment: values by subtask, "vertex/index", and by task manager. */
    private record Look(
            long nanos, Map<String, Map<String, Double>> subtasks, Map<String, Map<String, Double>> processes) {}

    /** The job of an id, or the one that has not ended if the id is null. */
    public String job(String wanted) throws IOException, InterruptedException {
        List<String> current = new ArrayList<>();
        List<String> all = new ArrayList<>();
        JsonNode jobs = rest.get("/jobs/overview").path("jobs");
        if (!jobs.isArray()) {
            throw rest.isNotFlink("no list of jobs", null);
        }
        for (JsonNode job : jobs) {
            all.add(job.path("jid").asText());
            if (!ENDED.contains(job.path("state").asText())) {
                current.add(job.path("jid").asText());
            }
        }
        if (wanted != null) {
            if (!all.contains(wanted)) {
                throw new IOException("There is no job " + wanted + "; expected one of " + all + ".");
            }
            return wanted;
        }
        if (current.size() != 1) {
            throw new IOException(
                    current.isEmpty()
                            ? "No job is running there."
                            : "Several jobs are running: choose one with --job, of " + String.join(", ", current)
                                    + ".");
        }
        return current.get(0);
    }

    /** Looks at a job for some milliseconds, if it runs. */
    public JobFacts read(String job, long millis) throws IOException, InterruptedException {
        JsonNode about = rest.get("/jobs/" + job);
        List<VertexFacts> plan = plan(about);
        boolean runs = about.path("state").asText().equals(JobFacts.RUNNING);
        if (runs) {
            Thread.sleep(Math.max(0, AGE_MS_MIN - age(about)));
        }
        JsonNode before = runs ? rest.get("/jobs/" + job) : about;
        Look first = freshLook(job, plan, runs);
        if (runs) {
            Thread.sleep(millis);
        }
        Look second = freshLook(job, plan, runs);
        JsonNode after = runs ? rest.get("/jobs/" + job) : about;
        double seconds = (second.nanos() - first.nanos()) / 1e9;
        List<VertexFacts> vertices = new ArrayList<>();
        for (VertexFacts vertex : plan) {
            List<SubtaskFacts> subtasks = new ArrayList<>();
            for (SubtaskFacts subtask : vertex.subtasks()) {
                String key = key(vertex, subtask.index());
                subtasks.add(subtask(
                        subtask.index(),
                        first.subtasks().get(key),
                        second.subtasks().get(key),
                        seconds));
            }
            vertices.add(new VertexFacts(vertex.id(), vertex.name(), vertex.isSource(), vertex.isSink(), subtasks));
        }
        Double restarts =
                rest.values("/jobs/" + job + "/metrics", List.of("numRestarts")).get("numRestarts");
        JsonNode config = rest.find("/jobs/" + job + "/checkpoints/config");
        return new JobFacts(
                job,
                about.path("name").asText(),
                after.path("state").asText(),
                Stream.of(tasks(before), tasks(after))
                        .min(Comparator.comparingInt(JobFacts::running))
                        .orElseThrow(),
                !since(before).equals(since(after)),
                seconds,
                backend(config.path("state_backend").asText("")),
                about.path("job-type").asText().equals("BATCH"),
                vertices,
                checkpoints(job, config, plan),
                processes(first, second, seconds),
                restarts == null ? 0 : restarts.longValue());
    }

    private static String backend(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (String known : List.of("drey", "rocksdb", "hashmap", "forst")) {
            if (lower.contains(known)) {
                return known;
            }
        }
        return "";
    }

    /** How many subtasks are in which state. */
    private static Map<String, Integer> tasks(JsonNode about) {
        Map<String, Integer> tasks = new TreeMap<>();
        for (JsonNode vertex : about.path("vertices")) {
            for (Map.Entry<String, JsonNode> state : vertex.path("tasks").properties()) {
                tasks.merge(state.getKey(), state.getValue().asInt(), Integer::sum);
            }
        }
        tasks.values().removeIf(count -> count == 0);
        return tasks;
    }

    /** When the job began to run; at each restart anew. */
    private static JsonNode since(JsonNode about) {
        return about.path("timestamps").path(JobFacts.RUNNING);
    }

    /** How long all tasks have been running, milliseconds; 0 also if the job manager's clock was set back since. */
    static long age(JsonNode about) {
        long age = AGE_MS_MIN;
        for (JsonNode vertex : about.path("vertices")) {
            age = Math.min(age, vertex.path("duration").asLong(0));
        }
        return Math.max(0, age);
    }

    /** Failed ones among the newest checkpoints: those before the first that completed were tried while tasks began. */
    private static long failed(List<String> newest) {
        int completed = newest.lastIndexOf(COMPLETED);
        return newest.subList(0, completed < 0 ? newest.size() : completed).stream()
                .filter(FAILED::equals)
                .count();
    }

    /** How the newest checkpoints of those that the API still knows ended. */
    private static List<String> newest(JsonNode all) {
        List<String> newest = new ArrayList<>();
        for (JsonNode checkpoint : all.path("history")) {
            String status = checkpoint.path("status").asText();
            if (newest.size() < CHECKPOINTS_MAX && (status.equals(COMPLETED) || status.equals(FAILED))) {
                newest.add(status);
            }
        }
        return newest;
    }

    private static String key(VertexFacts vertex, int index) {
        return vertex.id() + "/" + index;
    }

    /** The tasks without values. */
    private static List<VertexFacts> plan(JsonNode about) {
        Set<String> withInput = new HashSet<>();
        Set<String> withOutput = new HashSet<>();
        Set<String> byKey = new HashSet<>();
        for (JsonNode node : about.path("plan").path("nodes")) {
            for (JsonNode input : node.path("inputs")) {
                withInput.add(node.path("id").asText());
                withOutput.add(input.path("id").asText());
                if (input.path("ship_strategy").asText().equals(BY_KEY)) {
                    byKey.add(node.path("id").asText());
                }
            }
        }
        int all = 0;
        for (JsonNode vertex : about.path("vertices")) {
            all += vertex.path("parallelism").asInt();
        }
        int step = Math.max(1, (all + SUBTASKS_MAX - 1) / SUBTASKS_MAX);
        List<VertexFacts> vertices = new ArrayList<>();
        for (JsonNode vertex : about.path("vertices")) {
            String id = vertex.path("id").asText();
            List<SubtaskFacts> subtasks = new ArrayList<>();
            for (int i = 0; i < vertex.path("parallelism").asInt(); i += step) {
                subtasks.add(new SubtaskFacts(i, 0, 0, 0, 0, Map.of(), Map.of()));
            }
            boolean isSink = !withOutput.contains(id) && !byKey.contains(id);
            vertices.add(new VertexFacts(id, vertex.path("name").asText(), !withInput.contains(id), isSink, subtasks));
        }
        return vertices;
    }

    private Look freshLook(String job, List<VertexFacts> plan, boolean runs) throws IOException, InterruptedException {
        if (!runs) {
            return look(job, plan, System.nanoTime());
        }
        Double before = cpuTime();
        long begin = System.nanoTime();
        long fetched;
        do {
            Thread.sleep(POLL_MS);
            fetched = System.nanoTime();
        } while (before != null && before.equals(cpuTime()) && fetched - begin < FETCH_MS_MAX * NANOS_PER_MS);
        Thread.sleep(SETTLE_MS);
        return look(job, plan, fetched);
    }

    /** Of one task manager; null if there is none. */
    private Double cpuTime() throws IOException, InterruptedException {
        JsonNode process = rest.get("/taskmanagers").path("taskmanagers").path(0);
        return process.isMissingNode()
                ? null
                : rest.values(metrics(process), List.of(CPU_TIME)).get(CPU_TIME);
    }

    private static String metrics(JsonNode process) {
        return "/taskmanagers/" + RestClient.encoded(process.path("id").asText()) + "/metrics";
    }

    private Look look(String job, List<VertexFacts> plan, long nanos) throws IOException, InterruptedException {
        Map<String, Map<String, Double>> subtasks = new HashMap<>();
        for (VertexFacts vertex : plan) {
            for (SubtaskFacts subtask : vertex.subtasks()) {
                String path = "/jobs/" + job + "/vertices/" + vertex.id() + "/subtasks/" + subtask.index() + "/metrics";
                List<String> names = rest.names(path).stream()
                        .filter(name -> TASK.contains(name) || isBasic(name))
                        .toList();
                subtasks.put(key(vertex, subtask.index()), rest.values(path, names));
            }
        }
        Map<String, Map<String, Double>> processes = new LinkedHashMap<>();
        for (JsonNode process : rest.get("/taskmanagers").path("taskmanagers")) {
            List<String> names = rest.names(metrics(process)).stream()
                    .filter(name -> PROCESS.contains(name) || isPauses(name))
                    .toList();
            processes.put(process.path("id").asText(), rest.values(metrics(process), names));
        }
        return new Look(nanos, subtasks, processes);
    }

    /** The time of a collector, but for that of all. */
    private static boolean isPauses(String name) {
        return name.startsWith(COLLECTOR)
                && name.endsWith(TIME)
                && !name.contains(CONCURRENT)
                && !name.equals(COLLECTOR + "All" + TIME);
    }

    /** Metrics of Drey's operators that are of none of their states or directories. */
    private static boolean isBasic(String name) {
        int at = name.indexOf(DREY);
        return at >= 0 && name.indexOf('.', at + DREY.length()) < 0;
    }

    private static SubtaskFacts subtask(
            int index, Map<String, Double> first, Map<String, Double> second, double seconds) {
        Map<String, Double> drey = new HashMap<>();
        Map<String, Double> rates = new HashMap<>();
        second.forEach((name, value) -> {
            if (isBasic(name)) {
                String metric = name.substring(name.indexOf(DREY) + DREY.length());
                if (!value.isNaN()) {
                    drey.merge(
                            metric,
                            value,
                            RATIOS.contains(metric) ? Math::min : WORST.contains(metric) ? Math::max : Double::sum);
                }
                double grown = Math.max(0, value - first.getOrDefault(name, value));
                rates.merge(metric, grown / seconds, Double::sum);
            }
        });
        return new SubtaskFacts(
                index,
                second.getOrDefault("busyTimeMsPerSecond", 0.0) / MS_PER_SECOND,
                second.getOrDefault("backPressuredTimeMsPerSecond", 0.0) / MS_PER_SECOND,
                second.getOrDefault("idleTimeMsPerSecond", 0.0) / MS_PER_SECOND,
                second.getOrDefault("numRecordsInPerSecond", 0.0),
                drey,
                rates);
    }

    private static List<ProcessFacts> processes(Look first, Look second, double seconds) {
        List<ProcessFacts> processes = new ArrayList<>();
        second.processes().forEach((id, values) -> {
            Map<String, Double> before = first.processes().getOrDefault(id, Map.of());
            double gcMs = values.keySet().stream()
                    .filter(JobReader::isPauses)
                    .mapToDouble(name -> values.get(name) - before.getOrDefault(name, values.get(name)))
                    .sum();
            double heap = values.getOrDefault("Status.JVM.Memory.Heap.Used", 0.0)
                    / Math.max(1, values.getOrDefault("Status.JVM.Memory.Heap.Max", 1.0));
            processes.add(new ProcessFacts(
                    id, gcMs / MS_PER_SECOND / seconds, heap, values.getOrDefault("Status.JVM.CPU.Load", 0.0)));
        });
        return processes;
    }

    private CheckpointFacts checkpoints(String job, JsonNode config, List<VertexFacts> plan)
            throws IOException, InterruptedException {
        JsonNode all = rest.find("/jobs/" + job + "/checkpoints");
        JsonNode last = all.path("latest").path("completed");
        long interval = config.path("interval").asLong(-1);
        boolean isOff = interval <= 0 || interval == Long.MAX_VALUE;
        long sync = -1;
        long async = -1;
        long alignment = -1;
        if (last.hasNonNull("id")) {
            String details =
                    "/jobs/" + job + "/checkpoints/details/" + last.path("id").asText();
            for (VertexFacts vertex : plan) {
                JsonNode summary =
                        rest.find(details + "/subtasks/" + vertex.id()).path("summary");
                JsonNode duration = summary.path("checkpoint_duration");
                sync = Math.max(sync, duration.path("sync").path("max").asLong(0));
                async = Math.max(async, duration.path("async").path("max").asLong(0));
                long delay = summary.path("start_delay").path("max").asLong(0);
                alignment = Math.max(
                        alignment,
                        delay
                                + summary.path("alignment")
                                        .path("duration")
                                        .path("max")
                                        .asLong(0));
            }
        }
        List<String> newest = newest(all);
        return new CheckpointFacts(
                isOff ? -1 : interval,
                newest.size(),
                failed(newest),
                last.path("end_to_end_duration").asLong(-1),
                sync,
                async,
                alignment,
                last.path("state_size").asLong(-1),
                last.path("checkpointed_size").asLong(-1),
                config.path("state_changelog_enabled").asBoolean());
    }
}
