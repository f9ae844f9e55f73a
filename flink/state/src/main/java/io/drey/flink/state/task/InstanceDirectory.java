package io.drey.flink.state.task;

import io.drey.files.Directory;
import io.drey.files.disks.DirectoryStats;
import io.drey.files.disks.DiskSet;
import io.drey.files.local.DirectoryLock;
import io.drey.files.local.LocalDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local directory of one backend, or several on disks of their own, deleted when the last of its users is done: the
 * backend, and each snapshot that still reads files while the backend is gone already. Thread safe.
 */
public final class InstanceDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceDirectory.class);

    private static final DirectoryLock.Listener LEFT = new DirectoryLock.Listener() {
        @Override
        public void deleted(Path directory) {
            LOG.info("Deleted {}, which a process that was killed, or a backend before, has left.", directory);
        }

        @Override
        public void stays(Path directory, Exception why) {
            // Each task that starts meets all of them.
            OnceAMinute.warn(
                    LOG,
                    "Could not look for or delete what killed processes or backends before left in " + directory + ": "
                            + why + ": the next backend there tries again",
                    null);
        }
    };

    /** Begins of the names of local directories. */
    private static final String PREFIX = "drey_job_";

    /** Space that a directory should have left to be given a new file. */
    private static final long SPACE_BYTES_MIN = 256L << 20;

    private final List<LocalDirectory> parts;
    private final List<Directory> opened;
    private final Usable usable;
    private final DiskSet files;
    private final AtomicInteger users = new AtomicInteger();

    /** The directories made in the given ones, by the places of those, and the given ones that failed, with reasons. */
    private record Usable(SortedMap<Integer, LocalDirectory> parts, List<DirectoryLock> locks, List<String> failures) {
        void check(boolean required) throws IOException {
            if (parts.isEmpty() || (required && !failures.isEmpty())) {
                throw new IOException("expected " + (required ? "all directories" : "a directory")
                        + " of state.backend.drey.local-dir to be usable, found that these are not: "
                        + String.join(", ", failures) + ": make or mount them so that the user "
                        + System.getProperty("user.name")
                        + " may write there, within ulimit -n, or set state.backend.drey.local-dir"
                        + (required ? ", or state.backend.drey.local-dir-required to false" : ""));
            }
        }
    }

    /**
     * The way to the files of local directories.
     *
     * @param opening what to write into and read from, given a local directory
     * @param clock nanoseconds
     */
    public record Disks(Function<LocalDirectory, Directory> opening, LongSupplier clock) {
        /** At once, by the clock of the system. */
        public static final Disks REAL = new Disks(directory -> directory, System::nanoTime);
    }

    private InstanceDirectory(List<LocalDirectory> parts, Usable usable, Disks disks) {
        this.parts = parts;
        this.usable = usable;
        this.opened = parts.stream().map(disks.opening()).toList();
        this.files = new DiskSet(opened, SPACE_BYTES_MIN, disks.clock());
    }

    /**
     * Makes a new directory in each of the given ones that can be used.
     *
     * @param required throws unless all of them can be
     */
    public static InstanceDirectory create(
            List<File> bases, boolean required, JobID job, String operator, boolean direct, Disks disks)
            throws IOException {
        Usable usable = usable(
                bases,
                PREFIX + job + "_op_" + operator.replaceAll("[^a-zA-Z0-9\\-]", "_") + "_uuid_" + UUID.randomUUID());
        List<LocalDirectory> parts = new ArrayList<>();
        boolean made = false;
        try {
            usable.check(required);
            for (LocalDirectory part : usable.parts().values()) {
                parts.add(direct ? direct(part.path()) : part);
            }
            made = true;
        } finally {
            if (!made) {
                delete(usable);
            }
        }
        return new InstanceDirectory(parts, usable, disks);
    }

    private static Usable usable(List<File> bases, String name) {
        Usable found = new Usable(new TreeMap<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < bases.size(); i++) {
            Path base = bases.get(i).toPath();
            DirectoryLock.deleteAbandoned(base, PREFIX, LEFT);
            try {
                found.locks().add(DirectoryLock.take(base.resolve(name)));
                found.parts().put(i, LocalDirectory.at(base.resolve(name)));
            } catch (IOException e) {
                found.failures().add(base + " (" + e + ")");
            }
        }
        return found;
    }

    private static LocalDirectory direct(Path path) throws IOException {
        try {
            return LocalDirectory.direct(path);
        } catch (IOException e) {
            throw new IOException(
                    "state.backend.drey.io.direct cannot be true here: " + e.getMessage()
                            + ": set state.backend.drey.local-dir to such a directory, or state.backend.drey.io.direct"
                            + " to false",
                    e);
        }
    }

    /** The directories that were given and are not used, each with the reason. */
    public List<String> unusable() {
        return List.copyOf(usable.failures());
    }

    /** The places of the local directories among those that were given, from 0 on. */
    public List<Integer> places() {
        return List.copyOf(usable.parts().keySet());
    }

    /** All files of the backend. */
    public DiskSet files() {
        return files;
    }

    /** The local directories, in the order of the option. */
    public List<LocalDirectory> parts() {
        return List.copyOf(parts);
    }

    /** How the local directories do, in the order of the option. */
    public List<DirectoryStats> stats() {
        return files.stats();
    }

    /** Where a file is, or where one of that name should be made. */
    public Path path(String name) throws IOException {
        return parts.get(opened.indexOf(files.home(name))).path(name);
    }

    /** Where it lies, for messages. */
    public String describe() {
        return files.describe();
    }

    /** Becomes a user; closing what is returned ends that. */
    public Lease use() {
        users.incrementAndGet();
        return new Lease();
    }

    private void release() {
        if (users.decrementAndGet() == 0) {
            delete(usable);
        }
    }

    private static void delete(Usable usable) {
        boolean deleted = true;
        for (LocalDirectory part : usable.parts().values()) {
            try {
                FileUtils.deleteDirectory(part.path().toFile());
            } catch (IOException e) {
                deleted = false;
                LOG.warn("Could not delete the local directory {}: the next backend there tries again", part.path(), e);
            }
        }
        for (DirectoryLock lock : usable.locks()) {
            try {
                if (deleted) {
                    lock.close();
                } else {
                    lock.abandon();
                }
            } catch (IOException e) {
                LOG.warn("Could not give up the lock of a local directory", e);
            }
        }
    }

    /** The right to the directory. Closing it twice is fine. */
    public final class Lease implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();

        private Lease() {}

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                release();
            }
        }
    }
}
