package io.drey.dist;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A Flink of separate processes on this machine: one job manager, task managers as started, and its command line
 * client, each by the main class that Flink's scripts call. Drey is on the class path as the jar that ships. Closing
 * kills them all.
 */
final class FlinkCluster implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /** A port can be taken between the moment it is found free and the start of the job manager. */
    private static final int PORT_ATTEMPTS_MAX = 3;

    /** As in the configuration that Flink ships. */
    private static final List<String> OPENS = List.of(
            "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.text=ALL-UNNAMED",
            "--add-opens=java.base/java.time=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED");

    /** A process that starts on a busy machine is slow, not ill; Flink's own option for it has no effect here. */
    private static final String PATIENCE = "-Dpekko.remote.classic.startup-timeout=60s";

    private final Path directory;
    private final Path configuration;
    private final Map<String, String> options;
    private final List<Path> classPath;
    private final List<JavaProcess> processes = new ArrayList<>();

    private RestClient rest;
    private int taskManagers;

    /** Starts the job manager and waits until it answers. */
    FlinkCluster(Path directory, List<Path> flinkJars) throws Exception {
        this(directory, flinkJars, Map.of());
    }

    /** The same with more options. */
    FlinkCluster(Path directory, List<Path> flinkJars, Map<String, String> options) throws Exception {
        this.directory = directory;
        this.options = options;
        this.configuration = directory.resolve("conf");
        this.classPath = new ArrayList<>(flinkJars);
        classPath.add(BuiltFiles.shippedJar());
        boolean started = false;
        try {
            startJobManager();
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    private void startJobManager() throws Exception {
        for (int attempt = 1; ; attempt++) {
            int restPort = freePort();
            FlinkConfiguration written = new FlinkConfiguration(directory, freePort(), restPort);
            written.set(options);
            written.write(configuration);
            rest = new RestClient(restPort);
            JavaProcess started = start(
                    "jobmanager-" + attempt,
                    List.of("-Xmx512m"),
                    "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                    List.of("--configDir", configuration.toString()));
            Deadline.await(
                    "the job manager to answer",
                    START_LIMIT,
                    () -> rest.answers() || !started.isAlive(),
                    () -> tailOf(started));
            if (started.isAlive()) {
                return;
            }
            if (attempt == PORT_ATTEMPTS_MAX || !started.output().contains("BindException")) {
                started.mustBeAlive();
            }
        }
    }

    /** Starts one more task manager and waits until the job manager has its slots. */
    JavaProcess startTaskManager() throws Exception {
        return startTaskManager("taskmanager-" + ++taskManagers, 1);
    }

    /**
     * Starts a task manager again whose process was killed: what lies on its disk is its own.
     *
     * @param life counted from 1; each logs into a file of its own
     */
    JavaProcess startTaskManager(String name, int life) throws Exception {
        JavaProcess taskManager = start(
                life == 1 ? name : name + "-life-" + life,
                List.of("-Xmx384m", "-XX:MaxDirectMemorySize=192m"),
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                List.of(
                        "--configDir",
                        configuration.toString(),
                        "-Dtaskmanager.resource-id=" + name,
                        "-Dio.tmp.dirs=" + directory.resolve("tmp-" + name)));
        Deadline.await(
                name + " to register",
                START_LIMIT,
                () -> {
                    taskManager.mustBeAlive();
                    return rest.knowsTaskManager(name);
                },
                () -> tailOf(taskManager));
        return taskManager;
    }

    /** Flink's command line, as {@code bin/flink} calls it. */
    JavaProcess client(String name, List<String> arguments) throws IOException {
        return start(name, List.of("-Xmx512m"), "org.apache.flink.client.cli.CliFrontend", arguments);
    }

    /** Any other program on the class path of the cluster. */
    JavaProcess program(String name, List<Path> moreJars, String mainClass, List<String> arguments) throws IOException {
        List<Path> jars = new ArrayList<>(classPath);
        jars.addAll(moreJars);
        return start(name, jars, List.of("-Xmx512m"), mainClass, arguments);
    }

    RestClient rest() {
        return rest;
    }

    Path directory() {
        return directory;
    }

    private JavaProcess start(String name, List<String> options, String mainClass, List<String> arguments)
            throws IOException {
        return start(name, classPath, options, mainClass, arguments);
    }

    private JavaProcess start(
            String name, List<Path> jars, List<String> options, String mainClass, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(options);
        command.addAll(OPENS);
        command.add(PATIENCE);
        command.add("-Dlog4j.configurationFile=" + configuration.resolve(FlinkConfiguration.LOGGING));
        command.add("-cp");
        command.add(jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        command.add(mainClass);
        command.addAll(arguments);
        JavaProcess process =
                JavaProcess.start(name, directory, Map.of("FLINK_CONF_DIR", configuration.toString()), command);
        processes.add(process);
        return process;
    }

    private static String tailOf(JavaProcess process) {
        try {
            return process.tail();
        } catch (IOException e) {
            return "Its log cannot be read: " + e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        for (int i = processes.size() - 1; i >= 0; i--) {
            try {
                processes.get(i).close();
            } catch (RuntimeException e) {
                // The others must be killed all the same.
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
