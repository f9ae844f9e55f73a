package io.drey.flink.state.changelog;

import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.StateChangelogHandleReader;
import org.apache.flink.runtime.state.changelog.StateChangelogStorageView;

/** The changelog of a checkpoint, for a restore. */
class DreyChangelogView implements StateChangelogStorageView<ChangelogStateHandleStreamImpl> {
    @Override
    public StateChangelogHandleReader<ChangelogStateHandleStreamImpl> createReader() {
        return ChangelogReader::new;
    }

    @Override
    public void close() {}
}
