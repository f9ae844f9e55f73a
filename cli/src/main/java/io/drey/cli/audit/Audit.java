package io.drey.cli.audit;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.JobFiles;
import io.drey.checkpoint.retention.Retention;
import io.drey.checkpoint.retention.Retention.Need;
import io.drey.flink.state.retention.FlinkJobFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginUtils;

/** Looks into a job's directory, or into those of all jobs in a directory, and deletes their garbage if that is wanted. */
public final class Audit {
    /** Parsed they take several times as much memory. */
    private static final int METADATA_BYTES_MAX = 96 << 20;

    private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");
    private static final String FLINK_CONFIGURATION = "FLINK_CONF_DIR";
    private static final Pattern OF_A_JOB = Pattern.compile("shared|taskowned|chk-\\d+");

    private final String given;
    private final boolean delete;
    private final Duration olderThan;
    private final JobFiles storage = new FlinkJobFiles();

    /**
     * @param given a path or a URI
     * @param olderThan what was written since then is not deleted
     */
    public Audit(String given, boolean delete, Duration olderThan) {
        this.given = given;
        this.delete = delete;
        this.olderThan = olderThan;
    }

    public AuditReport run() throws IOException {
        String root = root();
        List<JobAudit> jobs = new ArrayList<>();
        for (String job : jobs(root)) {
            jobs.add(audit(job));
        }
        return new AuditReport(delete, jobs);
    }

    private String root() throws IOException {
        String stripped = given.replaceFirst("(?<=[^/:])/+$", "");
        if (URI.matcher(stripped).matches()) {
            if (!stripped.startsWith("file:")) {
                // Object stores are plugins of a Flink, whose configuration says how to reach them.
                Configuration configuration = configuration(System.getenv(FLINK_CONFIGURATION));
                FileSystem.initialize(configuration, PluginUtils.createPluginManagerFromRootFolder(configuration));
            }
            return uri(stripped);
        }
        try {
            Path path = Path.of(stripped).toAbsolutePath().normalize();
            if (!Files.isDirectory(path)) {
                throw new IOException("There is no directory " + path + ".");
            }
            return path.toString();
        } catch (InvalidPathException e) {
            throw neither(e);
        }
    }

    private String uri(String text) throws IOException {
        try {
            return new org.apache.flink.core.fs.Path(text).toString();
        } catch (IllegalArgumentException e) {
            throw neither(e);
        }
    }

    private IOException neither(Exception cause) {
        return new IOException("'" + given + "' is neither a path nor a URI.", cause);
    }

    static Configuration configuration(String directory) throws IOException {
        try {
            return directory == null ? new Configuration() : GlobalConfiguration.loadConfiguration(directory);
        } catch (RuntimeException e) {
            throw new IOException(
                    FLINK_CONFIGURATION + ": expected Flink's directory conf, found " + directory + ", which cannot be"
                            + " read: " + e.getMessage(),
                    e);
        }
    }

    private List<String> jobs(String root) throws IOException {
        if (isOfAJob(root)) {
            return List.of(root);
        }
        List<String> jobs = new ArrayList<>();
        for (JobFiles.Entry entry : storage.list(root)) {
            if (entry.directory() && isOfAJob(root + "/" + entry.name())) {
                jobs.add(root + "/" + entry.name());
            }
        }
        if (jobs.isEmpty()) {
            throw new IOException("Directory " + root
                    + " holds no checkpoints: expected chk-N and shared, or directories" + " of jobs with these.");
        }
        jobs.sort(null);
        return jobs;
    }

    private boolean isOfAJob(String directory) throws IOException {
        return storage.list(directory).stream()
                .anyMatch(entry ->
                        entry.directory() && OF_A_JOB.matcher(entry.name()).matches());
    }

    private JobAudit audit(String path) throws IOException {
        long before = System.currentTimeMillis() - olderThan.toMillis();
        JobDirectory directory = JobDirectory.read(storage, path, METADATA_BYTES_MAX);
        Retention retention = new Retention(directory, Long.MAX_VALUE, before);
        Map<StoredFile, Need> needs = new LinkedHashMap<>();
        directory.files().stream()
                // A directory after all that is in it.
                .sorted(Comparator.comparing(StoredFile::directory).thenComparing(StoredFile::path))
                .forEach(file -> needs.put(file, retention.need(file)));
        Set<StoredFile> deleted = new HashSet<>();
        List<String> failures = new ArrayList<>();
        if (delete) {
            needs.forEach((file, need) -> {
                if (need == Need.GARBAGE) {
                    try {
                        storage.delete(path + "/" + file.path());
                        deleted.add(file);
                    } catch (IOException e) {
                        failures.add(path + "/" + file.path() + " could not be deleted: " + e.getMessage());
                    }
                }
            });
        }
        return JobAudit.of(directory, needs, deleted, failures);
    }
}
