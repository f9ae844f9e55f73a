package io.drey.flink.conformance;

import java.io.File;
import java.io.IOException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.StateChangelogStorage;
import org.apache.flink.runtime.state.changelog.inmemory.StateChangelogStorageTest;

/** Flink's suite of changelog storages, on Drey's. */
class ChangelogStorageSuiteTest extends StateChangelogStorageTest<ChangelogStateHandleStreamImpl> {
    @Override
    @SuppressWarnings("unchecked")
    protected StateChangelogStorage<ChangelogStateHandleStreamImpl> getFactory(boolean compression, File directory)
            throws IOException {
        return (StateChangelogStorage<ChangelogStateHandleStreamImpl>)
                ChangelogUnderTest.DREY.create(new JobID(), directory.toPath());
    }
}
