package io.drey.files.disks;

import io.drey.files.Directory;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** One of the directories of a {@link DiskSet}: measures what it is asked for. Thread safe. */
final class Disk {
    /** What counts as one I/O, as cloud volumes count. */
    private static final int IO_BYTES = 256 << 10;

    /** Weight of one I/O in the recent latency. */
    private static final double RECENT_PART = 1.0 / 16;

    /** A directory nobody used for so long counts as twice as fast as it was: it may have recovered. */
    private static final double HALF_LIFE_NANOS = 60e9;

    /** A directory that has just failed is chosen as if its I/Os took so long; that fades as a latency does. */
    private static final double FAILURE_NANOS = 60e9;

    private final Directory inner;
    private final LongSupplier nanoClock;
    private final LongAdder reads = new LongAdder();
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder readNanos = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder writeNanos = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();

    /** Of the last I/Os; two threads may overwrite each other's share in it, which does not matter. */
    private volatile double recentNanos;

    private volatile long lastIo;
    private volatile long lastFailure;
    private volatile boolean hasFailed;

    /** Bytes of sparse files that are still to be written: this space is not to be had. */
    private final AtomicLong promised = new AtomicLong();

    private volatile long usableBytes;

    Disk(Directory inner, LongSupplier nanoClock) {
        this.inner = inner;
        this.nanoClock = nanoClock;
        this.lastIo = nanoClock.getAsLong();
    }

    Directory directory() {
        return inner;
    }

    String describe() {
        return inner.describe();
    }

    /** Asks the disk for the space that is left, promised or not. */
    long freeBytes() throws IOException {
        long bytes = inner.usableBytes();
        usableBytes = Math.max(0, bytes - promised.get());
        return bytes;
    }

    /** Asks the disk for the space that is to be had. */
    long usableBytes() throws IOException {
        freeBytes();
        return usableBytes;
    }

    /** Promises space, or gives some back. */
    void promise(long bytes) {
        promised.addAndGet(bytes);
    }

    /** What the disk answered last. */
    long lastUsableBytes() {
        return usableBytes;
    }

    /** How long an I/O takes by recent experience, with those who write here already. */
    double load(long now) {
        double blame = hasFailed ? faded(FAILURE_NANOS, now - lastFailure) : 0;
        return (latencyNanos(now) + blame) * (1 + writers.get());
    }

    /** By recent experience, which is forgotten. */
    private double latencyNanos(long now) {
        return faded(recentNanos, now - lastIo);
    }

    private static double faded(double nanos, long since) {
        return nanos * Math.pow(0.5, since / HALF_LIFE_NANOS);
    }

    void failed() {
        failures.increment();
        lastFailure = nanoClock.getAsLong();
        hasFailed = true;
    }

    void writerOpened() {
        writers.incrementAndGet();
    }

    void writerClosed() {
        writers.decrementAndGet();
    }

    void read(ReadableFile file, long position, ByteBuffer into) throws IOException {
        int bytes = into.remaining();
        long begin = begin();
        boolean done = false;
        try {
            file.read(position, into);
            done = true;
        } catch (IOException | RuntimeException e) {
            failed();
            throw e;
        } finally {
            long nanos = end(begin, bytes, done);
            if (done) {
                reads.increment();
                readBytes.add(bytes);
                readNanos.add(nanos);
            }
        }
    }

    /** A write to this disk. */
    @FunctionalInterface
    interface Write {
        void run() throws IOException;
    }

    void write(WritableFile file, ByteBuffer from) throws IOException {
        write(from.remaining(), () -> file.write(from));
    }

    void write(int bytes, Write write) throws IOException {
        long begin = begin();
        boolean done = false;
        try {
            write.run();
            done = true;
        } catch (IOException | RuntimeException e) {
            failed();
            throw e;
        } finally {
            long nanos = end(begin, bytes, done);
            if (done) {
                writes.increment();
                writtenBytes.add(bytes);
                writeNanos.add(nanos);
            }
        }
    }

    private long begin() {
        underWay.incrementAndGet();
        return nanoClock.getAsLong();
    }

    private long end(long begin, int bytes, boolean done) {
        underWay.decrementAndGet();
        long now = nanoClock.getAsLong();
        if (done) {
            double nanos = (now - begin) / Math.max(1, Math.ceil((double) bytes / IO_BYTES));
            double before = recentNanos;
            recentNanos = before + (nanos - before) * RECENT_PART;
            lastIo = now;
        }
        return now - begin;
    }

    DirectoryStats stats() {
        return new DirectoryStats(
                describe(),
                reads.sum(),
                readBytes.sum(),
                readNanos.sum(),
                writes.sum(),
                writtenBytes.sum(),
                writeNanos.sum(),
                failures.sum(),
                (long) latencyNanos(nanoClock.getAsLong()),
                underWay.get(),
                usableBytes);
    }
}
