package io.drey.bench.disk;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Steps that are all tried, whatever the ones before did; what failed is thrown at the end. */
final class TearDown {
    private static final int UNMOUNT_TRIES_MAX = 25;
    private static final long UNMOUNT_PAUSE_MS = 200;

    private IOException failure;

    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    void step(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            if (failure == null) {
                failure = new IOException("a step of taking down a rationed disk failed: " + e.getMessage(), e);
            } else {
                failure.addSuppressed(e);
            }
        }
    }

    void end() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Unmounts; waits a few seconds for who still uses it, and then leaves the rest to the kernel. */
    static void unmount(Path mountPoint) throws IOException {
        boolean interrupted = false;
        try {
            for (int i = 0; i < UNMOUNT_TRIES_MAX; i++) {
                try {
                    Command.run("umount", mountPoint.toString());
                    return;
                } catch (IOException busy) {
                    try {
                        Thread.sleep(UNMOUNT_PAUSE_MS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                        break;
                    }
                }
            }
            Command.run("umount", "--lazy", mountPoint.toString());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Where a device is mounted; usually one place or none. */
    static List<Path> mountPoints(String device) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
            String[] fields = line.split(" ");
            if (fields[0].equals(device)) {
                found.add(Path.of(
                        fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")));
            }
        }
        return found;
    }

    /** Deletes a mount point; a directory that something is in is left alone. */
    static void deleteIfEmpty(Path directory) throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            throw new IOException("expected " + directory + " to be empty after unmounting, left it as it is", e);
        }
    }
}
