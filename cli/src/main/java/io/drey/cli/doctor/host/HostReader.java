package io.drey.cli.doctor.host;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.drey.cli.doctor.host.HostFacts.DirectoryFacts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads what the machine and the container allow, and measures directories. */
public final class HostReader {
    /** A limit of a container from which on it is none: cgroup v1 writes a huge number for none. */
    private static final long NO_LIMIT = 1L << 60;

    private final Path groups;

    /** Reads the limits of containers below a directory, which is {@code /sys/fs/cgroup} but in tests. */
    public HostReader(Path groups) {
        this.groups = groups;
    }

    public static HostReader ofThisMachine() {
        return new HostReader(Path.of("/sys/fs/cgroup"));
    }

    public HostFacts read(List<Path> directories) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long limit = memoryLimit();
        List<DirectoryFacts> measured = new ArrayList<>();
        for (Path directory : directories) {
            measured.add(DirectoryProbe.measure(directory));
        }
        return new HostFacts(
                cores(),
                Math.min(limit, system.getTotalMemorySize()),
                // Java says the limit itself of the machine where there is one.
                limit <= system.getTotalMemorySize(),
                container(limit),
                system instanceof UnixOperatingSystemMXBean unix ? unix.getMaxFileDescriptorCount() : -1,
                Runtime.version().feature(),
                measured);
    }

    private String container(long limit) {
        boolean isNewer = Files.exists(groups.resolve("cgroup.controllers"));
        boolean hasLimit = limit < NO_LIMIT || quota() > 0;
        return hasLimit ? "limits of " + (isNewer ? "cgroup v2" : "cgroup v1") : "no container limit";
    }

    /** Bytes that the container may use, a huge number if there is no limit. */
    long memoryLimit() {
        Path newer = groups.resolve("memory.max");
        long limit = number(Files.exists(newer) ? newer : groups.resolve("memory/memory.limit_in_bytes"));
        return limit < 0 || limit >= NO_LIMIT ? Long.MAX_VALUE : limit;
    }

    /** Cores that may be used: those of the machine, or what the container's quota comes to. */
    double cores() {
        double quota = quota();
        int all = Runtime.getRuntime().availableProcessors();
        return quota > 0 ? Math.min(all, quota) : all;
    }

    private double quota() {
        String newer = text(groups.resolve("cpu.max"));
        if (newer != null) {
            String[] parts = newer.split(" ");
            return parts.length < 2 || parts[0].equals("max")
                    ? 0
                    : Double.parseDouble(parts[0]) / Double.parseDouble(parts[1]);
        }
        long quota = number(groups.resolve("cpu/cpu.cfs_quota_us"));
        long period = number(groups.resolve("cpu/cpu.cfs_period_us"));
        return quota > 0 && period > 0 ? (double) quota / period : 0;
    }

    private static long number(Path file) {
        String text = text(file);
        return text == null || !text.matches("\\d{1,19}")
                ? -1
                : Double.valueOf(text).longValue();
    }

    /** The one line of a file, or null where there is none. */
    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file).strip() : null;
        } catch (IOException e) {
            return null;
        }
    }
}
