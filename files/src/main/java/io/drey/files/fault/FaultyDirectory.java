package io.drey.files.fault;

import io.drey.files.DelegatingReader;
import io.drey.files.Directory;
import io.drey.files.FileNames;
import io.drey.files.ReadableFile;
import io.drey.files.SparseFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A directory around another one that does what disks do on bad days: fails the n-th I/O, runs out of space in the
 * middle of a write, refuses to delete, is slow, or returns a flipped bit. Every call of {@link Directory}, every read,
 * write and sync counts as one I/O; closing does not.
 *
 * <p>Thread safe, and the count follows the order in which threads arrive.
 */
public final class FaultyDirectory implements Directory {
    private final Directory inner;
    private final Map<String, TreeSet<Long>> flips = new HashMap<>();
    private long ios;
    private long failFirst;
    private long failLast;
    private long spaceBytes;
    private boolean failDeletes;
    private volatile boolean failWrites;
    private volatile boolean failReads;
    private volatile int blockBytes = 1;
    private Runnable beforeEach;

    public FaultyDirectory(Directory inner) {
        this.inner = inner;
        heal();
    }

    /** Ends all faults. */
    public synchronized void heal() {
        failFirst = Long.MAX_VALUE;
        failLast = Long.MAX_VALUE;
        spaceBytes = Long.MAX_VALUE;
        failDeletes = false;
        failWrites = false;
        failReads = false;
        beforeEach = () -> {};
        flips.clear();
    }

    /** I/Os so far. */
    public synchronized long ios() {
        return ios;
    }

    /** Fails one I/O: the next one for 0. */
    public synchronized void failAt(long io) {
        failFirst = ios + io;
        failLast = failFirst;
    }

    /** Fails one I/O, the next one for 0, and all after it. */
    public synchronized void failFrom(long io) {
        failFirst = ios + io;
        failLast = Long.MAX_VALUE;
    }

    /** Writes fail once {@code bytes} more bytes are written; the write that hits the limit is done in part. */
    public synchronized void spaceLeft(long bytes) {
        spaceBytes = bytes;
    }

    /** What does not fill a block waits in memory for the next write or the close, as with direct I/O. */
    public void writeBlocks(int bytes) {
        blockBytes = bytes;
    }

    public synchronized void failDeletes(boolean fail) {
        failDeletes = fail;
    }

    /** Fails all writes into files, while there is room. */
    public void failWrites(boolean fail) {
        failWrites = fail;
    }

    /** Fails all reads of files. */
    public void failReads(boolean fail) {
        failReads = fail;
    }

    /** Runs before each I/O in its thread: to be slow, to wait, to interrupt. */
    public synchronized void beforeEach(Runnable action) {
        beforeEach = action;
    }

    /** From now on reads see this bit of the file flipped; flipped twice, it is whole again. */
    public synchronized void flip(String name, long bit) {
        TreeSet<Long> bits = flips.computeIfAbsent(FileNames.check(name), ignored -> new TreeSet<>());
        if (!bits.remove(bit)) {
            bits.add(bit);
        }
    }

    private void io(String what) throws IOException {
        Runnable before;
        synchronized (this) {
            long io = ios++;
            if (io >= failFirst && io <= failLast) {
                throw new InjectedFaultException(what + " as I/O " + io);
            }
            before = beforeEach;
        }
        before.run();
    }

    @Override
    public WritableFile create(String name) throws IOException {
        io("create " + name);
        return new FaultyWriter(inner.create(name));
    }

    @Override
    public SparseFile createSparse(String name, long bytes) throws IOException {
        io("create " + name);
        return new FaultySparseFile(name, inner.createSparse(name, bytes));
    }

    @Override
    public ReadableFile open(String name) throws IOException {
        io("open " + name);
        return new FaultyReader(inner.open(name));
    }

    @Override
    public void delete(String name) throws IOException {
        io("delete " + name);
        synchronized (this) {
            if (failDeletes) {
                throw new InjectedFaultException("delete " + name);
            }
            flips.remove(name);
        }
        inner.delete(name);
    }

    @Override
    public boolean exists(String name) throws IOException {
        io("look for " + name);
        return inner.exists(name);
    }

    @Override
    public List<String> list() throws IOException {
        io("list");
        return inner.list();
    }

    @Override
    public long usableBytes() throws IOException {
        io("ask for space");
        long usable = inner.usableBytes();
        synchronized (this) {
            return Math.min(usable, spaceBytes);
        }
    }

    @Override
    public String describe() {
        return "faulty " + inner.describe();
    }

    /** Takes up to that much of the space left, and says how much. */
    private synchronized int takeSpace(int bytes) {
        int taken = (int) Math.min(bytes, spaceBytes);
        if (spaceBytes != Long.MAX_VALUE) {
            spaceBytes -= taken;
        }
        return taken;
    }

    private synchronized void applyFlips(String name, long position, ByteBuffer read, int start) {
        Set<Long> bits = flips.getOrDefault(name, new TreeSet<>());
        for (long bit : bits) {
            long at = (bit >>> 3) - position;
            if (at >= 0 && at < read.position() - start) {
                int index = start + (int) at;
                read.put(index, (byte) (read.get(index) ^ 1 << (bit & 7)));
            }
        }
    }

    private final class FaultyReader extends DelegatingReader {
        FaultyReader(ReadableFile file) {
            super(file);
        }

        @Override
        public void read(long position, ByteBuffer into) throws IOException {
            io("read " + file.name());
            if (failReads) {
                throw new InjectedFaultException("read " + file.name());
            }
            int start = into.position();
            file.read(position, into);
            applyFlips(file.name(), position, into, start);
        }
    }

    private final class FaultyWriter implements WritableFile {
        private final WritableFile file;
        private ByteBuffer pending = ByteBuffer.allocate(0);
        private boolean failed;

        FaultyWriter(WritableFile file) {
            this.file = file;
        }

        @Override
        public String name() {
            return file.name();
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            if (failed) {
                throw new InjectedFaultException("write " + file.name() + " after a block that failed");
            }
            if (blockBytes == 1 && bytes.hasRemaining()) {
                writeThrough(bytes);
                return;
            }
            ByteBuffer all = ByteBuffer.allocate(pending.remaining() + bytes.remaining());
            all.put(pending.duplicate()).put(bytes).flip();
            int whole = all.remaining() - all.remaining() % blockBytes;
            failed = true;
            if (whole > 0) {
                writeThrough(all.slice(0, whole));
            }
            failed = false;
            pending = all.slice(whole, all.remaining() - whole);
        }

        @Override
        public ByteBuffer pending() {
            return pending.duplicate();
        }

        private void writeThrough(ByteBuffer bytes) throws IOException {
            io("write " + file.name());
            if (failWrites) {
                throw new InjectedFaultException("write " + file.name());
            }
            int wanted = bytes.remaining();
            int fits = takeSpace(wanted);
            int limit = bytes.limit();
            bytes.limit(bytes.position() + fits);
            file.write(bytes);
            bytes.limit(limit);
            if (fits < wanted) {
                throw new InjectedFaultException(
                        "full, " + (wanted - fits) + " bytes of " + file.name() + " do not fit");
            }
        }

        @Override
        public long position() {
            return file.position() + pending.remaining();
        }

        @Override
        public void sync() throws IOException {
            io("sync " + file.name());
            file.sync();
        }

        @Override
        public void close() throws IOException {
            try {
                if (!failed && pending.hasRemaining()) {
                    failed = true;
                    writeThrough(pending.duplicate());
                }
            } finally {
                file.close();
            }
        }
    }

    private final class FaultySparseFile implements SparseFile {
        private final String name;
        private final SparseFile file;

        FaultySparseFile(String name, SparseFile file) {
            this.name = name;
            this.file = file;
        }

        @Override
        public void write(long position, ByteBuffer bytes) throws IOException {
            io("write " + name);
            int wanted = bytes.remaining();
            int fits = takeSpace(wanted);
            int limit = bytes.limit();
            bytes.limit(bytes.position() + fits);
            file.write(position, bytes);
            bytes.limit(limit);
            if (fits < wanted) {
                throw new InjectedFaultException("full, " + (wanted - fits) + " bytes of " + name + " do not fit");
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
