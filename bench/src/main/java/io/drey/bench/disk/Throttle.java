package io.drey.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The limits of one block device in the kernel's block-I/O controller (cgroup version 1), in the group of this process,
 * which the processes that it starts share.
 */
final class Throttle {
    /** A limit; the kernel's names of its files. */
    enum Kind {
        READ_IOPS,
        WRITE_IOPS,
        READ_BPS,
        WRITE_BPS;

        String fileName() {
            return "blkio.throttle." + name().toLowerCase(Locale.ROOT) + "_device";
        }
    }

    /** For {@link #set}: no limit. */
    static final long NONE = 0;

    private static final Path CONTROLLER = Path.of("/sys/fs/cgroup/blkio");

    private final Path group;
    private final String device;
    private final long[] limits = new long[Kind.values().length];

    /** Limits of the device with that number, such as {@code 7:0}, all of them off. */
    Throttle(String device) throws IOException {
        this.group = group();
        this.device = device;
    }

    /** Why there are no limits to set here, or nothing. */
    static String whyNot() {
        try {
            Path group = group();
            for (Kind kind : Kind.values()) {
                Path file = group.resolve(kind.fileName());
                if (!Files.isWritable(file)) {
                    return "expected a writable " + file
                            + " of the block-I/O controller (cgroup version 1), found none";
                }
            }
            return "";
        } catch (IOException e) {
            return "the control group of this process cannot be read: " + e.getMessage();
        }
    }

    /** Where this process' group is; within a container that sees only its own part, the part's root. */
    private static Path group() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && List.of(parts[1].split(",")).contains("blkio")) {
                Path own = CONTROLLER.resolve(parts[2].substring(1));
                return Files.isDirectory(own) ? own : CONTROLLER;
            }
        }
        return CONTROLLER;
    }

    /** Sets a limit in units a second, or {@link #NONE}; does nothing if it is set already. */
    void set(Kind kind, long limit) throws IOException {
        if (limits[kind.ordinal()] != limit) {
            Path file = group.resolve(kind.fileName());
            try {
                Files.writeString(file, device + " " + limit);
            } catch (IOException e) {
                throw new IOException(
                        "expected to set the limit '" + device + " " + limit + "' in " + file + ": " + e.getMessage(),
                        e);
            }
            limits[kind.ordinal()] = limit;
        }
    }

    /** Takes all limits away, also those that another process left. */
    void clear() throws IOException {
        for (Kind kind : Kind.values()) {
            limits[kind.ordinal()] = -1;
            set(kind, NONE);
        }
    }
}
