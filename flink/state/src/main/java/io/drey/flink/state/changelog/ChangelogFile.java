package io.drey.flink.state.changelog;

import org.apache.flink.runtime.state.filesystem.FileStateHandle;

/**
 * A file with sections of several logs. If Flink was given a handle of one of them, the job manager deletes the file once
 * no checkpoint lists it; until then this process does, when none of them may be listed any more. Guarded by {@link
 * ChangelogUploads}.
 */
final class ChangelogFile {
    private final FileStateHandle handle;
    private int unlisted;
    private boolean listed;

    ChangelogFile(FileStateHandle handle, int sections) {
        this.handle = handle;
        this.unlisted = sections;
    }

    FileStateHandle handle() {
        return handle;
    }

    /** Flink is given a handle of a section. */
    void list() {
        listed = true;
    }

    /** A section will never be listed; whether the file can be deleted now. */
    boolean release() {
        unlisted--;
        return unlisted == 0 && !listed;
    }
}
