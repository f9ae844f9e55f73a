package io.drey.flink.state.retention;

import io.drey.checkpoint.retention.Claim;
import io.drey.checkpoint.retention.SharedName;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.flink.core.fs.EntropyInjector;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restored files that lie in other jobs' directories, where other jobs' checkpoints may not list them any more. Before a
 * checkpoint here lists them, a {@link Claim} there says so; what cannot be claimed is uploaded again. Thread safe.
 */
public final class ForeignFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignFiles.class);

    /** Jobs one after another, each restored from the one before; where files have entropy they are in many more. */
    private static final int DIRECTORIES_MAX = 16;

    /** Of restored files with names of Drey. */
    private final Set<Path> directories = new HashSet<>();

    private final Set<Path> listable = new HashSet<>();
    private boolean decided;

    public ForeignFiles(Collection<StreamStateHandle> restored) {
        for (StreamStateHandle handle : restored) {
            Path directory = directory(handle);
            if (directory != null) {
                directories.add(directory);
            }
        }
    }

    /** The directory of a file whose name says that Drey may delete it some day, or null. */
    private static Path directory(StreamStateHandle handle) {
        return handle instanceof FileStateHandle file
                        && SharedName.parse(file.getFilePath().getName()) != null
                ? file.getFilePath().getParent()
                : null;
    }

    /** No checkpoint will list restored files. */
    public synchronized void forget() {
        decided = true;
    }

    /** Whether a checkpoint may list a file: it is this job's, or claimed. */
    public synchronized boolean mayList(StreamStateHandle handle) {
        Path directory = directory(handle);
        return directory == null || !directories.contains(directory) || listable.contains(directory);
    }

    /** Claims what is not the job's own, once, before the first checkpoint that could list it: this writes files. */
    public synchronized void claim(CheckpointStreamFactory streams) {
        if (decided) {
            return;
        }
        decided = true;
        Path own = streams instanceof FsCheckpointStreamFactory files
                ? files.getTargetPath(CheckpointedStateScope.SHARED)
                : null;
        if (own == null) {
            return;
        }
        if (hasEntropy(own)) {
            listable.addAll(directories);
        } else if (directories.size() <= DIRECTORIES_MAX) {
            for (Path directory : directories) {
                if (directory.equals(own) || claim(directory, own.getParent())) {
                    listable.add(directory);
                }
            }
        }
    }

    /** Then files are spread over directories that nobody can list, so nobody cleans them up either. */
    private static boolean hasEntropy(Path directory) {
        try {
            return EntropyInjector.isEntropyInjecting(directory.getFileSystem(), directory);
        } catch (IOException e) {
            LOG.warn("The file system of {} does not answer", directory, e);
            return false;
        }
    }

    private static boolean claim(Path directory, Path owner) {
        Claim claim = new Claim(owner.toString());
        Path file = new Path(directory, claim.name());
        try {
            FileSystem fileSystem = file.getFileSystem();
            if (!fileSystem.exists(file)) {
                write(fileSystem, file, claim.bytes());
            }
            return true;
        } catch (IOException e) {
            LOG.warn(
                    "Files of {}, which was restored from, cannot be claimed, so they are uploaded to {} again",
                    directory,
                    owner,
                    e);
            return false;
        }
    }

    private static void write(FileSystem fileSystem, Path file, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(file, WriteMode.NO_OVERWRITE)) {
            out.write(bytes);
            out.sync();
        } catch (IOException e) {
            // Another subtask of the job writes the same.
            if (!fileSystem.exists(file)) {
                throw e;
            }
        }
    }
}
