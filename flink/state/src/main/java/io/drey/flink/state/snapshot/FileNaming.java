package io.drey.flink.state.snapshot;

import io.drey.checkpoint.retention.SharedNames;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.runtime.state.filesystem.FsMergingCheckpointStorageLocation;

/**
 * Decides under which names the files of one backend go into the checkpoint storage. Those that checkpoints share, on a
 * file system, say by their name which checkpoints may need them. All others are Flink's to name: what goes into its
 * meta data, into a checkpoint's or savepoint's own directory, or into merged files, and what has no place in the order
 * of checkpoints.
 */
public final class FileNaming {
    private final SharedNames names;
    private final int inlineBytesMax;

    /**
     * @param backendId tells this life of a subtask from all others
     * @param inlineBytesMax size up to which the storage keeps a file in its meta data
     */
    public FileNaming(UUID backendId, int inlineBytesMax) {
        this.names = new SharedNames(backendId);
        this.inlineBytesMax = inlineBytesMax;
    }

    /** Whether each shared file is one in a file system, which a task can name and knows the directory of. */
    static boolean isPossible(CheckpointStreamFactory streams) {
        return streams instanceof FsCheckpointStreamFactory && !(streams instanceof FsMergingCheckpointStorageLocation);
    }

    /**
     * The streams of the files of one checkpoint.
     *
     * @param first the first checkpoint that may complete with them, or -1 if they have no place in the order
     * @param trash deletes files that are given up
     */
    FileUploads.Streams streams(
            CheckpointStreamFactory streams,
            CheckpointedStateScope scope,
            long first,
            Consumer<StreamStateHandle> trash) {
        boolean named = first >= 0 && scope == CheckpointedStateScope.SHARED && isPossible(streams);
        if (!named) {
            return file -> streams.createCheckpointStateOutputStream(scope);
        }
        Path directory = ((FsCheckpointStreamFactory) streams).getTargetPath(scope);
        return file -> file.bytes() <= inlineBytesMax
                ? streams.createCheckpointStateOutputStream(scope)
                : NamedStream.create(directory, names.next(first), trash);
    }
}
