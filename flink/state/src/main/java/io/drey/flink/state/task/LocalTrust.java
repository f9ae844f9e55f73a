package io.drey.flink.state.task;

import io.drey.foundation.FileFaults;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Trust in local copies of checkpoints: those that are used as they are. One that this process made is links to the
 * files that a backend of it worked on, and as good as these: blocks are checked when they are read. One of a process
 * before may have been through a crash of the machine. Once this process has met a bad file, no copy is trusted: a
 * restart from the same one would meet it again.
 */
public final class LocalTrust {
    private final String process = UUID.randomUUID().toString().replace("-", "");
    private final long faultsBefore = FileFaults.count();

    /** The name of a backend's local copies. */
    public String name(UUID backendId) {
        return backendId.toString().replace("-", "") + "-" + process;
    }

    public boolean covers(Path copy) {
        return copy.getFileName().toString().endsWith(process) && FileFaults.count() == faultsBefore;
    }
}
