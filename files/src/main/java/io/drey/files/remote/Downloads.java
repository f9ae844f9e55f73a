package io.drey.files.remote;

import io.drey.files.SparseFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The files of one restore that are still far away. Those who read them fetch what they need; meanwhile some threads
 * complete all files, the smallest first, because these are the youngest; before that what is {@linkplain
 * PartialFile#expect expected}. There are more of them only for the first pieces of that.
 *
 * <p>These threads are an executor's, and give it back after each piece of a file ({@link
 * PartialFile#RANGES_AT_ONCE}), so that others have their turn. A range that cannot be read is asked for again, a
 * limited number of times; then whoever wanted it fails. If that was the background, all that is not here yet fails, and
 * the listener is told. Closing ends all streams and waits. Thread safe.
 */
public final class Downloads implements Closeable {
    /** Of what is expected, and of which some has come since that was said. */
    static final long LEAST_URGENCY = 1;

    private final Limits limits;
    private final LongSupplier clock;
    private final Listener listener;
    private final RemoteStreams streams;
    private final AtomicLong rangesRead = new AtomicLong();
    private final AtomicLong expectations = new AtomicLong(LEAST_URGENCY);
    private final long beginNanos;

    /** Set under the lock of this, read without: files are locked inside of it, never around it. */
    private volatile IOException failure;

    private volatile boolean closed;

    /** Not whole yet. As all below, under the lock of this. */
    private final List<PartialFile> files = new ArrayList<>();

    /** Those of the background now. */
    private final Set<PartialFile> busy = new HashSet<>();

    private Executor executor;
    private Runnable whenWhole = () -> {};
    private int parallelMax;
    private int workers;
    private boolean over;
    private long endNanos;

    /**
     * Bounds of what a restore takes.
     *
     * @param rangeBytes what is fetched and remembered as one
     * @param streamsMax open streams, each with memory for a range
     * @param attemptsMax times that a range is asked for
     * @param pauseMillis before it is asked for again; twice as long each time
     */
    public record Limits(int rangeBytes, int streamsMax, int attemptsMax, long pauseMillis) {
        public static final Limits DEFAULT = new Limits(64 << 10, 32, 7, 100);

        /** How many small pieces that somebody waits for come at once: a round trip each. Others find a stream too. */
        public int smallPiecesMax() {
            return Math.max(1, streamsMax / 2);
        }
    }

    /** Is told once how it ends; any thread. */
    public interface Listener {
        /** All files are here. */
        void whole(long nanos);

        /** A file will not come: what reads it fails. */
        void failed(IOException cause);
    }

    public Downloads(Limits limits, LongSupplier clock, Listener listener) {
        this.limits = limits;
        this.clock = clock;
        this.listener = listener;
        this.streams = new RemoteStreams(limits.streamsMax(), limits.rangeBytes(), IdleStreams.OF_PROCESS);
        this.beginNanos = clock.getAsLong();
    }

    public Limits limits() {
        return limits;
    }

    /**
     * Takes a file that is far away.
     *
     * @param checksum of its bytes, or that none is known
     * @param local the file here, of the same length; closed when the file is whole or dropped, or with this
     */
    public PartialFile add(RemoteFile remote, long checksum, SparseFile local) throws IOException {
        PartialFile file = new PartialFile(this, remote, checksum, local);
        synchronized (this) {
            checkUsable(remote);
            files.add(file);
        }
        file.begin();
        return file;
    }

    /** Sets what is called once all files are here, in any thread, before the listener is told; before the begin. */
    public synchronized void whenWhole(Runnable call) {
        whenWhole = call;
    }

    /** Begins to complete all files in the background. */
    public void begin(Executor threads, int newParallelMax) {
        synchronized (this) {
            executor = threads;
            parallelMax = newParallelMax;
            files.sort(Comparator.comparingLong(file -> file.remote().bytes()));
        }
        tellIfOver();
        for (int i = 0; i < Math.max(newParallelMax, limits.smallPiecesMax()); i++) {
            wanted();
        }
    }

    /** There are ranges that nobody fetches: another worker, if there may be one. */
    void wanted() {
        Executor threads;
        synchronized (this) {
            if (executor == null || closed || failure != null || workers >= workersMax() || !isWanting()) {
                return;
            }
            workers++;
            threads = executor;
        }
        submit(threads);
    }

    private int workersMax() {
        boolean isUrgent = files.stream().anyMatch(file -> file.urgency() > LEAST_URGENCY);
        return isUrgent ? Math.max(parallelMax, limits.smallPiecesMax()) : parallelMax;
    }

    private boolean isWanting() {
        return files.stream().anyMatch(file -> !busy.contains(file) && file.isWanting());
    }

    private void submit(Executor threads) {
        try {
            threads.execute(() -> step(threads));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The others go on, if there are any.
            if (endWorker() == 0) {
                fail(new IOException("the executor of downloads has no thread for them: " + e, e));
            }
        }
    }

    /** How many are left. */
    private synchronized int endWorker() {
        return --workers;
    }

    private void step(Executor threads) {
        PartialFile file = take();
        if (file == null) {
            return;
        }
        IOException thrown = null;
        try {
            file.fetchNext();
        } catch (IOException e) {
            thrown = e;
        } catch (RuntimeException | Error e) {
            // The top of a piece of work of an executor's thread: whoever reads the file is told.
            thrown = new IOException(e.toString(), e);
        } finally {
            synchronized (this) {
                busy.remove(file);
            }
        }
        if (thrown != null && !file.isDropped()) {
            endWorker();
            fail(thrown);
        } else {
            submit(threads);
        }
    }

    /** The next file to work on; null, and a worker less, if there is none. */
    private synchronized PartialFile take() {
        PartialFile next = closed || failure != null || workers > workersMax() ? null : next();
        if (next == null) {
            workers--;
        } else {
            busy.add(next);
        }
        return next;
    }

    private PartialFile next() {
        PartialFile next = null;
        long most = -1;
        for (PartialFile file : files) {
            if (!busy.contains(file) && file.isWanting()) {
                long urgency = file.urgency();
                if (next == null || urgency > most) {
                    next = file;
                    most = urgency;
                }
            }
        }
        return next;
    }

    /**
     * Fetches a range that the calling thread has claimed.
     *
     * @param forward whether the thread fetches one range after the other, those far behind the first later
     */
    void fetch(PartialFile file, int range, boolean forward) throws IOException {
        for (int attempt = 1; ; attempt++) {
            RemoteStreams.Pooled stream;
            try {
                stream = file.read(streams, range, forward);
            } catch (IOException e) {
                if (file.isDropped()
                        || attempt >= limits.attemptsMax()
                        || Thread.currentThread().isInterrupted()) {
                    throw new IOException(
                            "expected " + file.describe(range, range + 1) + " for file "
                                    + file.remote().name() + ", found after " + attempt + " attempts: "
                                    + e.getMessage() + "; restore from another checkpoint if it is lost",
                            e);
                }
                pause(file, attempt, e);
                continue;
            }
            try {
                file.store(range, stream.buffer);
            } catch (DamagedFileException e) {
                fail(e);
                throw e;
            } finally {
                streams.give(stream, () -> !file.isWhole() && !file.isDropped());
            }
            return;
        }
    }

    /** Closes what has read a file, which may not be read again soon. */
    void closeIdle(RemoteFile remote) {
        streams.closeIdle(remote);
    }

    private synchronized void pause(PartialFile file, int attempt, IOException cause) throws IOException {
        long end = System.nanoTime() + (limits.pauseMillis() << (attempt - 1)) * 1_000_000;
        long left;
        while ((left = (end - System.nanoTime()) / 1_000_000) > 0) {
            checkUsable(file.remote());
            try {
                wait(left);
            } catch (InterruptedException e) {
                IOException failed = Waits.interrupted(file.remote().describe(), e);
                failed.addSuppressed(cause);
                throw failed;
            }
        }
    }

    /** The next number of an expectation: what was said last is waited for first. */
    long expectation() {
        return expectations.incrementAndGet();
    }

    void countRead(int ranges) {
        rangesRead.addAndGet(ranges);
    }

    void checkUsable(RemoteFile remote) throws IOException {
        IOException cause = failure;
        if (cause != null) {
            throw new IOException(
                    "file " + remote.name() + " of " + remote.describe() + " has not come: " + cause.getMessage(),
                    cause);
        }
        if (closed) {
            throw new IOException("the download of " + remote.describe() + " has ended with its task");
        }
    }

    private void fail(IOException cause) {
        List<PartialFile> waiting;
        synchronized (this) {
            // Also when all is here, and only the look for more has failed.
            if (closed || failure != null || (executor != null && files.isEmpty())) {
                return;
            }
            failure = cause;
            waiting = List.copyOf(files);
            notifyAll();
        }
        waiting.forEach(PartialFile::wake);
        listener.failed(cause);
    }

    /** A file is whole, or nobody needs it any more. */
    void finished(PartialFile file) {
        synchronized (this) {
            files.remove(file);
        }
        streams.closeIdle(file.remote());
        tellIfOver();
    }

    private void tellIfOver() {
        Runnable call;
        synchronized (this) {
            if (over || closed || failure != null || executor == null || !files.isEmpty()) {
                return;
            }
            over = true;
            endNanos = clock.getAsLong();
            call = whenWhole;
        }
        call.run();
        listener.whole(nanos());
    }

    /** Bytes that are still far away; any thread, as all numbers. */
    public long bytesLeft() {
        List<PartialFile> left;
        synchronized (this) {
            left = List.copyOf(files);
        }
        return left.stream().mapToLong(PartialFile::bytesMissing).sum();
    }

    /** Ranges that somebody waited for. */
    public long rangesRead() {
        return rangesRead.get();
    }

    /** How long it has taken so far. */
    public synchronized long nanos() {
        return executor == null ? 0 : (over ? endNanos : clock.getAsLong()) - beginNanos;
    }

    /** Ends all: what is not here by now does not come any more, and what is stays readable. */
    @Override
    public void close() throws IOException {
        List<PartialFile> left;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            left = List.copyOf(files);
            notifyAll();
        }
        // First: some storages close a stream when its read has ended, and that may hang.
        left.forEach(PartialFile::wake);
        IOException failed = null;
        try {
            streams.close();
        } catch (IOException e) {
            failed = e;
        }
        for (PartialFile file : left) {
            try {
                file.closeLocal();
            } catch (IOException e) {
                if (failed == null) {
                    failed = e;
                } else {
                    failed.addSuppressed(e);
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
