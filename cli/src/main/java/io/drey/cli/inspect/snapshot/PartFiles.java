package io.drey.cli.inspect.snapshot;

import java.util.List;

/**
 * The files of a part of a snapshot.
 *
 * @param states null if their sizes are not known
 */
public record PartFiles(List<PartFile> files, List<StateSize> states) {
    /**
     * One file.
     *
     * @param level "young" or "last level" for runs of Drey, "value log", else what it is to its backend
     * @param entries of a run, else -1
     * @param liveBytes of a value log, what runs point to; else -1
     */
    public record PartFile(String name, String level, long bytes, long entries, long liveBytes) {}

    /**
     * The size of a state as files say.
     *
     * @param entries in all files, also hidden ones and those of other subtasks
     * @param medianAccess milliseconds, {@link Long#MIN_VALUE} if unknown
     */
    public record StateSize(String state, long entries, long bytes, long medianAccess) {}
}
