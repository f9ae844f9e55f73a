package io.drey.flink.conformance;

import java.nio.file.Path;
import org.apache.flink.runtime.state.CheckpointStorage;
import org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;

/** Where a suite keeps its checkpoints: Flink's two kinds, which differ in the handles that a snapshot ends in. */
enum StorageUnderTest {
    JOB_MANAGER {
        @Override
        CheckpointStorage create(Path directory) {
            return new JobManagerCheckpointStorage();
        }

        @Override
        ChangelogUnderTest changelog() {
            return ChangelogUnderTest.FLINK;
        }
    },
    FILE_SYSTEM {
        @Override
        CheckpointStorage create(Path directory) {
            return new FileSystemCheckpointStorage(directory.toUri());
        }

        @Override
        ChangelogUnderTest changelog() {
            return ChangelogUnderTest.DREY;
        }
    };

    abstract CheckpointStorage create(Path directory);

    /** The log beside it, where there is one: so that both are tried, without trying each with each. */
    abstract ChangelogUnderTest changelog();
}
