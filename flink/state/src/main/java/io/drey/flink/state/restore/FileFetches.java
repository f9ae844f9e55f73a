package io.drey.flink.state.restore;

import io.drey.checkpoint.upload.OpenStreams;
import io.drey.checkpoint.upload.Transfer;
import io.drey.checkpoint.upload.Transfers;
import io.drey.files.WritableFile;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Brings the files of parents into a backend's directory, several at a time: downloads, or hard links to the local copy
 * of a checkpoint. Each is checked for its length at once, and for its content by the store when it reads.
 */
final class FileFetches {
    private static final int BUFFER_BYTES = 128 << 10;

    private final InstanceDirectory target;
    private final Executor executor;
    private final int parallelMax;

    FileFetches(InstanceDirectory target, Executor executor, int parallelMax) {
        this.target = target;
        this.executor = executor;
        this.parallelMax = parallelMax;
    }

    /** Fetches all files of all parents, one that several of them refer to once. */
    void fetch(List<ParentCheckpoint> parents, CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        Map<String, FileInfo> seen = new HashMap<>();
        List<Transfer<Long>> fetches = new ArrayList<>();
        for (ParentCheckpoint parent : parents) {
            for (FileInfo file : parent.image().files()) {
                FileInfo known = seen.putIfAbsent(file.name(), file);
                if (known == null) {
                    fetches.add(open -> fetch(parent, file, open));
                } else if (known.bytes() != file.bytes()) {
                    throw new IOException("expected file " + file.name() + " to be the same in all checkpoints, found "
                            + known.bytes() + " and " + file.bytes()
                            + " bytes: these are checkpoints of different jobs");
                }
            }
        }
        Transfers<Long> transfers = new Transfers<>(fetches, parallelMax, executor, bytes -> {});
        cancellation.registerCloseable(transfers);
        try {
            transfers.run();
        } finally {
            cancellation.unregisterCloseable(transfers);
        }
    }

    private Long fetch(ParentCheckpoint parent, FileInfo file, OpenStreams open) throws IOException {
        String source = "checkpoint " + parent.manifest().checkpointId();
        long bytes;
        try {
            if (parent.localDirectory() != null) {
                Path path = parent.localDirectory().resolve(file.name());
                source = path.toString();
                bytes = link(path, file);
            } else {
                StreamStateHandle handle = parent.handles().get(file.name());
                if (handle == null) {
                    throw new NoSuchFileException(file.name(), null, "no such file among those of the checkpoint");
                }
                source = ParentCheckpoint.describe(handle);
                bytes = download(handle, file, open);
            }
        } catch (IOException e) {
            throw new IOException(
                    "file " + file.name() + " could not be fetched from " + source + ": " + e.getMessage()
                            + "; restore from another checkpoint if it is lost",
                    e);
        }
        if (bytes != file.bytes()) {
            throw new IOException("expected file " + file.name() + " of " + source + " to have " + file.bytes()
                    + " bytes, found " + bytes + ": it is damaged, restore from another checkpoint");
        }
        return bytes;
    }

    private long link(Path source, FileInfo file) throws IOException {
        Path path = target.path(file.name());
        try {
            Files.createLink(path, source);
        } catch (UnsupportedOperationException | IOException e) {
            Files.deleteIfExists(path);
            Files.copy(source, path);
        }
        return Files.size(path);
    }

    private long download(StreamStateHandle handle, FileInfo file, OpenStreams open) throws IOException {
        try (WritableFile out = target.files().create(file.name())) {
            FSDataInputStream in = open.register(handle.openInputStream());
            try {
                byte[] buffer = new byte[BUFFER_BYTES];
                int count;
                // A full buffer at a time: streams give as little as they like, and each write may be an I/O.
                while ((count = in.readNBytes(buffer, 0, buffer.length)) > 0) {
                    out.write(ByteBuffer.wrap(buffer, 0, count));
                }
                return out.position();
            } finally {
                open.unregister(in);
                in.close();
            }
        }
    }
}
