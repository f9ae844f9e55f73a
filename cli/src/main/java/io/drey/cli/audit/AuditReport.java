package io.drey.cli.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.bench.format.Quantity;
import io.drey.checkpoint.retention.JobDirectory.RetainedCheckpoint;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.Retention.Need;
import io.drey.cli.audit.JobAudit.Amount;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
            case LISTED -> "listed by another job's checkpoint, or one that is unreadable or went meanwhile";
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
            bytes += Amount.of(garbage).bytes();
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
        List<Amount> amounts = job.amounts();
        for (int i = 0; i < amounts.size(); i++) {
            RetainedCheckpoint checkpoint = job.retained().get(i);
            lines.add("  " + JobAudit.name(checkpoint) + " of " + Instant.ofEpochMilli(checkpoint.completedMs()) + ": "
                    + text(amounts.get(i)) + ", " + Quantity.size(checkpoint.metadataBytes()) + " of meta data");
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
        Map<BitSet, List<StoredFile>> byCheckpoints = new HashMap<>();
        for (StoredFile file : job.left(Need.LISTED)) {
            byCheckpoints
                    .computeIfAbsent(job.listers(file), absent -> new ArrayList<>())
                    .add(file);
        }
        byCheckpoints.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(AuditReport::compare))
                .forEach(each -> {
                    String reason = reason(job, each.getKey(), Need.LISTED);
                    lines.add("  " + amount(each.getValue()) + " " + reason);
                });
    }

    /** By the first checkpoint, then by the last; none is last. */
    private static int compare(BitSet one, BitSet other) {
        int first = Integer.compareUnsigned(one.nextSetBit(0), other.nextSetBit(0));
        return first == 0 ? Integer.compare(one.length(), other.length()) : first;
    }

    private static String reason(JobAudit job, BitSet listers, Need need) {
        return listers.isEmpty() ? reason(need) : "listed by " + job.text(listers);
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
        return text(Amount.of(files));
    }

    private static String text(Amount amount) {
        return Quantity.counted(amount.files(), "file", "files") + ", " + Quantity.size(amount.bytes());
    }

    /** File by file: there may be a hundred thousand, each listed by a thousand checkpoints. */
    public void json(Writer out) throws IOException {
        // Whether a writer flushes or ends with it is its owner's business.
        JsonFactory factory = JsonFactory.builder()
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
                .build();
        ObjectMapper mapper = new ObjectMapper(factory);
        try (JsonGenerator json = mapper.createGenerator(out).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeArrayFieldStart("jobs");
            for (JobAudit job : jobs) {
                json.writeStartObject();
                json.writeStringField("path", job.directory().path());
                json.writePOJOField("doubts", job.directory().doubts());
                json.writePOJOField("failures", job.failures());
                json.writeArrayFieldStart("checkpoints");
                List<Amount> amounts = job.amounts();
                for (int i = 0; i < amounts.size(); i++) {
                    json.writePOJO(checkpoint(job.retained().get(i), amounts.get(i)));
                }
                json.writeEndArray();
                json.writeArrayFieldStart("files");
                for (StoredFile file : job.needs().keySet()) {
                    json.writePOJO(file(job, file));
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private static Map<String, Object> checkpoint(RetainedCheckpoint checkpoint, Amount amount) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", checkpoint.id());
        tree.put("completedMs", checkpoint.completedMs());
        tree.put("files", amount.files());
        tree.put("bytes", amount.bytes());
        tree.put("metadataBytes", checkpoint.metadataBytes());
        return tree;
    }

    private static Map<String, Object> file(JobAudit job, StoredFile file) {
        Need need = job.needs().get(file);
        BitSet listers = job.listers(file);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("path", file.path());
        tree.put("bytes", file.directory() ? 0 : file.bytes());
        tree.put("modifiedMs", file.modifiedMs());
        tree.put("need", need.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        tree.put("listedBy", job.names(listers));
        tree.put("reason", reason(job, listers, need));
        tree.put("deleted", job.deleted().contains(file));
        return tree;
    }
}
