package io.drey.flink.state.changelog;

import io.drey.flink.state.retention.ForeignFiles;
import java.io.IOException;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.StateChangelogHandleReader;
import org.apache.flink.runtime.state.changelog.StateChangelogStorageLoader;
import org.apache.flink.runtime.state.changelog.StateChangelogStorageView;
import org.apache.flink.util.IOUtils;

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

    private final Configuration configuration;

    /** Of a storage that the job had before; null until it is read. */
    private StateChangelogStorageView<?> before;

    DreyChangelogView(Configuration configuration) {
        this.configuration = configuration;
    }

    /** Flink has all that a job restores in a process read by the view of what came first. */
    @Override
    public StateChangelogHandleReader<ChangelogStateHandleStreamImpl> createReader() {
        return handle -> {
            claim(handle);
            return DreyChangelogStorageFactory.IDENTIFIER.equals(handle.getStorageIdentifier())
                    ? new ChangelogReader(handle)
                    : before(handle).createReader().getChanges(handle);
        };
    }

    @SuppressWarnings("unchecked")
    private synchronized StateChangelogStorageView<ChangelogStateHandleStreamImpl> before(
            ChangelogStateHandleStreamImpl handle) throws IOException {
        if (before == null) {
            before = StateChangelogStorageLoader.loadFromStateHandle(configuration, handle);
        }
        return (StateChangelogStorageView<ChangelogStateHandleStreamImpl>) before;
    }

    /** Checkpoints list what was restored until it is materialized. */
    private static void claim(ChangelogStateHandleStreamImpl handle) {
        Path own = OWN.get();
        if (own != null) {
            ForeignFiles.claim(List.of(handle), own);
        }
    }

    @Override
    public synchronized void close() {
        IOUtils.closeQuietly(before);
    }
}
