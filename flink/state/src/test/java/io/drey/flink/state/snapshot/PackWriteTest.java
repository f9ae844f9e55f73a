package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.upload.SecondAttempts;
import io.drey.checkpoint.upload.Writes;
import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.checkpoint.upload.Writes.Write;
import io.drey.flink.state.pack.PackUpload;
import io.drey.flink.state.pack.Packs;
import io.drey.flink.state.simulation.SimulatedTime;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackWriteTest {
    private static final long MS = 1_000_000;
    private static final int BYTES = 60;

    /** More than are needed to know what is usual. */
    private static final int WRITES = 20;

    @TempDir
    java.nio.file.Path storage;

    private final JobID job = new JobID();
    private final Packs packs = new Packs();
    private final SharedFiles sharedFiles = SharedFiles.restored(Map.of(), Runnable::run);
    private final SecondAttempts second = new SecondAttempts();
    private long now = 1;
    private final SimulatedTime time = new SimulatedTime(() -> now += MS);

    private record Empty(String name, long bytes) implements Packs.Section {
        @Override
        public void copyTo(CheckpointStateOutputStream out, Attempt attempt) {}
    }

    /** A write of which nothing moves before it ends. */
    private final class Slow implements Write<String> {
        private final long nanos;

        Slow(long nanos) {
            this.nanos = nanos;
        }

        @Override
        public long bytes() {
            return 2 * BYTES;
        }

        @Override
        public String run(Attempt attempt) {
            now += nanos;
            return "written";
        }
    }

    private PackUpload join(Object store, String name) {
        Packs.Key key = new Packs.Key(job, new Path(storage.toUri()), 1);
        return packs.join(key, store, List.of(new Empty(name, BYTES)), true, time);
    }

    /** How long another store waits for a pack that is written, and does not end. */
    private long waitedFor() throws Exception {
        Object one = new Object();
        Object two = new Object();
        for (Object store : List.of(one, two)) {
            packs.comes(new Packs.Task(job, ExecutionAttemptID.randomId()), store);
            packs.went(store);
        }
        PackUpload first = join(one, "a");
        PackUpload other = join(two, "b");
        new PackWrite(first.closed().get(0), sharedFiles.trash(), time, second).run(bytes -> {});
        assertThat(other.closed()).isEmpty();
        long begin = now;
        assertThat(other.next()).isEmpty();
        assertThat(other.unpacked()).containsExactly("b");
        return now - begin;
    }

    /** A client of S3 sends it when it is closed, and says nothing before it is there. */
    @Test
    void othersWaitForAPackWhichStandsStillForAsLongAsIsUsual() throws Exception {
        assertThat(waitedFor()).isBetween(1_900 * MS, 2_100 * MS);
        for (int i = 0; i < WRITES; i++) {
            new Writes<>(List.of(new Slow(5_000 * MS)), 1, Runnable::run, second, time, result -> {}).run();
        }
        assertThat(waitedFor()).isBetween(6_900 * MS, 7_100 * MS);
    }
}
