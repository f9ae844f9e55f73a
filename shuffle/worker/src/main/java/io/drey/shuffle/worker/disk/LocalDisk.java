package io.drey.shuffle.worker.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The file system of a local directory. Its threads are never interrupted, which would close files. */
public final class LocalDisk implements WorkerDisk {
    private final FileStore store;
    private final Object fileSystem;
    private final AtomicLong steps = new AtomicLong();

    /** Makes the directory if there is none. */
    public LocalDisk(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            // Before 17.0.14, Java takes a link to a directory for something in its place.
            Files.createDirectories(directory);
        }
        this.store = Files.getFileStore(directory);
        // Mounted in two places, as volumes of a container are, it is two file stores to Java.
        boolean tells = directory.getFileSystem().supportedFileAttributeViews().contains("unix");
        this.fileSystem = tells ? Files.getAttribute(directory, "unix:dev") : store;
    }

    @Override
    public WorkerFile create(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return new LocalFile(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public WorkerFile open(Path file) throws IOException {
        return new LocalFile(file, StandardOpenOption.READ);
    }

    @Override
    public WorkerFile openToChange(Path file) throws IOException {
        return new LocalFile(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.deleteIfExists(path);
        steps.incrementAndGet();
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public boolean isDirectory(Path path) {
        boolean is = Files.isDirectory(path);
        steps.incrementAndGet();
        return is;
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(directory)) {
            return found.peek(each -> steps.incrementAndGet()).sorted().toList();
        }
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean locked;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // This very process has it.
            locked = false;
        }
        if (!locked) {
            channel.close();
            return null;
        }
        return channel;
    }

    @Override
    public long steps() {
        return steps.get();
    }

    @Override
    public long freeBytes() throws IOException {
        return store.getUsableSpace();
    }

    @Override
    public long totalBytes() throws IOException {
        return store.getTotalSpace();
    }

    @Override
    public Object fileSystem() {
        return fileSystem;
    }

    /** An open file; several buffers are one call. */
    private final class LocalFile implements WorkerFile {
        private final Path path;
        private final FileChannel channel;

        LocalFile(Path path, StandardOpenOption... how) throws IOException {
            this.path = path;
            this.channel = FileChannel.open(path, how);
            steps.incrementAndGet();
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void append(long at, ByteBuffer[] buffers, int count) throws IOException {
            channel.position(at);
            while (hasRemaining(buffers, count)) {
                channel.write(buffers, 0, count);
                steps.incrementAndGet();
            }
        }

        @Override
        public long read(long at, ByteBuffer[] buffers, int count) throws IOException {
            long sum = 0;
            try {
                channel.position(at);
                while (hasRemaining(buffers, count)) {
                    long read = channel.read(buffers, 0, count);
                    if (read < 0) {
                        break;
                    }
                    sum += read;
                    steps.incrementAndGet();
                }
            } catch (IOException e) {
                // The system's words say neither where nor of what.
                throw new IOException("reading " + path + " from byte " + at + " on failed: " + e.getMessage(), e);
            }
            return sum;
        }

        private boolean hasRemaining(ByteBuffer[] buffers, int count) {
            return buffers[count - 1].hasRemaining();
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
            steps.incrementAndGet();
        }

        @Override
        public void sync() throws IOException {
            channel.force(false);
            steps.incrementAndGet();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
