package io.drey.cli.shuffle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A worker as its users start it: by the script at the root of the project, in a process of its own. */
public final class LaunchedWorker implements AutoCloseable {
    private static final Path SCRIPT = Path.of("..", "drey");
    private static final Pattern LISTENS = Pattern.compile("listens at (\\S+):(\\d+)\\.");
    private static final long START_MS_MAX = 60_000;
    private static final long LOOK_MS = 50;

    private final Process process;
    private final InetSocketAddress address;

    /**
     * Starts it, and waits until it listens.
     *
     * @param javaOptions of the Java virtual machine, beside those of the script
     */
    public LaunchedWorker(Path folder, Map<String, String> options, String javaOptions)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(SCRIPT.toString(), "shuffle-worker"));
        words.addAll(List.of("-D", "port=0", "-D", "directories=" + folder.resolve("data")));
        options.forEach((key, value) -> words.addAll(List.of("-D", key + "=" + value)));
        Path output = folder.resolve("worker.out");
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("DREY_NO_BUILD", "1");
        builder.environment().put("DREY_JAVA_OPTS", javaOptions);
        process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        InetSocketAddress found = null;
        for (long waited = 0; found == null; waited += LOOK_MS) {
            Matcher listens = LISTENS.matcher(Files.readString(output));
            if (listens.find()) {
                found = new InetSocketAddress(listens.group(1), Integer.parseInt(listens.group(2)));
            } else if (waited > START_MS_MAX || !process.isAlive()) {
                close();
                throw new IOException("the worker does not listen; it said: " + Files.readString(output));
            } else {
                Thread.sleep(LOOK_MS);
            }
        }
        address = found;
    }

    public InetSocketAddress address() {
        return address;
    }

    /** The most that it had in memory so far, as Linux tells it. */
    public long peakMb() throws IOException {
        String line = Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(each -> each.startsWith("VmHWM:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) >> 10;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
