package io.drey.bench.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Runs a command of the system within a time limit; one that fails is an exception with what it said. A thread that is
 * interrupted lets its command end and stays interrupted, so that setting up and tearing down leave nothing half done.
 */
final class Command {
    /** After which a command is killed. Making a file system on a slow disk takes the longest. */
    static final long SECONDS_MAX = 120;

    private Command() {}

    /** Runs a command to its end and returns what it wrote to standard output. */
    static String run(String... command) throws IOException {
        return run(SECONDS_MAX, command);
    }

    static String run(long secondsMax, String... command) throws IOException {
        String[] found = command.clone();
        found[0] = find(command[0]);
        Process process = new ProcessBuilder(found).start();
        process.getOutputStream().close();
        if (!ends(process, secondsMax)) {
            process.destroyForcibly();
            throw new IOException(
                    "expected '" + String.join(" ", command) + "' to end within " + secondsMax + " s, killed it");
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.exitValue() != 0) {
            String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
            throw new IOException("'" + String.join(" ", command) + "' failed with exit code " + process.exitValue()
                    + ": " + (errors.isBlank() ? output.strip() : errors.strip()));
        }
        return output;
    }

    private static boolean ends(Process process, long secondsMax) {
        boolean interrupted = false;
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
            while (true) {
                try {
                    return process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static boolean exists(String name) {
        return !find(name).equals(name);
    }

    /** The command's file on the path or where administrators' commands are; its plain name if there is none. */
    private static String find(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin:/usr/bin:/bin";
        for (String directory : path.split(":")) {
            File file = new File(directory, name);
            if (!directory.isEmpty() && file.isFile() && file.canExecute()) {
                return file.getPath();
            }
        }
        return name;
    }
}
