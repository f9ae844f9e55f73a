package io.drey.bench.shuffle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/**
 * A Flink session cluster on the loopback address: a JobManager and task managers, each a process. Jobs that are
 * submitted need no jars: the class path is this process's.
 */
public final class FlinkProcesses implements AutoCloseable {
    private static final List<String> JOB_MANAGER = List.of("-Xmx512m");
    private static final List<String> TASK_MANAGER = List.of("-Xmx640m", "-XX:MaxDirectMemorySize=512m");
    private static final String TASK_MANAGER_NAME = "taskmanager-";
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final int restPort;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<ChildProcess> taskManagers = new ArrayList<>();
    private ChildProcess jobManager;

    private FlinkProcesses(Path folder, int restPort) {
        this.folder = folder;
        this.restPort = restPort;
    }

    /**
     * Starts a cluster and waits until all task managers are there.
     *
     * @param folder for configuration, logs and temporary files
     * @param slots of each task manager
     * @param more of Flink's options, over those that this sets
     */
    public static FlinkProcesses start(Path folder, int taskManagers, int slots, Map<String, String> more)
            throws IOException, InterruptedException {
        int restPort = ChildProcess.freePort();
        FlinkProcesses cluster = new FlinkProcesses(folder, restPort);
        Map<String, String> options = new TreeMap<>(options(folder, slots));
        options.put("jobmanager.rpc.port", Integer.toString(ChildProcess.freePort()));
        options.put("rest.port", Integer.toString(restPort));
        options.putAll(more);
        List<String> lines = new ArrayList<>();
        options.forEach((key, value) -> lines.add(key + ": '" + value.replace("'", "''") + "'"));
        Files.createDirectories(folder.resolve("conf"));
        Files.createDirectories(folder.resolve("tmp"));
        Files.write(folder.resolve("conf").resolve("config.yaml"), lines);
        boolean started = false;
        try {
            cluster.startJobManager();
            for (int i = 0; i < taskManagers; i++) {
                cluster.launchTaskManager();
            }
            cluster.awaitTaskManagers(cluster.taskManagers, taskManagers);
            started = true;
        } finally {
            if (!started) {
                cluster.close();
            }
        }
        return cluster;
    }

    private static Map<String, String> options(Path folder, int slots) {
        Map<String, String> options = new TreeMap<>();
        options.put("jobmanager.rpc.address", ChildProcess.HOST);
        options.put("jobmanager.bind-host", ChildProcess.HOST);
        options.put("rest.address", ChildProcess.HOST);
        options.put("rest.bind-address", ChildProcess.HOST);
        options.put("taskmanager.host", ChildProcess.HOST);
        options.put("taskmanager.bind-host", ChildProcess.HOST);
        options.put("taskmanager.numberOfTaskSlots", Integer.toString(slots));
        options.put("taskmanager.cpu.cores", Integer.toString(slots));
        // Flink's scripts work these out; who calls the main class has to say all of them.
        options.put("taskmanager.memory.framework.heap.size", "128m");
        options.put("taskmanager.memory.framework.off-heap.size", "128m");
        options.put("taskmanager.memory.jvm-metaspace.size", "256m");
        options.put("taskmanager.memory.jvm-overhead.min", "192m");
        options.put("taskmanager.memory.jvm-overhead.max", "192m");
        options.put("taskmanager.memory.task.heap.size", "512m");
        options.put("taskmanager.memory.task.off-heap.size", "64m");
        options.put("taskmanager.memory.network.min", "192m");
        options.put("taskmanager.memory.network.max", "192m");
        options.put("taskmanager.memory.managed.size", "256m");
        // Else all producers may go to one.
        options.put("taskmanager.load-balance.mode", "SLOTS");
        // A thousand tasks of a job begin and end at a time, on a machine that may be busy.
        options.put("pekko.ask.timeout", "60 s");
        options.put("io.tmp.dirs", folder.resolve("tmp").toString());
        options.put("web.submit.enable", "false");
        return options;
    }

    private List<String> arguments() {
        return List.of("--configDir", folder.resolve("conf").toString());
    }

    private void startJobManager() throws IOException, InterruptedException {
        jobManager = ChildProcess.start(
                "jobmanager", folder, JOB_MANAGER, StandaloneSessionClusterEntrypoint.class.getName(), arguments());
        jobManager.await("it answered", () -> taskManagersKnown() >= 0);
    }

    /** Its process. */
    public ChildProcess jobManager() {
        return jobManager;
    }

    /** Starts the JobManager again, after its end, and waits until the task managers have come back to it. */
    public void restartJobManager() throws IOException, InterruptedException {
        startJobManager();
        awaitTaskManagers(List.of(jobManager), taskManagers.size());
    }

    private void launchTaskManager() throws IOException {
        String name = TASK_MANAGER_NAME + taskManagers.size();
        List<String> arguments = new ArrayList<>(arguments());
        arguments.addAll(List.of("-D", "taskmanager.resource-id=" + name));
        taskManagers.add(ChildProcess.start(name, folder, TASK_MANAGER, TaskManagerRunner.class.getName(), arguments));
    }

    /** Starts one more task manager, and waits until the cluster has so many. */
    public void startTaskManager(int inAll) throws IOException, InterruptedException {
        launchTaskManager();
        awaitTaskManagers(List.of(taskManagers.get(taskManagers.size() - 1)), inAll);
    }

    private void awaitTaskManagers(List<ChildProcess> fresh, int count) throws IOException, InterruptedException {
        for (ChildProcess each : fresh) {
            each.await("the JobManager knew " + count + " task managers", () -> taskManagersKnown() == count);
        }
    }

    /** The process of the one that Flink's REST API calls so. */
    public ChildProcess taskManager(String id) {
        return taskManagers.get(Integer.parseInt(id.substring(TASK_MANAGER_NAME.length())));
    }

    /** Number of task managers; -1 while the JobManager does not listen, or answer. */
    private int taskManagersKnown() throws IOException, InterruptedException {
        try {
            return ask("/overview").path("taskmanagers").asInt(-1);
        } catch (ConnectException | HttpTimeoutException e) {
            return -1;
        }
    }

    /** The answer of Flink's REST API to a question. */
    public JsonNode ask(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + ChildProcess.HOST + ":" + restPort + path))
                .timeout(ANSWER_MAX)
                .build();
        return JSON.readTree(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    /** An environment whose jobs run there, as batch jobs of fixed parallelism. */
    public StreamExecutionEnvironment batch(int parallelism) {
        Configuration configuration = new Configuration();
        configuration.setString("execution.batch.adaptive.auto-parallelism.enabled", "false");
        configuration.setString("execution.batch-shuffle-mode", "ALL_EXCHANGES_BLOCKING");
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createRemoteEnvironment(ChildProcess.HOST, restPort, configuration);
        environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
        environment.setParallelism(parallelism);
        return environment;
    }

    /** An environment whose statements run there, as batch jobs that Flink plans. */
    TableEnvironment sql(int parallelism) {
        Configuration configuration = new Configuration();
        configuration.setString("execution.target", "remote");
        configuration.setString("rest.address", ChildProcess.HOST);
        configuration.setString("rest.port", Integer.toString(restPort));
        configuration.setString("parallelism.default", Integer.toString(parallelism));
        return TableEnvironment.create(EnvironmentSettings.newInstance()
                .inBatchMode()
                .withConfiguration(configuration)
                .build());
    }

    List<Long> pids() {
        List<Long> pids = new ArrayList<>(List.of(jobManager.pid()));
        taskManagers.forEach(each -> pids.add(each.pid()));
        return pids;
    }

    @Override
    public void close() throws IOException {
        for (ChildProcess each : taskManagers) {
            each.close();
        }
        if (jobManager != null) {
            jobManager.close();
        }
    }
}
