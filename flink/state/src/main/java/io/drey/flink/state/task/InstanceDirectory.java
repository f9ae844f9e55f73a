package io.drey.flink.state.task;

import io.drey.files.LocalDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobID;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local directory of one backend, deleted when the last of its users is done: the backend, and each snapshot that
 * still reads files while the backend is gone already. Thread safe.
 */
public final class InstanceDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceDirectory.class);

    private final LocalDirectory directory;
    private final AtomicInteger users = new AtomicInteger();

    private InstanceDirectory(LocalDirectory directory) {
        this.directory = directory;
    }

    /** Makes a new directory in that one of the given directories that has the most free space. */
    public static InstanceDirectory create(List<File> bases, JobID job, String operator, boolean direct)
            throws IOException {
        String name =
                "drey_job_" + job + "_op_" + operator.replaceAll("[^a-zA-Z0-9\\-]", "_") + "_uuid_" + UUID.randomUUID();
        Path path = roomiest(bases).toPath().resolve(name);
        return new InstanceDirectory(direct ? direct(path) : LocalDirectory.at(path));
    }

    private static LocalDirectory direct(Path path) throws IOException {
        try {
            return LocalDirectory.direct(path);
        } catch (IOException e) {
            FileUtils.deleteDirectoryQuietly(path.toFile());
            throw new IOException(
                    "state.backend.drey.io.direct cannot be true here: " + e.getMessage()
                            + ": set state.backend.drey.local-dir to such a directory, or state.backend.drey.io.direct"
                            + " to false",
                    e);
        }
    }

    private static File roomiest(List<File> bases) throws IOException {
        File best = null;
        List<String> failures = new ArrayList<>();
        for (File base : bases) {
            try {
                Files.createDirectories(base.toPath());
            } catch (IOException e) {
                failures.add(base + " (" + e + ")");
                continue;
            }
            if (best == null || base.getUsableSpace() > best.getUsableSpace()) {
                best = base;
            }
        }
        if (best == null) {
            throw new IOException("expected a local directory that exists or can be created, found none of "
                    + String.join(", ", failures) + " usable: set state.backend.drey.local-dir");
        }
        return best;
    }

    public LocalDirectory files() {
        return directory;
    }

    public Path path() {
        return directory.path();
    }

    /** Becomes a user; closing what is returned ends that. */
    public Lease use() {
        users.incrementAndGet();
        return new Lease();
    }

    private void release() {
        if (users.decrementAndGet() == 0) {
            try {
                FileUtils.deleteDirectory(directory.path().toFile());
            } catch (IOException e) {
                LOG.warn("Could not delete the local directory {}: delete it by hand", directory.path(), e);
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
