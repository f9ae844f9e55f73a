package io.drey.flink.state.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.Retention;
import io.drey.checkpoint.retention.Retention.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage of a checkpoint's meta data: nothing that it lists when it is whole is ever garbage. */
class DamagedMetadataTest {
    @TempDir
    Path base;

    private Set<String> garbage(ModelJob job) throws IOException {
        JobDirectory found = JobDirectory.read(
                new FlinkJobFiles(), job.directory.toString(), 1 << 20, System::nanoTime, new CountDownLatch(0));
        Retention retention = new Retention(found, Long.MAX_VALUE, Long.MAX_VALUE);
        Set<String> garbage = new HashSet<>();
        for (StoredFile file : found.files()) {
            if (retention.need(file) == Need.GARBAGE) {
                garbage.add(job.directory + "/" + file.path());
            }
        }
        return garbage;
    }

    private ModelJob job() throws IOException {
        ModelJob job = new ModelJob(base, new SplittableRandom(3), new ModelJob.Clock());
        job.begin();
        for (int i = 0; i < 4; i++) {
            job.subtasks.forEach(ModelSubtask::change);
            job.trigger();
            long id = job.pending.firstKey();
            while (job.pending.containsKey(id)) {
                job.advance(id);
            }
        }
        job.write("shared", "drey-1-9-00000000000000aa");
        job.trigger();
        long id = job.pending.firstKey();
        while (job.pending.containsKey(id)) {
            job.advance(id);
        }
        return job;
    }

    /** The oldest retained: what it lists alone is in nobody else's list. */
    private static Path victim(ModelJob job) {
        return job.retained.firstEntry().getValue().directory().resolve("_metadata");
    }

    private static void write(Path metadata, byte[] bytes) throws IOException {
        FileTime time = Files.getLastModifiedTime(metadata);
        Files.write(metadata, bytes);
        Files.setLastModifiedTime(metadata, time);
    }

    @Test
    void aFlippedBitDeletesNothingThatIsListed() throws IOException {
        ModelJob job = job();
        Set<String> listed = new HashSet<>();
        job.kept().forEach(kept -> listed.addAll(kept.listed()));
        assertThat(garbage(job)).isNotEmpty().doesNotContainAnyElementsOf(listed);
        Path metadata = victim(job);
        byte[] whole = Files.readAllBytes(metadata);
        SplittableRandom random = new SplittableRandom(5);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            write(metadata, damaged);
            assertThat(garbage(job)).as("with a flipped bit at %s", at).doesNotContainAnyElementsOf(listed);
        }
    }

    @Test
    void aTruncatedOneDeletesNothingAtAll() throws IOException {
        ModelJob job = job();
        Path metadata = victim(job);
        byte[] whole = Files.readAllBytes(metadata);
        for (int length = 0; length < whole.length; length++) {
            write(metadata, Arrays.copyOf(whole, length));
            assertThat(garbage(job))
                    .as("with %s of %s bytes", length, whole.length)
                    .isEmpty();
        }
    }
}
