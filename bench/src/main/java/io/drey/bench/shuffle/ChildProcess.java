package io.drey.bench.shuffle;

import io.drey.bench.cell.ChildCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process with this one's Java and class path and a main class of its own; its log and output are files. */
public final class ChildProcess implements AutoCloseable {
    static final String HOST = "127.0.0.1";

    private static final long START_MS_MAX = 60_000;
    private static final long END_MS_MAX = 30_000;
    private static final long LOOK_MS = 50;
    private static final int WORDS_MAX = 300;

    private final String name;
    private final Path output;
    private final Process process;

    private ChildProcess(String name, Path output, Process process) {
        this.name = name;
        this.output = output;
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param name of its log, {@code NAME.log}, and of its output, {@code NAME.out}
     * @param options of its virtual machine
     * @param main main class
     */
    static ChildProcess start(String name, Path folder, List<String> options, String main, List<String> arguments)
            throws IOException {
        List<String> words = new ArrayList<>(ChildCommand.java(options, folder.resolve(name + ".log")));
        words.add(OrphanGuard.class.getName());
        words.add(main);
        words.addAll(arguments);
        Path output = folder.resolve(name + ".out");
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().keySet().removeIf(key -> key.startsWith("FLINK_"));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        return new ChildProcess(name, output, process);
    }

    /** A port that was free a moment ago. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return socket.getLocalPort();
        }
    }

    /** A condition that a process will meet. */
    @FunctionalInterface
    interface Condition {
        boolean isMet() throws IOException, InterruptedException;
    }

    /**
     * Waits until something holds.
     *
     * @param what for the message if it never does
     * @throws IOException if the process ends, or a minute passes
     */
    void await(String what, Condition condition) throws IOException, InterruptedException {
        long limit = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MS_MAX);
        while (!condition.isMet()) {
            if (!process.isAlive()) {
                throw new IOException("Process " + name + " ended with status " + process.exitValue() + " before "
                        + what + lastWords());
            }
            if (System.nanoTime() > limit) {
                throw new IOException("Waited " + START_MS_MAX / 1000 + " s for " + what + " of process " + name
                        + ", without success" + lastWords());
            }
            Thread.sleep(LOOK_MS);
        }
    }

    /** Waits until somebody listens at a port of this machine. */
    void awaitPort(int port) throws IOException, InterruptedException {
        await("it listened at port " + port, () -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(HOST, port));
                return true;
            } catch (IOException e) {
                // Not yet: that is what is waited for.
                return false;
            }
        });
    }

    private String lastWords() throws IOException {
        String said =
                Files.exists(output) ? new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip() : "";
        String last = said.substring(Math.max(0, said.length() - WORDS_MAX));
        return "; see " + output + " and the log beside it" + (last.isEmpty() ? "." : ". It said last: " + last);
    }

    long pid() {
        return process.pid();
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to end, as an operator does, and waits until it has. */
    public void stop() throws IOException {
        process.destroy();
        awaitEnd();
    }

    /** Ends it at once, as {@code kill -9} does, and waits until it is gone. */
    public void kill() throws IOException {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Waits until it has ended, also in a thread that is interrupted: what it wrote is deleted next. */
    public void awaitEnd() throws IOException {
        process.onExit()
                .completeOnTimeout(process, END_MS_MAX, TimeUnit.MILLISECONDS)
                .join();
        if (process.isAlive()) {
            throw new IOException(
                    "Process " + name + ", " + process.pid() + ", did not end within " + END_MS_MAX / 1000 + " s.");
        }
    }

    @Override
    public void close() throws IOException {
        kill();
    }
}
