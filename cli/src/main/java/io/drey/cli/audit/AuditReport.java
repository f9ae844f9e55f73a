package io.drey.cli.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.drey.bench.format.Quantity;
import io.drey.checkpoint.retention.JobDirectory.RetainedCheckpoint;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.Retention.Need;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The findings and deeds of an audit, as text and as JSON. */
public final class AuditReport {
    private static final int EXIT_CLEAN = 0;
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_FOUND = 3;

    /** Paths of one kind that the text shows. */
    private static final int PATHS_MAX = 10;

    private final boolean delete;
    private final List<JobAudit> jobs;

    AuditReport(boolean delete, List<JobAudit> jobs) {
        this.delete = delete;
        this.jobs = jobs;
    }

    /** Why a file stays or goes. */
    private static String reason(Need need) {
        return switch (need) {
            case LISTED -> "listed by another job's or an unreadable checkpoint";
            case CLAIM -> "says which other job's checkpoints list files here";
            case FOREIGN -> "its name does not say who may need it: not deleted by Drey";
            case WITH_CHECKPOINT -> "in the directory of a retained checkpoint, goes with it";
            case DOUBTFUL -> "kept, because something here cannot be read";
            case UNDER_WAY -> "maybe of a checkpoint under way: none has completed since that would tell";
            case YOUNG -> "garbage, but written lately";
            case GARBAGE -> "garbage: no checkpoint lists it, nor will one";
        };
    }

    public int exitCode() {
        if (jobs.stream()
                .anyMatch(job ->
                        !job.directory().doubts().isEmpty() || !job.failures().isEmpty())) {
            return EXIT_FAILED;
        }
        return jobs.stream().allMatch(job -> job.left(Need.GARBAGE).isEmpty()) ? EXIT_CLEAN : EXIT_FOUND;
    }

    /**
     * The text: per job its checkpoints, who lists what, and what nothing lists.
     *
     * @param deletes the command that would delete that
     */
    public List<String> lines(String deletes) {
        List<String> lines = new ArrayList<>();
        long files = 0;
        long bytes = 0;
        for (JobAudit job : jobs) {
            lines.add(job.directory().path());
            checkpoints(job, lines);
            listed(job, lines);
            unlisted(job, lines);
            job.directory().doubts().forEach(doubt -> lines.add("  NOTHING IS DELETED HERE: " + doubt + "."));
            job.failures().forEach(failure -> lines.add("  FAILED: " + failure + "."));
            lines.add("");
            List<StoredFile> garbage = delete ? List.copyOf(job.deleted()) : job.left(Need.GARBAGE);
            files += garbage.size();
            bytes += JobAudit.bytes(garbage);
        }
        String amount = Quantity.counted(files, "file", "files") + ", " + Quantity.size(bytes);
        if (delete) {
            lines.add(amount + ", deleted.");
        } else {
            lines.add(amount + " to delete" + (files == 0 ? "." : ": " + deletes));
        }
        return lines;
    }

    private static void checkpoints(JobAudit job, List<String> lines) {
        for (RetainedCheckpoint checkpoint : job.retained()) {
            List<StoredFile> files = job.files(checkpoint);
            lines.add("  " + JobAudit.name(checkpoint) + " of " + Instant.ofEpochMilli(checkpoint.completedMs()) + ": "
                    + amount(files) + ", " + Quantity.size(checkpoint.metadataBytes()) + " of meta data");
        }
        boolean isOthers = job.needs().containsValue(Need.LISTED) || job.needs().containsValue(Need.CLAIM);
        if (job.retained().isEmpty() && isOthers) {
            lines.add(
                    "  no checkpoint is retained here, but another job's checkpoints list files here: keep the directory"
                            + " until that job is gone too");
        } else if (job.retained().isEmpty()) {
            lines.add("  no checkpoint is retained here, so nothing tells what is needed: if the job is gone for good,"
                    + " delete the directory");
        }
    }

    private static void listed(JobAudit job, List<String> lines) {
        Map<String, List<StoredFile>> byCheckpoints = new TreeMap<>();
        for (StoredFile file : job.left(Need.LISTED)) {
            List<String> checkpoints = job.listedBy(file);
            String by = checkpoints.isEmpty() ? reason(Need.LISTED) : "listed by " + String.join(", ", checkpoints);
            byCheckpoints.computeIfAbsent(by, absent -> new ArrayList<>()).add(file);
        }
        byCheckpoints.forEach((by, files) -> lines.add("  " + amount(files) + " " + by));
    }

    private static void unlisted(JobAudit job, List<String> lines) {
        for (Need need : Need.values()) {
            List<StoredFile> files = need == Need.LISTED ? List.of() : job.left(need);
            if (!files.isEmpty()) {
                lines.add("  " + amount(files) + " " + reason(need));
                files.stream().limit(PATHS_MAX).forEach(file -> lines.add("    " + file.path()));
                if (files.size() > PATHS_MAX) {
                    lines.add("    and " + (files.size() - PATHS_MAX) + " more; --json shows all");
                }
            }
        }
    }

    private static String amount(List<StoredFile> files) {
        return Quantity.counted(files.size(), "file", "files") + ", " + Quantity.size(JobAudit.bytes(files));
    }

    public String json() throws JsonProcessingException {
        List<Object> all = new ArrayList<>();
        for (JobAudit job : jobs) {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("path", job.directory().path());
            tree.put("doubts", job.directory().doubts());
            tree.put("failures", job.failures());
            tree.put(
                    "checkpoints",
                    job.retained().stream().map(each -> checkpoint(job, each)).toList());
            tree.put(
                    "files",
                    job.needs().keySet().stream().map(file -> file(job, file)).toList());
            all.add(tree);
        }
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(Map.of("jobs", all));
    }

    private static Map<String, Object> checkpoint(JobAudit job, RetainedCheckpoint checkpoint) {
        List<StoredFile> files = job.files(checkpoint);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", checkpoint.id());
        tree.put("completedMs", checkpoint.completedMs());
        tree.put("files", files.size());
        tree.put("bytes", JobAudit.bytes(files));
        tree.put("metadataBytes", checkpoint.metadataBytes());
        return tree;
    }

    private static Map<String, Object> file(JobAudit job, StoredFile file) {
        Need need = job.needs().get(file);
        List<String> listedBy = job.listedBy(file);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("path", file.path());
        tree.put("bytes", file.directory() ? 0 : file.bytes());
        tree.put("modifiedMs", file.modifiedMs());
        tree.put("need", need.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        tree.put("listedBy", listedBy);
        tree.put("reason", listedBy.isEmpty() ? reason(need) : "listed by " + String.join(", ", listedBy));
        tree.put("deleted", job.deleted().contains(file));
        return tree;
    }
}
