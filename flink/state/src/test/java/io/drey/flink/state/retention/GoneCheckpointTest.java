package io.drey.flink.state.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.retention.JobDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that a job drops while its directory is read. */
class GoneCheckpointTest {
    @TempDir
    Path base;

    /** The meta data of the first checkpoint go when they have been read, and are not yet understood. */
    private static final class DroppingStorage extends DelegatingFiles {
        private int dropped;

        @Override
        public Set<String> listed(byte[] metadata, String file) throws IOException {
            if (dropped++ == 0) {
                Files.delete(Path.of(file));
            }
            return super.listed(metadata, file);
        }
    }

    @Test
    void aCheckpointThatGoesWhileItIsReadIsNoReasonForDoubt() throws IOException {
        ModelJob job = new ModelJob(base, new SplittableRandom(3), new ModelJob.Clock());
        job.begin();
        while (job.retained.size() < 2) {
            job.subtasks.forEach(ModelSubtask::change);
            job.trigger();
            long id = job.pending.firstKey();
            while (job.pending.containsKey(id)) {
                job.advance(id);
            }
        }

        JobDirectory found = JobDirectory.read(new DroppingStorage(), job.directory.toString(), 1 << 20);

        assertThat(found.doubts()).isEmpty();
        assertThat(found.retained()).hasSize(job.retained.size() - 1);
    }
}
