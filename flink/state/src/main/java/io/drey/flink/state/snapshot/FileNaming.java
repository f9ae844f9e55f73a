package io.drey.flink.state.snapshot;

import io.drey.checkpoint.retention.SharedNames;
import io.drey.flink.state.pack.Packs;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
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
    private final Packs.Task task;
    private final int inlineBytesMax;

    /**
     * @param backendId tells this life of a subtask from all others
     * @param task whose files they are
     * @param inlineBytesMax size up to which the storage keeps a file in its meta data
     */
    public FileNaming(UUID backendId, Packs.Task task, int inlineBytesMax) {
        this.task = task;
        this.names = new SharedNames(backendId);
        this.inlineBytesMax = inlineBytesMax;
    }

    Packs.Task task() {
        return task;
    }

    /**
     * Whether each shared file is one in a file system, which a task can name and knows the directory of. Only of
     * Flink's own streams: those of another storage may do more than write, encrypt for one, and must write all.
     */
    static boolean isPossible(CheckpointStreamFactory streams) {
        return streams instanceof FsCheckpointStreamFactory
                && streams.getClass().getPackageName().equals(FsCheckpointStreamFactory.class.getPackageName())
                && !(streams instanceof FsMergingCheckpointStorageLocation);
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
        if (!isNamed(streams, scope, first)) {
            return new FileUploads.Streams() {
                @Override
                public CheckpointStateOutputStream open(FileInfo file) throws IOException {
                    return streams.createCheckpointStateOutputStream(scope);
                }

                /**
                 * Not in a merged file, which others wait for in a pool that blocks: who gives up in the midst of it
                 * closes it, and puts no other one there.
                 */
                @Override
                public boolean mayBeOutrun(FileInfo file) {
                    return scope == CheckpointedStateScope.SHARED
                            && !(streams instanceof FsMergingCheckpointStorageLocation);
                }
            };
        }
        Path directory = ((FsCheckpointStreamFactory) streams).getTargetPath(scope);
        return new FileUploads.Streams() {
            @Override
            public CheckpointStateOutputStream open(FileInfo file) throws IOException {
                return isInline(file.bytes())
                        ? streams.createCheckpointStateOutputStream(scope)
                        : NamedStream.create(directory, names.next(first), trash);
            }

            @Override
            public Packs.Key packs() {
                return new Packs.Key(task.job(), directory, first);
            }

            @Override
            public boolean isObject(FileInfo file) {
                return !isInline(file.bytes());
            }
        };
    }

    /**
     * The streams of a checkpoint's manifest, which no other one lists. It lies beside the shared files: in the
     * checkpoint's own directory an attempt that lost could still lie when the job manager deletes the directory. That
     * fails unless it is empty, and at the end of a job Flink then deletes none of the shared state.
     */
    CheckpointStreamFactory ofManifest(
            CheckpointStreamFactory streams, long checkpointId, Consumer<StreamStateHandle> trash) {
        Path directory = ((FsCheckpointStreamFactory) streams).getTargetPath(CheckpointedStateScope.SHARED);
        return new CheckpointStreamFactory() {
            @Override
            public CheckpointStateOutputStream createCheckpointStateOutputStream(CheckpointedStateScope scope)
                    throws IOException {
                return NamedStream.create(directory, names.next(checkpointId), trash);
            }

            @Override
            public boolean canFastDuplicate(StreamStateHandle handle, CheckpointedStateScope scope) {
                return false;
            }

            @Override
            public List<StreamStateHandle> duplicate(List<StreamStateHandle> handles, CheckpointedStateScope scope) {
                throw new UnsupportedOperationException("a manifest is not duplicated");
            }
        };
    }

    /** Whether a file of that size is one of its own under our name. */
    boolean isNamed(CheckpointStreamFactory streams, CheckpointedStateScope scope, long first, long bytes) {
        return isNamed(streams, scope, first) && !isInline(bytes);
    }

    private static boolean isNamed(CheckpointStreamFactory streams, CheckpointedStateScope scope, long first) {
        return first >= 0 && scope == CheckpointedStateScope.SHARED && isPossible(streams);
    }

    private boolean isInline(long bytes) {
        return bytes <= inlineBytesMax;
    }
}
