package io.drey.files.memory;

import io.drey.files.Directory;
import io.drey.files.FileNames;
import io.drey.files.ReadableFile;
import io.drey.files.SparseFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A directory in memory that can crash: what was not synced may be lost, cut or torn, as the seed of {@link #crash}
 * decides. Counts the files that are open, so that tests find leaks. Deleted files stay readable for those who have
 * them open, as on a disk. Deletions survive a crash.
 */
public final class MemoryDirectory implements Directory {
    private final TreeMap<String, MemoryFile> files = new TreeMap<>();
    private final long capacityBytes;
    private long usedBytes;
    private int openFiles;

    /** Grows with each crash: files opened before it are of no use after it. */
    private int generation;

    public MemoryDirectory() {
        this(Long.MAX_VALUE);
    }

    /** A directory that is full when its files hold {@code capacityBytes}. */
    public MemoryDirectory(long capacityBytes) {
        this.capacityBytes = capacityBytes;
    }

    @Override
    public synchronized WritableFile create(String name) throws IOException {
        FileNames.check(name);
        if (files.containsKey(name)) {
            throw FileNames.existing(describe(), name);
        }
        MemoryFile file = new MemoryFile();
        files.put(name, file);
        openFiles++;
        return new Writer(name, file);
    }

    @Override
    public synchronized SparseFile createSparse(String name, long bytes) throws IOException {
        FileNames.check(name);
        if (files.containsKey(name)) {
            throw FileNames.existing(describe(), name);
        }
        MemoryFile file = new MemoryFile();
        file.stretch(bytes);
        files.put(name, file);
        openFiles++;
        return new Patcher(name, file);
    }

    @Override
    public synchronized ReadableFile open(String name) throws IOException {
        MemoryFile file = files.get(FileNames.check(name));
        if (file == null) {
            throw FileNames.missing(describe(), name);
        }
        openFiles++;
        return new Reader(name, file);
    }

    @Override
    public synchronized void delete(String name) {
        MemoryFile file = files.remove(FileNames.check(name));
        if (file != null) {
            usedBytes -= file.written();
        }
    }

    @Override
    public synchronized boolean exists(String name) {
        return files.containsKey(FileNames.check(name));
    }

    @Override
    public synchronized List<String> list() {
        return new ArrayList<>(files.keySet());
    }

    @Override
    public synchronized long usableBytes() {
        return capacityBytes - usedBytes;
    }

    @Override
    public String describe() {
        return "memory";
    }

    /** Files opened for reading or writing and not closed since. */
    public synchronized int openFiles() {
        return openFiles;
    }

    /** A copy of what the file holds. */
    public synchronized byte[] content(String name) throws IOException {
        return existing(name).content();
    }

    /** Changes one bit of a file for good. */
    public synchronized void flip(String name, long bit) throws IOException {
        existing(name).flip(bit);
    }

    /** Loses what was not synced, as much of it as the seed says; every open file fails from now on. */
    public synchronized void crash(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeMap<String, MemoryFile> left = new TreeMap<>();
        usedBytes = 0;
        for (Map.Entry<String, MemoryFile> entry : files.entrySet()) {
            MemoryFile survivor = entry.getValue().survivor(random);
            if (survivor != null) {
                left.put(entry.getKey(), survivor);
                usedBytes += survivor.written();
            }
        }
        files.clear();
        files.putAll(left);
        generation++;
        openFiles = 0;
    }

    private MemoryFile existing(String name) throws IOException {
        MemoryFile file = files.get(FileNames.check(name));
        if (file == null) {
            throw FileNames.missing(describe(), name);
        }
        return file;
    }

    private synchronized void append(String name, MemoryFile file, ByteBuffer bytes) throws IOException {
        // A deleted file takes no space here any more, as its bytes are not counted at its end either.
        boolean counted = files.get(name) == file;
        int fits = (int) Math.min(bytes.remaining(), counted ? capacityBytes - usedBytes : Integer.MAX_VALUE);
        file.append(bytes, fits);
        if (counted) {
            usedBytes += fits;
        }
        if (bytes.hasRemaining()) {
            throw new IOException(describe() + " is full, " + bytes.remaining() + " more bytes of " + name
                    + " do not fit: free space or use another directory");
        }
    }

    private synchronized void write(String name, MemoryFile file, long position, ByteBuffer bytes) throws IOException {
        boolean counted = files.get(name) == file;
        if (counted && bytes.remaining() > capacityBytes - usedBytes) {
            throw new IOException(describe() + " is full, " + bytes.remaining() + " more bytes of " + name
                    + " do not fit: free space or use another directory");
        }
        int before = file.written();
        file.write(name, position, bytes);
        if (counted) {
            usedBytes += file.written() - before;
        }
    }

    private synchronized void release(int openedIn) {
        if (openedIn == generation) {
            openFiles--;
        }
    }

    private synchronized boolean isCurrent(int openedIn) {
        return openedIn == generation;
    }

    /** An open file: knows whether it still is open, and of which life of the directory it is. */
    private final class Handle {
        private final String name;
        private final int openedIn;
        private boolean closed;

        Handle(String name) {
            this.name = name;
            this.openedIn = generation;
        }

        synchronized void check() throws IOException {
            if (closed) {
                throw new IOException("expected " + name + " in " + describe() + " to be open, found it closed");
            }
            if (!isCurrent(openedIn)) {
                throw new IOException("file " + name + " was opened before " + describe() + " crashed: open it again");
            }
        }

        synchronized void close() {
            if (!closed) {
                closed = true;
                release(openedIn);
            }
        }
    }

    private final class Reader implements ReadableFile {
        private final MemoryFile file;
        private final long size;
        private final Handle handle;

        Reader(String name, MemoryFile file) {
            this.file = file;
            this.size = file.length();
            this.handle = new Handle(name);
        }

        @Override
        public String name() {
            return handle.name;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public void read(long position, ByteBuffer into) throws IOException {
            handle.check();
            file.read(handle.name, position, into);
        }

        @Override
        public void close() {
            handle.close();
        }
    }

    private final class Writer implements WritableFile {
        private final MemoryFile file;
        private final Handle handle;

        Writer(String name, MemoryFile file) {
            this.file = file;
            this.handle = new Handle(name);
        }

        @Override
        public String name() {
            return handle.name;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            handle.check();
            append(handle.name, file, bytes);
        }

        @Override
        public long position() {
            return file.length();
        }

        @Override
        public void sync() throws IOException {
            handle.check();
            file.sync();
        }

        @Override
        public void close() {
            handle.close();
        }
    }

    private final class Patcher implements SparseFile {
        private final MemoryFile file;
        private final Handle handle;

        Patcher(String name, MemoryFile file) {
            this.file = file;
            this.handle = new Handle(name);
        }

        @Override
        public void write(long position, ByteBuffer bytes) throws IOException {
            handle.check();
            MemoryDirectory.this.write(handle.name, file, position, bytes);
        }

        @Override
        public void close() {
            handle.close();
        }
    }
}
