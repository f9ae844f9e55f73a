package io.drey.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.JobFiles;
import io.drey.checkpoint.retention.Retention.Need;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is advised of a directory without a checkpoint. */
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
        JobAudit audit = new JobAudit(directory, Map.of(file, need), Set.of(), List.of());
        return String.join("\n", new AuditReport(false, List.of(audit)).lines("drey"));
    }

    @Test
    void aDirectoryThatAnotherJobNeedsIsToBeKept() throws IOException {
        assertThat(report(Need.LISTED)).contains("keep the directory").doesNotContain("delete the directory");
        assertThat(report(Need.CLAIM)).contains("keep the directory").doesNotContain("delete the directory");
        assertThat(report(Need.UNDER_WAY)).contains("if the job is gone for good, delete the directory");
    }
}
