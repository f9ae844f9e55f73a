package io.drey.bench.shuffle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Shuffle workers on the loopback address, each a process; all are registries. Numbers count from 0. */
public final class WorkerProcesses implements AutoCloseable {
    private static final List<String> JAVA = List.of("-Xmx384m");

    private final Path folder;
    private Path data;
    private final List<String> command;
    private final Map<String, String> options;
    private final int[] ports;
    private final ChildProcess[] workers;

    /**
     * Chooses ports; starts nothing.
     *
     * @param folder for data and logs
     * @param command main class of a worker and its first arguments; options follow as {@code -D KEY=VALUE}
     * @param options of each worker
     */
    public WorkerProcesses(Path folder, List<String> command, int count, Map<String, String> options)
            throws IOException {
        this.folder = Files.createDirectories(folder);
        this.data = folder;
        this.command = command;
        this.options = options;
        this.workers = new ChildProcess[count];
        this.ports = new int[count];
        for (int i = 0; i < count; i++) {
            ports[i] = ChildProcess.freePort();
        }
    }

    /** All of them, as options have it. */
    public String registry() {
        return IntStream.range(0, ports.length).mapToObj(this::address).collect(Collectors.joining(","));
    }

    /** Host and port of one. */
    public String address(int number) {
        return ChildProcess.HOST + ":" + ports[number];
    }

    /** The directory of one's data. */
    public Path data(int number) {
        return data.resolve("data-" + number);
    }

    /** Puts the data elsewhere; before any is started. */
    void keepDataIn(Path directory) throws IOException {
        data = Files.createDirectories(directory);
    }

    /** Starts all, and waits until they listen. */
    public void startAll() throws IOException, InterruptedException {
        for (int i = 0; i < workers.length; i++) {
            start(i);
        }
    }

    /** Starts one, also again, and waits until it listens. */
    public void start(int number) throws IOException, InterruptedException {
        Map<String, String> all = new TreeMap<>(options);
        all.put("directories", data(number).toString());
        all.put("port", Integer.toString(ports[number]));
        all.put("registry", registry());
        List<String> arguments = new ArrayList<>(command.subList(1, command.size()));
        all.forEach((key, value) -> arguments.addAll(List.of("-D", key + "=" + value)));
        workers[number] = ChildProcess.start("worker-" + number, folder, JAVA, command.get(0), arguments);
        workers[number].awaitPort(ports[number]);
    }

    /** The process of one. */
    public ChildProcess process(int number) {
        return workers[number];
    }

    List<Long> pids() {
        return Stream.of(workers).map(ChildProcess::pid).toList();
    }

    @Override
    public void close() throws IOException {
        for (ChildProcess worker : workers) {
            if (worker != null) {
                worker.close();
            }
        }
    }
}
