package io.drey.shuffle.worker.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** An open file of one thread. */
public interface WorkerFile extends Closeable {
    long size() throws IOException;

    /** Appends what the first {@code count} buffers hold, all of it, at byte {@code at}, which is the file's end. */
    void append(long at, ByteBuffer[] buffers, int count) throws IOException;

    /** Fills the first {@code count} buffers from byte {@code at} on, or as far as the file goes; returns the bytes. */
    long read(long at, ByteBuffer[] buffers, int count) throws IOException;

    void truncate(long size) throws IOException;

    void sync() throws IOException;

    /** All bytes of a file. */
    static byte[] readAll(WorkerDisk disk, Path path) throws IOException {
        try (WorkerFile file = disk.open(path)) {
            ByteBuffer in = ByteBuffer.allocate(Math.toIntExact(file.size()));
            if (in.hasRemaining()) {
                file.read(0, new ByteBuffer[] {in}, 1);
            }
            return in.array();
        }
    }

    /** Puts these bytes, at least one, in the place of a file, which need not be there; it is the old or the new one. */
    static void replace(WorkerDisk disk, Path path, byte[] bytes) throws IOException {
        Path draft = path.resolveSibling(path.getFileName() + ".new");
        disk.delete(draft);
        try (WorkerFile out = disk.create(draft)) {
            out.append(0, new ByteBuffer[] {ByteBuffer.wrap(bytes)}, 1);
        }
        disk.move(draft, path);
    }
}
