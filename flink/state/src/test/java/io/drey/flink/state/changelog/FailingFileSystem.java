package io.drey.flink.state.changelog;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FSDataOutputStreamWrapper;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/**
 * The local file system as {@code failing:}, which takes no files while a test wants that, or does not say once whether
 * one is there.
 */
public final class FailingFileSystem extends LocalFileSystem {
    public static final String SCHEME = "failing";

    /** Thrown by the next question whether a file is there: an IOException, a RuntimeException or null. */
    public static final AtomicReference<Exception> UNANSWERED = new AtomicReference<>();

    static final AtomicBoolean FAILING = new AtomicBoolean();

    /** Held by a test while files that are created have to wait. */
    static final ReentrantLock GATE = new ReentrantLock();

    /** What files that are created now wait for, however long, or null. */
    static volatile CountDownLatch hang;

    /** Files that were about to be created and found one. */
    static final AtomicInteger HUNG = new AtomicInteger();

    /** Files that are being created or written, also those that hang. */
    static final AtomicInteger OPEN = new AtomicInteger();

    /** Makes one for Flink, which finds it by its service file. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new FailingFileSystem();
        }
    }

    private static void check() throws IOException {
        if (FAILING.get()) {
            throw new IOException("the storage takes no files");
        }
    }

    private static final class Out extends FSDataOutputStreamWrapper {
        private boolean closed;

        Out(FSDataOutputStream out) {
            super(out);
        }

        @Override
        public void close() throws IOException {
            try {
                super.close();
            } finally {
                if (!closed) {
                    closed = true;
                    OPEN.decrementAndGet();
                }
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            check();
            outputStream.write(bytes, offset, length);
        }
    }

    private static void awaitDeaf(CountDownLatch until) {
        boolean interrupted = false;
        while (until.getCount() > 0) {
            try {
                until.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
        GATE.lock();
        GATE.unlock();
        OPEN.incrementAndGet();
        try {
            awaitHang();
            check();
            return new Out(super.create(path, mode));
        } catch (IOException e) {
            OPEN.decrementAndGet();
            throw e;
        }
    }

    private static void awaitHang() {
        CountDownLatch until = hang;
        if (until != null) {
            HUNG.incrementAndGet();
            awaitDeaf(until);
        }
    }

    @Override
    public boolean exists(Path path) throws IOException {
        Exception failure = UNANSWERED.getAndSet(null);
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure != null) {
            throw (IOException) failure;
        }
        return super.exists(path);
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }
}
