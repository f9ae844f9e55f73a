package io.drey.shuffle.worker;

import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A local disk with a size of its own, that can break, and that counts reads and seeks. */
final class FailingDisk implements WorkerDisk {
    private final LocalDisk disk;
    private long spaceLeft;
    private volatile boolean broken;
    private volatile String refusal;
    private volatile Runnable beforeOpening = () -> {};
    private volatile boolean isReadOnly;
    private volatile boolean keepsFiles;
    private volatile boolean failsToClose;
    private volatile Path closed;
    private final AtomicBoolean memoryShort = new AtomicBoolean();
    private volatile CountDownLatch held = new CountDownLatch(0);

    /** Appends that wait. */
    private final AtomicInteger waiting = new AtomicInteger();

    private int reads;
    private int seeks;
    private long largestRead;
    private final List<String> order = new ArrayList<>();
    private String last = "";

    FailingDisk(Path directory, long space) throws IOException {
        this.disk = new LocalDisk(directory);
        this.spaceLeft = space;
    }

    void breakDown() {
        broken = true;
    }

    /** Appends and reads fail with these words of the system, until there are none. */
    void refuse(String words) {
        refusal = words;
    }

    /** Nothing can be deleted, while that is so. */
    void keepFiles(boolean now) {
        keepsFiles = now;
    }

    /** Nothing at or below a path can be listed or opened, as in a directory of another user. */
    void closeOff(Path path) {
        closed = path;
    }

    private void checkAccess(Path path) throws IOException {
        if (closed != null && path.startsWith(closed)) {
            throw new AccessDeniedException(path.toString());
        }
    }

    /** Files are closed with an error from now on. */
    void failToClose() {
        failsToClose = true;
    }

    /** A disk that takes its time to open a file to read. */
    void beforeOpening(Runnable meanwhile) {
        beforeOpening = meanwhile;
    }

    /** As the system leaves a file system on which it met an error. */
    void remountToRead() {
        isReadOnly = true;
    }

    private void checkWritable() throws IOException {
        if (isReadOnly) {
            throw new IOException("Read-only file system");
        }
    }

    private void checkRefusal() throws IOException {
        if (refusal != null) {
            throw new IOException(refusal);
        }
    }

    /** Something else has taken all that is left. */
    synchronized void fill() {
        spaceLeft = 0;
    }

    synchronized void makeRoom(long bytes) {
        spaceLeft = bytes;
    }

    /** The next append or read ends with an error of the process. */
    void runOutOfMemory() {
        memoryShort.set(true);
    }

    private void allocate() {
        if (memoryShort.getAndSet(false)) {
            throw new OutOfMemoryError("Direct buffer memory");
        }
    }

    /** Appends wait until {@link #go}. */
    void hold() {
        held = new CountDownLatch(1);
    }

    void go() {
        held.countDown();
    }

    void awaitHeld() throws InterruptedException {
        Until.isTrue("an append that waits", () -> waiting.get() > 0);
    }

    /** Lets an append that waits go on, and holds the next one. */
    void goOnce() throws InterruptedException {
        awaitHeld();
        CountDownLatch first = held;
        held = new CountDownLatch(1);
        first.countDown();
    }

    synchronized int reads() {
        return reads;
    }

    /** Reads that did not begin where the one before ended. */
    synchronized int seeks() {
        return seeks;
    }

    /** Bytes of the largest one. */
    synchronized long largestRead() {
        return largestRead;
    }

    synchronized void resetCounts() {
        reads = 0;
        seeks = 0;
        order.clear();
    }

    private synchronized void countRead(Path path, long at, long bytes) {
        reads++;
        largestRead = Math.max(largestRead, bytes);
        if (!last.equals(path + "@" + at)) {
            seeks++;
        }
        last = path + "@" + (at + bytes);
        order.add(last);
    }

    private synchronized void take(long bytes) throws IOException {
        if (broken) {
            throw new IOException("Input/output error");
        }
        if (bytes > spaceLeft) {
            throw new IOException("No space left on device");
        }
        spaceLeft -= bytes;
    }

    private synchronized void give(long bytes) {
        spaceLeft += bytes;
    }

    @Override
    public WorkerFile create(Path file) throws IOException {
        checkWritable();
        return new File(file, disk.create(file));
    }

    @Override
    public WorkerFile open(Path file) throws IOException {
        beforeOpening.run();
        checkAccess(file);
        return new File(file, disk.open(file));
    }

    @Override
    public WorkerFile openToChange(Path file) throws IOException {
        checkAccess(file);
        checkWritable();
        return new File(file, disk.openToChange(file));
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        disk.move(from, to);
    }

    @Override
    public boolean isDirectory(Path path) {
        return disk.isDirectory(path);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        checkAccess(directory);
        return disk.list(directory);
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        checkAccess(file);
        checkWritable();
        return disk.lock(file);
    }

    @Override
    public void delete(Path file) throws IOException {
        if (keepsFiles) {
            throw new IOException("Input/output error");
        }
        disk.delete(file);
    }

    @Override
    public long steps() {
        return disk.steps();
    }

    @Override
    public synchronized long freeBytes() {
        return spaceLeft;
    }

    @Override
    public long totalBytes() throws IOException {
        return disk.totalBytes();
    }

    private final class File implements WorkerFile {
        private final Path path;
        private final WorkerFile file;

        File(Path path, WorkerFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        /** A full disk takes what fits. */
        @Override
        public void append(long at, ByteBuffer[] buffers, int count) throws IOException {
            try {
                waiting.incrementAndGet();
                held.await();
                waiting.decrementAndGet();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            allocate();
            checkRefusal();
            checkWritable();
            for (int i = 0; i < count; i++) {
                int bytes = buffers[i].remaining();
                if (bytes > freeBytes() && !broken) {
                    ByteBuffer part = buffers[i].duplicate();
                    part.limit(part.position() + (int) freeBytes());
                    file.append(at, new ByteBuffer[] {part}, 1);
                }
                take(bytes);
                file.append(at, new ByteBuffer[] {buffers[i]}, 1);
                at += bytes;
            }
        }

        @Override
        public long read(long at, ByteBuffer[] buffers, int count) throws IOException {
            allocate();
            checkRefusal();
            if (broken) {
                throw new IOException("Input/output error");
            }
            long bytes = file.read(at, buffers, count);
            countRead(path, at, bytes);
            return bytes;
        }

        @Override
        public void truncate(long size) throws IOException {
            give(Math.max(0, file.size() - size));
            file.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
            if (failsToClose) {
                throw new IOException("Input/output error");
            }
        }
    }
}
