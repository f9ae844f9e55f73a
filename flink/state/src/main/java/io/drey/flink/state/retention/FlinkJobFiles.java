package io.drey.flink.state.retention;

import io.drey.checkpoint.retention.JobFiles;
import io.drey.flink.state.task.StorageFaults;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;

/** Directories of checkpoints in any file system that Flink knows; their meta data is read by Flink's own code. */
public final class FlinkJobFiles implements JobFiles {
    /** Files come and go while a directory is listed, and some file systems fail then. */
    private static final int LIST_TRIES_MAX = 10;

    @Override
    public List<Entry> list(String directory) throws IOException {
        try {
            return entries(new Path(directory));
        } catch (RuntimeException e) {
            throw StorageFaults.of(e);
        }
    }

    private static List<Entry> entries(Path path) throws IOException {
        FileSystem fileSystem = path.getFileSystem();
        for (int tries = 1; ; tries++) {
            try {
                FileStatus[] found = fileSystem.listStatus(path);
                if (found != null) {
                    return Arrays.stream(found).map(FlinkJobFiles::entry).toList();
                }
            } catch (FileNotFoundException e) {
                if (tries == LIST_TRIES_MAX) {
                    throw e;
                }
            }
            if (!fileSystem.exists(path)) {
                return List.of();
            }
            if (tries == LIST_TRIES_MAX) {
                throw new IOException("expected " + path + " to be a directory that can be listed, found that it"
                        + " cannot: check its permissions");
            }
        }
    }

    private static Entry entry(FileStatus status) {
        return new Entry(status.getPath().getName(), status.isDir(), status.getLen(), status.getModificationTime());
    }

    @Override
    public byte[] read(String file, int bytesMax) throws IOException {
        try {
            return content(new Path(file), bytesMax);
        } catch (RuntimeException e) {
            throw StorageFaults.of(e);
        }
    }

    private static byte[] content(Path path, int bytesMax) throws IOException {
        try (FSDataInputStream in = path.getFileSystem().open(path)) {
            byte[] bytes = in.readNBytes(bytesMax);
            if (in.read() >= 0) {
                throw new IOException("expected at most " + bytesMax + " bytes, found more");
            }
            return bytes;
        } catch (FileNotFoundException e) {
            // Also said of what is there, and may not be opened or not now.
            if (path.getFileSystem().exists(path)) {
                throw e;
            }
            return null;
        }
    }

    @Override
    public Set<String> listed(byte[] metadata, String file) throws IOException {
        CheckpointMetadata read;
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(metadata))) {
            read = Checkpoints.loadCheckpointMetadata(in, FlinkJobFiles.class.getClassLoader(), file);
            if (in.read() >= 0) {
                throw new IOException("expected the end after what Flink reads of it, found more");
            }
        } catch (OutOfMemoryError e) {
            // Or a length is damaged, and asks for more memory than there is; nothing of it was taken.
            throw new IOException(
                    "expected memory for " + metadata.length + " bytes of Flink's meta data, found too little in a heap"
                            + " of " + (Runtime.getRuntime().maxMemory() >> 20) + " MB: read with a larger one it may"
                            + " prove to be sound, or damaged",
                    e);
        } catch (RuntimeException e) {
            throw new IOException("expected Flink's meta data, found what it does not read: " + e, e);
        }
        return ListedFiles.paths(read);
    }

    @Override
    public void delete(String path) throws IOException {
        try {
            Path deleted = new Path(path);
            FileSystem fileSystem = deleted.getFileSystem();
            if (!fileSystem.delete(deleted, false) && fileSystem.exists(deleted)) {
                throw new IOException(path + " could not be deleted: the file system does not say why");
            }
        } catch (RuntimeException e) {
            throw StorageFaults.of(e);
        }
    }
}
