package io.drey.files.remote;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A storage far away, in memory: counts what is read and open, and fails, cuts, or waits when a test says so. */
public final class FarFiles {
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger openMost = new AtomicInteger();
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger backwardSeeks = new AtomicInteger();
    final AtomicLong bytesRead = new AtomicLong();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile Runnable beforeRead = () -> {};
    private volatile Runnable beforeEnd = () -> {};
    private volatile int cutAt = Integer.MAX_VALUE;
    private volatile boolean failEnds;
    private volatile Semaphore connections = new Semaphore(Integer.MAX_VALUE);

    public void put(String name, byte[] bytes) {
        files.put(name, bytes);
    }

    public void delete(String name) {
        files.remove(name);
    }

    /** The next so many reads fail. */
    public void fail(int count) {
        failures.set(count);
    }

    /** Files end there from now on. */
    void cutAt(int bytes) {
        cutAt = bytes;
    }

    /** Whether streams fail when they are closed. */
    void failEnds(boolean fail) {
        failEnds = fail;
    }

    /** So many streams may be open: who opens another one waits until one is closed. To be said before any is opened. */
    void connections(int most) {
        connections = new Semaphore(most, true);
    }

    private void connect() throws IOException {
        try {
            connections.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a connection");
        }
    }

    /** Runs before each read, in its thread. */
    public void beforeRead(Runnable action) {
        beforeRead = action;
    }

    /** Runs before a stream is closed, in the thread that does. */
    void beforeEnd(Runnable action) {
        beforeEnd = action;
    }

    /** Streams that are open. */
    public int open() {
        return open.get();
    }

    public RemoteFile file(String name) {
        byte[] bytes = files.get(name);
        return file(name, bytes.length);
    }

    RemoteFile file(String name, long length) {
        return new RemoteFile() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public long bytes() {
                return length;
            }

            @Override
            public String describe() {
                return "far/" + name;
            }

            @Override
            public RemoteStream open() throws IOException {
                byte[] bytes = files.get(name);
                if (bytes == null) {
                    throw new IOException("no such file: far/" + name);
                }
                connect();
                opened.incrementAndGet();
                openMost.accumulateAndGet(open.incrementAndGet(), Math::max);
                return new Stream(bytes);
            }
        };
    }

    private final class Stream implements RemoteStream {
        private final byte[] bytes;
        private int position;
        private volatile boolean closed;

        Stream(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public void seek(long to) {
            if (to < position) {
                backwardSeeks.incrementAndGet();
            }
            position = (int) to;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            beforeRead.run();
            if (closed) {
                throw new IOException("closed");
            }
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IOException("far away, on purpose");
            }
            int count = Math.max(0, Math.min(length, Math.min(bytes.length, cutAt) - position));
            System.arraycopy(bytes, position, into, offset, count);
            position += count;
            bytesRead.addAndGet(count);
            return count;
        }

        @Override
        public void close() throws IOException {
            beforeEnd.run();
            if (!closed) {
                closed = true;
                open.decrementAndGet();
                connections.release();
                if (failEnds) {
                    throw new IOException("the connection was reset");
                }
            }
        }
    }
}
