package io.drey.flink.state.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in another job's directory that this job's checkpoints list, as after a restore with CLAIM. */
class FilesOfOtherJobsTest {
    @TempDir
    Path base;

    private ModelJob job;
    private Path file;

    /** Each checkpoint lists the other job's file too. */
    private class Listing extends DelegatingFiles {
        @Override
        public Set<String> listed(byte[] metadata, String of) throws IOException {
            Set<String> listed = new HashSet<>(super.listed(metadata, of));
            listed.add(file.toString());
            return listed;
        }
    }

    @BeforeEach
    void aJobWithACheckpoint() throws IOException {
        Path theirs = Files.createDirectories(base.resolve("theirs/shared"));
        file = Files.writeString(theirs.resolve("drey-1-1-00000000000000aa"), "state");
        job = new ModelJob(base, new SplittableRandom(3), new ModelJob.Clock());
        job.begin();
        job.trigger();
        long id = job.pending.firstKey();
        while (job.pending.containsKey(id)) {
            job.advance(id);
        }
    }

    private List<String> doubts(JobFiles storage) throws IOException {
        return JobDirectory.read(storage, job.directory.toString(), 1 << 20).doubts();
    }

    @Test
    void aCheckpointIsDamagedIfOneIsMissing() throws IOException {
        assertThat(doubts(new Listing())).isEmpty();
        Files.delete(file);
        assertThat(doubts(new Listing()))
                .singleElement()
                .asString()
                .contains("lists 1 files that are not there, " + file + " for one");
        Files.delete(file.getParent());
        assertThat(doubts(new Listing())).hasSize(1);
    }

    @Test
    void whereNobodyMayLookNothingIsMissing() throws IOException {
        JobFiles storage = new Listing() {
            @Override
            public List<Entry> list(String directory) throws IOException {
                if (directory.equals(file.getParent().toString())) {
                    throw new IOException("not permitted");
                }
                return super.list(directory);
            }
        };
        assertThat(doubts(storage)).isEmpty();
    }
}
