package io.drey.flink.state;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FSDataOutputStreamWrapper;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** The local file system as {@code hanging:}, where one file stands still until the test releases it, deaf to interrupts. */
public final class HangingFileSystem extends LocalFileSystem {
    public static final String SCHEME = "hanging";

    /** The calls of a file that may stand still. */
    enum Call {
        CREATE,
        WRITE,
        CLOSE
    }

    private static final AtomicReference<Hang> NEXT = new AtomicReference<>();

    /** Files created, as far as they are still there. */
    static final Set<Path> FILES = ConcurrentHashMap.newKeySet();

    /** Files that were deleted, in that order. */
    static final BlockingQueue<Path> DELETED = new LinkedBlockingQueue<>();

    /** Is run when a file stands still. */
    static volatile Runnable whenStanding = () -> {};

    /** One file that stands still. */
    static final class Hang {
        private final Call call;
        private final Predicate<Path> which;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private volatile Path path;

        Hang(Call call, Predicate<Path> which) {
            this.call = call;
            this.which = which;
        }

        /** Waits until the file stands still, and returns it. */
        Path await() throws InterruptedException {
            reached.await();
            return path;
        }

        void release() {
            released.countDown();
        }

        private void stand() {
            reached.countDown();
            whenStanding.run();
            boolean interrupted = false;
            while (true) {
                try {
                    released.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Makes one for Flink, which finds it by its service file. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new HangingFileSystem();
        }
    }

    /** The next file of this kind stands still. */
    static Hang next(Call call, Predicate<Path> which) {
        Hang hang = new Hang(call, which);
        NEXT.set(hang);
        return hang;
    }

    private static void reach(Hang hang, Call call) {
        if (hang != null && hang.call == call) {
            hang.stand();
        }
    }

    private static final class Out extends FSDataOutputStreamWrapper {
        private final Hang hang;
        private boolean begun;

        Out(FSDataOutputStream out, Hang hang) {
            super(out);
            this.hang = hang;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!begun) {
                begun = true;
                reach(hang, Call.WRITE);
            }
            outputStream.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            reach(hang, Call.CLOSE);
            super.close();
        }
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
        Hang hang = NEXT.get();
        boolean hangs = hang != null && hang.which.test(path) && NEXT.compareAndSet(hang, null);
        if (hangs) {
            hang.path = path;
            reach(hang, Call.CREATE);
        }
        Out out = new Out(super.create(path, mode), hangs ? hang : null);
        FILES.add(path);
        return out;
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        boolean deleted = super.delete(path, recursive);
        FILES.remove(path);
        DELETED.add(path);
        return deleted;
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }
}
