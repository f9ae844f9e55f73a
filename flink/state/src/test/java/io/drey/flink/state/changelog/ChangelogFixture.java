package io.drey.flink.state.changelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.options.DreyOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.SequenceNumber;
import org.apache.flink.runtime.state.changelog.StateChange;
import org.apache.flink.runtime.state.changelog.StateChangelogWriter;
import org.apache.flink.util.CloseableIterator;

/** A changelog storage over a directory. */
final class ChangelogFixture implements AutoCloseable {
    static final KeyGroupRange KEY_GROUPS = KeyGroupRange.of(0, 9);

    private final JobID job = new JobID();
    private final Path directory;
    final DreyChangelogStorage storage;

    /** A change, as a test compares it. */
    record Change(int keyGroup, List<Byte> bytes) {
        static Change of(int keyGroup, byte[] bytes) {
            List<Byte> list = new ArrayList<>();
            for (byte each : bytes) {
                list.add(each);
            }
            return new Change(keyGroup, list);
        }
    }

    ChangelogFixture(Path directory, MemorySize memory) throws IOException {
        this.directory = directory;
        this.storage =
                new DreyChangelogStorage(job, configuration(directory, memory), false, new UnregisteredMetricsGroup());
    }

    static Configuration configuration(Path directory, MemorySize memory) {
        Configuration configuration = new Configuration();
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY, FailingFileSystem.SCHEME + "://" + directory.toString());
        configuration.set(DreyOptions.CHANGELOG_MEMORY, memory);
        return configuration;
    }

    StateChangelogWriter<ChangelogStateHandleStreamImpl> writer() {
        return storage.createWriter("operator", KEY_GROUPS, null);
    }

    static ChangelogStateHandleStreamImpl persist(
            StateChangelogWriter<ChangelogStateHandleStreamImpl> writer, SequenceNumber from, long checkpoint)
            throws Exception {
        SnapshotResult<ChangelogStateHandleStreamImpl> result =
                writer.persist(from, checkpoint).get(1, TimeUnit.MINUTES);
        return result.getJobManagerOwnedSnapshot();
    }

    List<Change> read(ChangelogStateHandleStreamImpl handle) throws Exception {
        List<Change> changes = new ArrayList<>();
        CloseableIterator<StateChange> each = storage.createReader().getChanges(handle);
        try {
            while (each.hasNext()) {
                StateChange change = each.next();
                changes.add(Change.of(change.getKeyGroup(), change.getChange()));
            }
        } finally {
            each.close();
        }
        return changes;
    }

    /** The files of the job's checkpoints. */
    Set<String> files() throws IOException {
        Path shared = directory.resolve(job.toHexString()).resolve("shared");
        if (!Files.exists(shared)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(shared)) {
            return new HashSet<>(
                    files.map(file -> file.getFileName().toString()).toList());
        }
    }

    static Set<String> files(ChangelogStateHandleStreamImpl handle) {
        Set<String> names = new HashSet<>();
        handle.getHandlesAndOffsets().forEach(each -> names.add(name(each.f0)));
        return names;
    }

    private static String name(StreamStateHandle handle) {
        return handle.maybeGetPath().orElseThrow().getName();
    }

    /** Deletions are made by another thread. */
    void awaitFiles(Set<String> expected) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        Set<String> found = files();
        while (!found.equals(expected) && System.nanoTime() < end) {
            Thread.sleep(10);
            found = files();
        }
        assertThat(found).isEqualTo(expected);
    }

    static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed * 31 + i * (1 + seed % 7));
        }
        return bytes;
    }

    @Override
    public void close() {
        storage.close();
    }
}
