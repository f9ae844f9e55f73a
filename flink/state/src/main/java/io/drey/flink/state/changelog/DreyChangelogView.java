package io.drey.flink.state.changelog;

import io.drey.flink.state.retention.ForeignFiles;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.StateChangelogHandleReader;
import org.apache.flink.runtime.state.changelog.StateChangelogStorageView;

/** The changelog of a checkpoint, for a restore. */
class DreyChangelogView implements StateChangelogStorageView<ChangelogStateHandleStreamImpl> {
    /**
     * The shared files of the job whose task the thread is. Flink makes the writer of a backend, which knows it, and then
     * has the backend read what it restores, of which it says no job.
     */
    private static final ThreadLocal<Path> OWN = new ThreadLocal<>();

    /** A backend of a job is made in this thread. */
    static void restoresFor(Path shared) {
        OWN.set(shared);
    }

    @Override
    public StateChangelogHandleReader<ChangelogStateHandleStreamImpl> createReader() {
        return handle -> {
            claim(handle);
            return new ChangelogReader(handle);
        };
    }

    /** Checkpoints list what was restored until it is materialized. */
    private static void claim(ChangelogStateHandleStreamImpl handle) {
        Path own = OWN.get();
        if (own != null) {
            new ForeignFiles(handle.getHandlesAndOffsets().stream()
                            .map(section -> section.f0)
                            .toList())
                    .claim(own);
        }
    }

    @Override
    public void close() {}
}
