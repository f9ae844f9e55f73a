package io.drey.files.disks;

import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * A file of a {@link DiskSet} while it is written: moves to another directory when the one it is in is full, or fails.
 * One thread.
 */
final class DiskSetFile implements WritableFile {
    private static final int COPY_BYTES = 256 << 10;

    private final DiskSet directory;
    private final String name;

    /** Places that were full or failed; each is tried once. */
    private final Set<Disk> tried = new HashSet<>();

    private Disk disk;
    private WritableFile file;
    private final FileChecksum checksum = new FileChecksum();
    private long position;

    /** Whether {@link #file} is one of the writers of its disk. */
    private boolean counted;

    private boolean closed;

    /** @param holder where a file of that name is already, to be told so; null if there is none */
    DiskSetFile(DiskSet directory, String name, Disk holder) throws IOException {
        this.directory = directory;
        this.name = name;
        if (holder == null) {
            createInNext(null, true);
        } else {
            use(holder, holder.directory().create(name));
        }
    }

    /**
     * Creates the file in the best disk that was not tried yet.
     *
     * @param reason of a move, or null
     * @param full whether no disk has failed by anything but its space
     */
    private void createInNext(IOException reason, boolean full) throws IOException {
        IOException failure = reason;
        boolean allFull = full;
        for (Disk candidate : directory.ranked()) {
            if (tried.add(candidate)) {
                try {
                    use(candidate, candidate.directory().create(name));
                    return;
                } catch (IOException e) {
                    candidate.failed();
                    allFull &= directory.isFull(candidate, 1, e);
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
        }
        throw allFull ? directory.full(name, failure) : directory.refused(name, failure);
    }

    private void use(Disk newDisk, WritableFile newFile) {
        disk = newDisk;
        file = newFile;
        disk.writerOpened();
        counted = true;
        directory.moved(name, disk);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        int start = bytes.position();
        int limit = bytes.limit();
        checksum.add(bytes);
        boolean written = false;
        IOException failure = null;
        while (!written) {
            try {
                disk.write(file, bytes);
                written = true;
            } catch (IOException e) {
                if (closed) {
                    throw e;
                }
                if (directory.isFull(disk, limit - start, e)) {
                    move(position, e, true);
                    bytes.limit(limit).position(start);
                } else if (failure == null) {
                    // It may have been full: what others deleted meanwhile is free again.
                    failure = e;
                } else {
                    leaveFailing(failure);
                    bytes.limit(limit).position(start);
                    failure = null;
                }
            }
        }
        position += limit - start;
    }

    /** Goes on in a disk that does not fail, if there is one, and what is written can still be read. */
    private void leaveFailing(IOException failure) throws IOException {
        try {
            move(position, failure, false);
        } catch (IOException e) {
            if (e.getCause() == failure) {
                throw e;
            }
            failure.addSuppressed(e);
            throw directory.refused(name, failure);
        }
    }

    /** Goes on in another disk, with the first so many bytes. */
    private void move(long bytes, IOException reason, boolean full) throws IOException {
        Disk oldDisk = disk;
        tried.add(oldDisk);
        ByteBuffer pending = file.pending();
        closeFile();
        boolean moved = false;
        try (ReadableFile old = oldDisk.directory().open(name)) {
            while (!moved) {
                createInNext(reason, full);
                moved = copy(old, bytes - pending.remaining(), pending.duplicate(), reason);
            }
        } finally {
            if (!moved) {
                // The caller deletes the file: let it find the one that is left.
                directory.moved(name, oldDisk);
            }
        }
        directory.deleteFrom(oldDisk, name);
    }

    /** False if this disk became full too; then nothing of the file is left in it. */
    private boolean copy(ReadableFile from, long bytes, ByteBuffer rest, IOException reason) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(COPY_BYTES, Math.max(1, bytes)));
        boolean done = false;
        try {
            for (long at = 0; at < bytes; at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), bytes - at));
                from.read(at, buffer);
                disk.write(file, buffer.flip());
            }
            disk.write(file, rest);
            done = true;
        } catch (IOException e) {
            if (!directory.isFull(disk, buffer.limit(), e)) {
                throw e;
            }
            reason.addSuppressed(e);
        } finally {
            if (!done) {
                closeFile();
                directory.deleteFrom(disk, name);
            }
        }
        return done;
    }

    private void closeFile() throws IOException {
        if (counted) {
            counted = false;
            disk.writerClosed();
        }
        file.close();
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void sync() throws IOException {
        file.sync();
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            boolean written = false;
            while (!written) {
                try {
                    closeFile();
                    written = true;
                } catch (IOException e) {
                    if (directory.isFull(disk, 1, e)) {
                        move(position, e, true);
                    } else {
                        leaveFailing(e);
                    }
                }
            }
            directory.written(name, checksum.value());
        }
    }
}
