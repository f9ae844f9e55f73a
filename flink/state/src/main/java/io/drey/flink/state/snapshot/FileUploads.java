package io.drey.flink.state.snapshot;

import io.drey.checkpoint.upload.OpenStreams;
import io.drey.checkpoint.upload.Transfer;
import io.drey.checkpoint.upload.Transfers;
import io.drey.checkpoint.upload.Trash;
import io.drey.files.FileChecksum;
import io.drey.files.IoCounts;
import io.drey.files.ReadableFile;
import io.drey.files.disks.DiskSet;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Uploads files of a snapshot into a checkpoint, several at a time; a failure leaves none of them there. What a disk
 * gives back that is not what was written to it is a failure: a checkpoint is the only copy of it.
 */
final class FileUploads {
    private static final int BUFFER_BYTES = 128 << 10;

    private final DiskSet directory;
    private final Executor executor;
    private final int parallelMax;
    private final IoCounts io;
    private final Trash<StreamStateHandle> trash;

    /** Opens the stream that a file is written into. */
    @FunctionalInterface
    interface Streams {
        CheckpointStateOutputStream open(FileInfo file) throws IOException;
    }

    FileUploads(DiskSet directory, Executor executor, int parallelMax, IoCounts io, Trash<StreamStateHandle> trash) {
        this.directory = directory;
        this.executor = executor;
        this.parallelMax = parallelMax;
        this.io = io;
        this.trash = trash;
    }

    /** Uploads files, and returns the handle of each by its name. */
    Map<String, StreamStateHandle> upload(List<FileInfo> files, Streams streams, CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        List<Transfer<StreamStateHandle>> uploads = new ArrayList<>();
        for (FileInfo file : files) {
            uploads.add(open -> upload(file, streams, open));
        }
        Transfers<StreamStateHandle> transfers = new Transfers<>(uploads, parallelMax, executor, trash);
        List<StreamStateHandle> handles;
        cancellation.registerCloseable(transfers);
        try {
            handles = transfers.run();
        } finally {
            cancellation.unregisterCloseable(transfers);
        }
        Map<String, StreamStateHandle> byName = new HashMap<>();
        for (int i = 0; i < files.size(); i++) {
            byName.put(files.get(i).name(), handles.get(i));
        }
        return byName;
    }

    private StreamStateHandle upload(FileInfo file, Streams streams, OpenStreams open) throws IOException {
        try (ReadableFile in = directory.open(file.name())) {
            if (in.size() != file.bytes()) {
                throw new IOException("expected file " + file.name() + " of " + directory.describe() + " to have "
                        + file.bytes() + " bytes, found " + in.size() + ": somebody else changed it");
            }
            CheckpointStateOutputStream out = open.register(streams.open(file));
            try {
                copy(in, out);
                io.wrote(1, in.size());
                if (!open.unregister(out)) {
                    throw new IOException("the upload of " + file.name() + " was cancelled");
                }
                StreamStateHandle handle = out.closeAndGetHandle();
                if (handle == null) {
                    throw new IOException("expected a handle of the uploaded file " + file.name()
                            + ", found none: the checkpoint storage stored nothing");
                }
                return handle;
            } finally {
                // Deletes what was written unless it was finished above.
                open.unregister(out);
                out.close();
            }
        }
    }

    private void copy(ReadableFile in, CheckpointStateOutputStream out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, in.size()));
        FileChecksum checksum = new FileChecksum();
        long position = 0;
        while (position < in.size()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), in.size() - position));
            in.read(position, buffer);
            io.read(1, buffer.limit());
            checksum.add(buffer.array(), 0, buffer.limit());
            out.write(buffer.array(), 0, buffer.limit());
            position += buffer.limit();
        }
        long expected = directory.checksum(in.name());
        if (expected != FileChecksum.NONE && expected != checksum.value()) {
            throw new IOException("expected the bytes of file " + in.name() + " of " + directory.describe()
                    + " that were written (checksum " + Long.toHexString(expected) + "), found others ("
                    + Long.toHexString(checksum.value()) + "): the disk has damaged them. Replace it, and restore from"
                    + " the last checkpoint");
        }
    }
}
