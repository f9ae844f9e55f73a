package io.drey.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.JobFiles;
import io.drey.checkpoint.retention.Retention;
import io.drey.checkpoint.retention.Retention.Need;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What is said of a job's directory: who lists what, and what to do where there is no checkpoint. */
class AuditReportTest {
    /** Nothing is anywhere. */
    private static final class NoFiles implements JobFiles {
        @Override
        public List<Entry> list(String directory) {
            return List.of();
        }

        @Override
        public byte[] read(String file, int bytesMax) {
            return null;
        }

        @Override
        public Set<String> listed(byte[] metadata, String file) {
            return Set.of();
        }

        @Override
        public void delete(String path) {
            throw new AssertionError("expected nothing to be deleted, found " + path);
        }
    }

    private static String report(Need need) throws IOException {
        StoredFile file = new StoredFile("shared", "drey-1-1-00000000000000aa", false, 1, 1);
        JobDirectory directory = JobDirectory.read(new NoFiles(), "/checkpoints/job", 1 << 20);
        JobAudit audit = JobAudit.of(directory, Map.of(file, need), Set.of(), List.of());
        return String.join("\n", new AuditReport(false, List.of(audit)).lines("drey"));
    }

    /** A job's directory with some files, and checkpoints that list some of them each. */
    private record JobWithCheckpoints(int files, Map<Integer, List<Integer>> listed) implements JobFiles {
        private static String name(int file) {
            return "drey-1-" + file + "-00000000000000aa";
        }

        @Override
        public List<Entry> list(String directory) {
            if (directory.equals("/job")) {
                return listed.keySet().stream()
                        .map(id -> new Entry("chk-" + id, true, 0, id))
                        .toList();
            }
            return directory.equals("/job/shared")
                    ? IntStream.range(0, files)
                            .mapToObj(file -> new Entry(name(file), false, 10, 1))
                            .toList()
                    : directory.startsWith("/job/chk-") ? List.of(new Entry("_metadata", false, 1, 5)) : List.of();
        }

        @Override
        public byte[] read(String file, int bytesMax) {
            return new byte[1];
        }

        @Override
        public Set<String> listed(byte[] metadata, String file) {
            int id = Integer.parseInt(file.replaceAll("\\D", ""));
            return listed.get(id).stream()
                    .map(each -> "/job/shared/" + name(each))
                    .collect(Collectors.toSet());
        }

        @Override
        public void delete(String path) {
            throw new AssertionError("expected nothing to be deleted, found " + path);
        }
    }

    private static AuditReport report(JobFiles storage) throws IOException {
        JobDirectory directory = JobDirectory.read(storage, "/job", 1 << 20);
        Retention retention = new Retention(directory, Long.MAX_VALUE, Long.MAX_VALUE);
        Map<StoredFile, Need> needs = new LinkedHashMap<>();
        directory.files().forEach(file -> needs.put(file, retention.need(file)));
        return new AuditReport(false, List.of(JobAudit.of(directory, needs, Set.of(), List.of())));
    }

    @Test
    void whoListsAFileIsSaidInAFewWords() throws IOException {
        AuditReport report = report(new JobWithCheckpoints(
                5,
                Map.of(
                        2, List.of(0, 1),
                        9, List.of(0, 1, 2),
                        10, List.of(0, 1, 3),
                        30, List.of(0, 3),
                        31, List.of(1, 3))));
        assertThat(report.lines("drey"))
                .contains(
                        "  1 file, 10.0 B listed by chk-2 to chk-30",
                        "  1 file, 10.0 B listed by chk-2 to chk-10, chk-31",
                        "  1 file, 10.0 B listed by chk-9",
                        "  1 file, 10.0 B listed by chk-10 to chk-31",
                        "1 file, 10.0 B to delete: drey");
        assertThat(report.lines("drey").get(2)).matches("  chk-9 of .*: 3 files, 30.0 B, 1.00 B of meta data");
        StringWriter out = new StringWriter();
        report.json(out);
        JsonNode job = new ObjectMapper().readTree(out.toString()).at("/jobs/0");
        assertThat(job.at("/checkpoints")).hasSize(5);
        assertThat(job.at("/files")).hasSize(5);
        JsonNode second = StreamSupport.stream(job.at("/files").spliterator(), false)
                .filter(file -> file.at("/path").asText().contains("-1-1-"))
                .findFirst()
                .orElseThrow();
        assertThat(second.at("/listedBy").toString()).isEqualTo("[\"chk-2\",\"chk-9\",\"chk-10\",\"chk-31\"]");
        assertThat(second.at("/need").asText()).isEqualTo("listed");
    }

    @Test
    void aDirectoryThatAnotherJobNeedsIsToBeKept() throws IOException {
        assertThat(report(Need.LISTED)).contains("keep the directory").doesNotContain("delete the directory");
        assertThat(report(Need.CLAIM)).contains("keep the directory").doesNotContain("delete the directory");
        assertThat(report(Need.UNDER_WAY)).contains("if the job is gone for good, delete the directory");
    }
}
