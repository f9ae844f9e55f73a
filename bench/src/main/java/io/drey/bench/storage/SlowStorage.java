package io.drey.bench.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;
import org.apache.flink.core.fs.BlockLocation;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataInputStreamWrapper;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FSDataOutputStreamWrapper;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The local file system as an object store far away would be: each file takes its time, and all share the line. */
final class SlowStorage extends FileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(SlowStorage.class);
    private static final double NANOS = 1e9;

    /**
     * The speed of a storage.
     *
     * @param bandwidth bytes a second, of all reads and writes of the process together
     * @param latency of opening, finishing and deleting a file
     * @param stalledPart of the written files that wait once for {@code stall}, 0 to 1
     */
    record Speed(long bandwidth, Duration latency, double stalledPart, Duration stall) {}

    private final FileSystem local = FileSystem.getLocalFileSystem();
    private final Speed speed;
    private final SplittableRandom random = new SplittableRandom(1);

    /** When the line is free again. */
    private long freeNanos = System.nanoTime();

    SlowStorage(Speed speed) {
        this.speed = speed;
    }

    private static Path local(Path path) {
        return new Path("file", null, path.toUri().getPath());
    }

    private static void sleep(long nanos) throws IOException {
        try {
            Thread.sleep(Duration.ofNanos(Math.max(0, nanos)).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("a slow write was interrupted").initCause(e);
        }
    }

    private void delay() throws IOException {
        sleep(speed.latency().toNanos());
    }

    private void transfer(int bytes) throws IOException {
        long until;
        synchronized (this) {
            freeNanos = Math.max(freeNanos, System.nanoTime()) + (long) (bytes * NANOS / speed.bandwidth());
            until = freeNanos;
        }
        sleep(until - System.nanoTime());
    }

    private synchronized boolean stalls() {
        return random.nextDouble() < speed.stalledPart();
    }

    /** A file that is written. */
    private final class Out extends FSDataOutputStreamWrapper {
        private final Path path;
        private boolean stalls = stalls();
        private boolean closed;

        Out(Path path, FSDataOutputStream out) {
            super(out);
            this.path = path;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            write(bytes, 0, bytes.length);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (stalls) {
                stalls = false;
                LOG.info("{} hangs", path);
                sleep(speed.stall().toNanos());
            }
            transfer(length);
            outputStream.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                try {
                    delay();
                } finally {
                    super.close();
                }
            }
        }
    }

    /** A file that is read. */
    private final class In extends FSDataInputStreamWrapper {
        In(FSDataInputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            transfer(1);
            return super.read();
        }

        @Override
        public int read(byte[] bytes) throws IOException {
            return read(bytes, 0, bytes.length);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = inputStream.read(bytes, offset, length);
            transfer(Math.max(0, read));
            return read;
        }
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
        delay();
        return new Out(path, local.create(local(path), mode));
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
        delay();
        return new In(local.open(local(path)));
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return open(path);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        delay();
        return local.delete(local(path), recursive);
    }

    @Override
    public Path getWorkingDirectory() {
        return local.getWorkingDirectory();
    }

    @Override
    public Path getHomeDirectory() {
        return local.getHomeDirectory();
    }

    @Override
    public URI getUri() {
        return URI.create(SlowStorageFactory.SCHEME + ":///");
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return local.getFileStatus(local(path));
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) throws IOException {
        return local.getFileBlockLocations(file, start, length);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return local.listStatus(local(path));
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        return local.mkdirs(local(path));
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return local.rename(local(from), local(to));
    }

    @Override
    public boolean isDistributedFS() {
        return true;
    }
}
