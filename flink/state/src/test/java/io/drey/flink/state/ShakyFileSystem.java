package io.drey.flink.state;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.core.fs.BlockLocation;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataInputStreamWrapper;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FSDataOutputStreamWrapper;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/**
 * The local file system as {@code shaky:}, where some files are slow to write and some cannot be written, and reads are
 * slow if a test wants that.
 */
public final class ShakyFileSystem extends FileSystem {
    public static final String SCHEME = "shaky";

    /** One file in so many is slow, by chance. */
    private static final int SLOW = 25;

    private static final int SLOW_MS_MAX = 500;

    /** Each file of this number fails: some do for certain, and which ones is up to the threads that write. */
    private static final int FAILING = 60;

    private static final AtomicInteger WRITTEN = new AtomicInteger();

    /** Files that failed on purpose. */
    static final AtomicInteger FAILED = new AtomicInteger();

    /** Smaller reads come out of a client's buffer: how many there are of them is up to the JDK. */
    private static final int BUFFERED_BYTES = 4 << 10;

    /** How long each read takes. */
    static final AtomicInteger READ_MS = new AtomicInteger();

    /** Bytes read. */
    static final AtomicLong READ_BYTES = new AtomicLong();

    private final FileSystem local = LocalFileSystem.getSharedInstance();

    /** Makes one for Flink, which finds it by its service file. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new ShakyFileSystem();
        }
    }

    private static final class SlowStream extends FSDataInputStreamWrapper {
        SlowStream(FSDataInputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes) throws IOException {
            return read(bytes, 0, bytes.length);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                Thread.sleep(length < BUFFERED_BYTES ? 0 : READ_MS.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("a slow read was interrupted").initCause(e);
            }
            int count = inputStream.read(bytes, offset, length);
            READ_BYTES.addAndGet(Math.max(0, count));
            return count;
        }
    }

    private static final class ShakyStream extends FSDataOutputStreamWrapper {
        ShakyStream(FSDataOutputStream out) {
            super(out);
        }

        @Override
        public void close() throws IOException {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            if (random.nextInt(SLOW) == 0) {
                try {
                    Thread.sleep(random.nextInt(SLOW_MS_MAX));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            super.close();
            if (WRITTEN.incrementAndGet() % FAILING == 0) {
                FAILED.incrementAndGet();
                throw new IOException("shaky, on purpose");
            }
        }
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
        return new ShakyStream(local.create(path, mode));
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
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
    public FileStatus getFileStatus(Path path) throws IOException {
        return local.getFileStatus(path);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) throws IOException {
        return local.getFileBlockLocations(file, start, length);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return new SlowStream(local.open(path, bufferSize));
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
        return new SlowStream(local.open(path));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return local.listStatus(path);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return local.delete(path, recursive);
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        return local.mkdirs(path);
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return local.rename(from, to);
    }

    @Override
    public boolean isDistributedFS() {
        return true;
    }
}
