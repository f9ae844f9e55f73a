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
import io.drey.flink.state.pack.Pack;
import io.drey.flink.state.pack.PackUpload;
import io.drey.flink.state.pack.Packs;
import io.drey.flink.state.pack.UnreadableException;
import io.drey.flink.state.task.Time;
import io.drey.store.StoreImage.FileInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.util.IOUtils;

/**
 * Uploads files of a snapshot into a checkpoint, several at a time; a failure leaves none of them there. Small ones go
 * with those of other stores, see {@link Packs}. What is slow or fails is tried again under another name, see
 * {@link Writes}. What a disk gives back that is not what was written to it is a failure: a checkpoint is the only copy
 * of it.
 */
final class FileUploads implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 << 10;

    private final DiskSet directory;
    private final Executor executor;
    private final int parallelMax;
    private final Packs packs;
    private final IoCounts io;
    private final Trash<StreamStateHandle> trash;
    private final UploadTimes times;
    private final Time time;
    private final SecondAttempts second = new SecondAttempts();

    private final Packs.Task task;

    /** Opens the stream that a file is written into. */
    @FunctionalInterface
    interface Streams {
        CheckpointStateOutputStream open(FileInfo file) throws IOException;

        /** Which packs files may be in, or null if in none. */
        default Packs.Key packs() {
            return null;
        }

        /** Whether a file, unless it is in a pack, is an object of its own among those that checkpoints share. */
        default boolean isObject(FileInfo file) {
            return false;
        }

        /**
         * Whether an attempt to write it may outlive the checkpoint: not in a directory that the job manager deletes,
         * which it cannot while a file is there.
         */
        default boolean mayBeOutrun(FileInfo file) {
            return isObject(file);
        }
    }

    /** A checkpoint that has begun, and of which no file is uploaded yet: others wait for these shortly. */
    final class Coming implements AutoCloseable {
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Coming() {
            packs.comes(task, FileUploads.this);
        }

        @Override
        public void close() {
            if (open.getAndSet(false)) {
                packs.went(FileUploads.this);
            }
        }
    }

    FileUploads(
            DiskSet directory,
            Executor executor,
            int parallelMax,
            Packs packs,
            Packs.Task task,
            IoCounts io,
            Trash<StreamStateHandle> trash,
            UploadTimes times,
            Time time) {
        this.directory = directory;
        this.executor = executor;
        this.parallelMax = parallelMax;
        this.packs = packs;
        this.task = task;
        this.io = io;
        this.trash = trash;
        this.times = times;
        this.time = time;
    }

    /** A checkpoint begins. */
    Coming coming() {
        return new Coming();
    }

    /** Further attempts of slow writes. */
    SecondAttempts second() {
        return second;
    }

    /**
     * Uploads the listed files that are not stored.
     *
     * @param coming ends when it is known which files are to be uploaded; null if others follow for the same checkpoint
     * @return their handles, by name
     */
    Map<String, StreamStateHandle> upload(
            List<FileInfo> files,
            Listing<StreamStateHandle> listing,
            Streams streams,
            Coming coming,
            CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        Set<String> claimed = Set.copyOf(listing.claim());
        List<FileInfo> wanted =
                files.stream().filter(file -> claimed.contains(file.name())).toList();
        boolean done = false;
        try {
            long begin = time.nanos();
            Map<String, StreamStateHandle> stored = upload(wanted, streams, coming, cancellation);
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

    private Map<String, StreamStateHandle> upload(
            List<FileInfo> files, Streams streams, Coming coming, CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        Map<String, StreamStateHandle> stored = new HashMap<>();
        PackUpload packed = null;
        boolean done = false;
        try {
            if (streams.packs() == null) {
                write(files, List.of(), streams, stored, cancellation);
            } else {
                Map<Boolean, List<FileInfo>> small =
                        files.stream().collect(Collectors.partitioningBy(file -> isPacked(file, streams)));
                packed = join(small.get(true), streams, coming);
                cancellation.registerCloseable(packed);
                List<Pack> mine = packed.closed();
                write(small.get(false), mine, streams, stored, cancellation);
                for (mine = packed.next(); !mine.isEmpty(); mine = packed.next()) {
                    write(List.of(), mine, streams, stored, cancellation);
                }
                Set<String> unpacked = packed.unpacked();
                write(
                        files.stream()
                                .filter(file -> unpacked.contains(file.name()))
                                .toList(),
                        List.of(),
                        streams,
                        stored,
                        cancellation);
                stored.putAll(packed.take());
            }
            done = true;
            return stored;
        } finally {
            if (packed != null) {
                cancellation.unregisterCloseable(packed);
            }
            if (!done) {
                stored.values().forEach(trash);
                if (packed != null) {
                    packed.leave(trash);
                }
            }
        }
    }

    /** What is still to come here would keep others waiting. */
    private boolean isPacked(FileInfo file, Streams streams) {
        return streams.isObject(file) && packs.fits(file.bytes()) && directory.isWhole(file.name());
    }

    private PackUpload join(List<FileInfo> files, Streams streams, Coming coming) {
        List<FileSection> sections = files.stream().map(FileSection::new).toList();
        PackUpload joined = packs.join(streams.packs(), this, sections, coming != null, time);
        if (coming != null) {
            coming.close();
        }
        return joined;
    }

    /** Writes files that are objects of their own, and packs. */
    private void write(
            List<FileInfo> files,
            List<Pack> mine,
            Streams streams,
            Map<String, StreamStateHandle> stored,
            CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        List<Write<StreamStateHandle>> writes = new ArrayList<>();
        // Packs first: others wait for them.
        mine.forEach(pack -> writes.add(new PackWrite(pack, trash, time, second)));
        files.forEach(file -> writes.add(new FileWrite(file, streams)));
        if (writes.isEmpty()) {
            return;
        }
        List<StreamStateHandle> handles = write(writes, handle -> discard(handle, mine), cancellation);
        for (int i = 0; i < files.size(); i++) {
            stored.put(files.get(i).name(), handles.get(mine.size() + i));
        }
    }

    /** A pack that is written is not this store's alone. */
    private void discard(StreamStateHandle handle, List<Pack> mine) {
        if (mine.stream().noneMatch(pack -> pack.isWrittenAs(handle))) {
            trash.accept(handle);
        }
    }

    /** Nothing comes, or no more. */
    @Override
    public void close() {
        packs.end(task, this);
    }

    /** Writes into the checkpoint storage; what is not wanted in the end is given to {@code discard}. */
    <T> List<T> write(List<? extends Write<T>> writes, Consumer<T> discard, CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        Writes<T> batch = new Writes<>(writes, parallelMax, executor, second, time, discard);
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
        public boolean mayBeOutrun() {
            return streams.mayBeOutrun(file);
        }

        @Override
        public StreamStateHandle run(Attempt attempt) throws IOException {
            CheckpointStateOutputStream out = streams.open(file);
            try {
                copy(file, out, attempt);
                io.wrote(1, file.bytes());
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

    /** One file of a snapshot that others may write into a pack. */
    private final class FileSection implements Packs.Section {
        private final FileInfo file;

        FileSection(FileInfo file) {
            this.file = file;
        }

        @Override
        public String name() {
            return file.name();
        }

        @Override
        public long bytes() {
            return file.bytes();
        }

        @Override
        public void copyTo(CheckpointStateOutputStream out, Attempt attempt) throws IOException {
            copy(file, out, attempt);
            io.wrote(1, file.bytes());
        }
    }

    /** What cannot be read is said by an {@link UnreadableException}. */
    private void copy(FileInfo file, CheckpointStateOutputStream out, Attempt attempt) throws IOException {
        try (ReadableFile in = open(file)) {
            copy(in, out, attempt);
        }
    }

    private ReadableFile open(FileInfo file) throws UnreadableException {
        ReadableFile in = null;
        boolean done = false;
        try {
            in = directory.open(file.name());
            if (in.size() != file.bytes()) {
                throw new IOException("expected file " + file.name() + " of " + directory.describe() + " to have "
                        + file.bytes() + " bytes, found " + in.size() + ": somebody else changed it");
            }
            done = true;
            return in;
        } catch (IOException | RuntimeException e) {
            throw new UnreadableException(e.getMessage(), e);
        } finally {
            if (!done) {
                IOUtils.closeQuietly(in);
            }
        }
    }

    private static void read(ReadableFile in, long position, ByteBuffer into) throws UnreadableException {
        try {
            in.read(position, into);
        } catch (IOException | RuntimeException e) {
            throw new UnreadableException(e.getMessage(), e);
        }
    }

    private void copy(ReadableFile in, CheckpointStateOutputStream out, Attempt attempt) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, in.size()));
        FileChecksum checksum = new FileChecksum();
        long position = 0;
        while (position < in.size()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), in.size() - position));
            read(in, position, buffer);
            io.read(1, buffer.limit());
            checksum.add(buffer.array(), 0, buffer.limit());
            out.write(buffer.array(), 0, buffer.limit());
            attempt.wrote(buffer.limit());
            position += buffer.limit();
        }
        long expected = directory.checksum(in.name());
        if (expected != FileChecksum.NONE && expected != checksum.value()) {
            throw new UnreadableException(
                    "expected the bytes of file " + in.name() + " of " + directory.describe()
                            + " that were written (checksum " + Long.toHexString(expected) + "), found others ("
                            + Long.toHexString(checksum.value())
                            + "): the disk has damaged them. Replace it, and restore from"
                            + " the last checkpoint",
                    null);
        }
    }
}
