package io.drey.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, with all it prints in a file. Killed when closed, and with this JVM, also on Ctrl-C. */
final class JavaProcess implements AutoCloseable {

    private static final Duration END_OF_KILLED = Duration.ofSeconds(10);

    private static final int TAIL_LINES = 40;

    private final String name;
    private final Path log;
    private final Process process;
    private final Thread killer;

    private JavaProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.killer = new Thread(process::destroyForcibly, "kill " + name);
        Runtime.getRuntime().addShutdownHook(killer);
    }

    /**
     * Starts one.
     *
     * @param name of the process, and of its log
     * @param directory where it runs and logs
     * @param environment added to this process's own
     * @param arguments of java: options, class, arguments
     */
    static JavaProcess start(String name, Path directory, Map<String, String> environment, List<String> arguments)
            throws IOException {
        Path log = directory.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder();
        builder.command()
                .add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.command().addAll(arguments);
        builder.environment().putAll(environment);
        builder.directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        return new JavaProcess(name, log, builder.start());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Fails, with the end of the log, if the process is no longer there. */
    void mustBeAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(name + " ended with exit code " + process.exitValue() + ". " + tail());
        }
    }

    /** The exit code, once the process has ended by itself. */
    int exitCode() {
        return process.exitValue();
    }

    /** kill -9: no shutdown hook, no flush, nothing. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(END_OF_KILLED.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(name + " is still there " + END_OF_KILLED.toSeconds() + " s after kill -9");
        }
    }

    String output() throws IOException {
        return Files.readString(log);
    }

    /** The end of what it printed, for an error message. */
    String tail() throws IOException {
        List<String> lines = output().lines().toList();
        return "The last lines of " + log + ":\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException e) {
            // The signal is sent; only the wait for its effect is cut short.
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }
}
