package io.drey.flink.state.snapshot;

import io.drey.checkpoint.upload.Listing;
import io.drey.checkpoint.upload.SecondAttempts;
import io.drey.checkpoint.upload.Trash;
import io.drey.checkpoint.upload.Writes;
import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.checkpoint.upload.Writes.Write;
import io.drey.files.FileChecksum;
import io.drey.files.IoCounts;
import io.drey.files.ReadableFile;
import io.drey.files.disks.DiskSet;
import io.drey.flink.state.task.Time;
import io.drey.store.StoreImage.FileInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.util.IOUtils;

/**
 * Uploads files of a snapshot into a checkpoint, several at a time; a failure leaves none of them there. What is slow or
 * fails is tried again under another name, see {@link Writes}. What a disk gives back that is not what was written to it
 * is a failure: a checkpoint is the only copy of it.
 */
final class FileUploads {
    private static final int BUFFER_BYTES = 128 << 10;

    private final DiskSet directory;
    private final Executor executor;
    private final int parallelMax;
    private final IoCounts io;
    private final Trash<StreamStateHandle> trash;
    private final UploadTimes times;
    private final Time time;
    private final SecondAttempts second = new SecondAttempts();

    /** Opens the stream that a file is written into. */
    @FunctionalInterface
    interface Streams {
        CheckpointStateOutputStream open(FileInfo file) throws IOException;
    }

    FileUploads(
            DiskSet directory,
            Executor executor,
            int parallelMax,
            IoCounts io,
            Trash<StreamStateHandle> trash,
            UploadTimes times,
            Time time) {
        this.directory = directory;
        this.executor = executor;
        this.parallelMax = parallelMax;
        this.io = io;
        this.trash = trash;
        this.times = times;
        this.time = time;
    }

    /** Further attempts of slow writes. */
    SecondAttempts second() {
        return second;
    }

    /**
     * Uploads the listed files that are not stored.
     *
     * @return their handles, by name
     */
    Map<String, StreamStateHandle> upload(
            List<FileInfo> files, Listing<StreamStateHandle> listing, Streams streams, CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        Set<String> claimed = Set.copyOf(listing.claim());
        List<FileInfo> wanted =
                files.stream().filter(file -> claimed.contains(file.name())).toList();
        boolean done = false;
        try {
            long begin = time.nanos();
            Map<String, StreamStateHandle> stored = upload(wanted, streams, cancellation);
            times.uploaded(wanted.stream().mapToLong(FileInfo::bytes).sum(), time.nanos() - begin);
            listing.stored(stored);
            done = true;
            return stored;
        } finally {
            if (!done) {
                listing.failed(claimed);
            }
        }
    }

    private Map<String, StreamStateHandle> upload(List<FileInfo> files, Streams streams, CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        List<StreamStateHandle> handles =
                write(files.stream().map(file -> new FileWrite(file, streams)).toList(), trash, cancellation);
        Map<String, StreamStateHandle> byName = new HashMap<>();
        for (int i = 0; i < files.size(); i++) {
            byName.put(files.get(i).name(), handles.get(i));
        }
        return byName;
    }

    /** Writes into the checkpoint storage; what is not wanted in the end is given to {@code discard}. */
    <T> List<T> write(List<? extends Write<T>> writes, Consumer<T> discard, CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        Writes<T> batch = new Writes<>(writes, parallelMax, executor, second, time::nanos, discard);
        cancellation.registerCloseable(batch);
        try {
            return batch.run();
        } finally {
            cancellation.unregisterCloseable(batch);
        }
    }

    /** Closes a stream, finished or given up. Its file may have to be deleted, which interrupted threads often cannot. */
    static void close(Closeable stream) {
        boolean interrupted = Thread.interrupted();
        try {
            IOUtils.closeQuietly(stream);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** One file of a snapshot. */
    private final class FileWrite implements Write<StreamStateHandle> {
        private final FileInfo file;
        private final Streams streams;

        FileWrite(FileInfo file, Streams streams) {
            this.file = file;
            this.streams = streams;
        }

        @Override
        public long bytes() {
            return file.bytes();
        }

        @Override
        public StreamStateHandle run(Attempt attempt) throws IOException {
            try (ReadableFile in = directory.open(file.name())) {
                if (in.size() != file.bytes()) {
                    throw new IOException("expected file " + file.name() + " of " + directory.describe() + " to have "
                            + file.bytes() + " bytes, found " + in.size() + ": somebody else changed it");
                }
                return upload(in, attempt);
            }
        }

        private StreamStateHandle upload(ReadableFile in, Attempt attempt) throws IOException {
            CheckpointStateOutputStream out = streams.open(file);
            try {
                copy(in, out, attempt);
                io.wrote(1, in.size());
                StreamStateHandle handle = out.closeAndGetHandle();
                if (handle == null) {
                    throw new IOException("expected a handle of the uploaded file " + file.name()
                            + ", found none: the checkpoint storage stored nothing");
                }
                return handle;
            } finally {
                // Deletes what was written unless it was finished above.
                close(out);
            }
        }
    }

    private void copy(ReadableFile in, CheckpointStateOutputStream out, Attempt attempt) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, in.size()));
        FileChecksum checksum = new FileChecksum();
        long position = 0;
        while (position < in.size()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), in.size() - position));
            in.read(position, buffer);
            io.read(1, buffer.limit());
            checksum.add(buffer.array(), 0, buffer.limit());
            out.write(buffer.array(), 0, buffer.limit());
            attempt.wrote(buffer.limit());
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
