package io.drey.files.disks;

import io.drey.files.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** A sparse file of a {@link DiskSet}, which stays where it was begun: the disk keeps the space that it still needs. */
final class DiskSetSparseFile implements SparseFile {
    private final DiskSet directory;
    private final String name;
    private final Disk disk;
    private final SparseFile file;

    /** Space that is promised and not taken yet. */
    private final AtomicLong left;

    /** A file for which the disk has promised the space. */
    DiskSetSparseFile(DiskSet directory, String name, Disk disk, SparseFile file, long bytes) {
        this.directory = directory;
        this.name = name;
        this.disk = disk;
        this.file = file;
        this.left = new AtomicLong(bytes);
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        int count = bytes.remaining();
        try {
            disk.write(count, () -> file.write(position, bytes));
        } catch (IOException e) {
            throw directory.isFull(disk, count, e) ? directory.full(name, e) : e;
        }
        take(count);
    }

    /** The space is taken, or not needed. */
    private void take(long bytes) {
        long before = left.getAndUpdate(now -> Math.max(0, now - bytes));
        disk.promise(-Math.min(before, bytes));
    }

    @Override
    public void close() throws IOException {
        take(Long.MAX_VALUE);
        file.close();
    }
}
