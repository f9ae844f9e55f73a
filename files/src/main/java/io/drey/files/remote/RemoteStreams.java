package io.drey.files.remote;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The open streams of a batch of remote files: a bounded number, kept for the next read of the same file. A thread has
 * at most one at a time, and gives it back without waiting for anything but its own read. Thread safe.
 */
final class RemoteStreams {
    private final int streamsMax;
    private final int bytesAtOnce;

    private final IdleStreams idle;
    private final Set<Pooled> used = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean closed;

    /** A stream with the place where it stands and memory for a range. */
    static final class Pooled {
        final byte[] buffer;
        private final RemoteStreams owner;
        private final RemoteFile file;
        private final boolean forward;
        private RemoteStream stream;
        private long position;

        Pooled(RemoteStreams owner, RemoteFile file, boolean forward, int bytes) {
            this.owner = owner;
            this.file = file;
            this.forward = forward;
            this.buffer = new byte[bytes];
        }

        boolean isOf(RemoteStreams streams) {
            return owner == streams;
        }

        boolean isOf(RemoteFile remote) {
            return file == remote;
        }

        boolean isForward() {
            return forward;
        }

        /** Fills the begin of the buffer from a position; returns how far the file reaches. */
        int read(long from, int length) throws IOException {
            if (position != from) {
                stream.seek(from);
                position = from;
            }
            int count = stream.read(buffer, 0, length);
            position += count;
            return count;
        }

        /** Whether the file ends where this stands. */
        boolean isAtEnd() throws IOException {
            int more = stream.read(new byte[1], 0, 1);
            position += more;
            return more == 0;
        }
    }

    RemoteStreams(int streamsMax, int bytesAtOnce, IdleStreams idle) {
        this.streamsMax = streamsMax;
        this.bytesAtOnce = bytesAtOnce;
        this.idle = idle;
    }

    /**
     * A stream of the file; waits while too many are in use.
     *
     * @param forward whether it reads the file from its begin on: clients of S3 take a stream that was told to go back
     *     for one that jumps, and then ask for each range by itself, so no other read has such a stream
     */
    Pooled take(RemoteFile file, boolean forward) throws IOException {
        Pooled taken;
        Pooled unwanted = null;
        synchronized (this) {
            Pooled known;
            while ((known = idle.poll(each -> each.isOf(file) && each.isForward() == forward)) == null
                    && used.size() == streamsMax
                    && !closed) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw Waits.interrupted("a stream of " + file.describe(), e);
                }
            }
            checkOpen(file);
            if (known != null) {
                used.add(known);
                return known;
            }
            if (used.size() + idle.count(this) == streamsMax) {
                unwanted = idle.pollEldest(this);
            }
            taken = new Pooled(this, file, forward, bytesAtOnce);
            used.add(taken);
        }
        boolean opened = false;
        try {
            if (unwanted != null) {
                end(unwanted);
            }
            RemoteStream stream = open(file);
            synchronized (this) {
                taken.stream = stream;
                opened = !closed;
            }
            if (!opened) {
                stream.close();
                checkOpen(file);
            }
            return taken;
        } finally {
            if (!opened) {
                forget(taken);
            }
        }
    }

    private RemoteStream open(RemoteFile file) throws IOException {
        WaitingOpen waiting = new WaitingOpen(() -> closeIdle(each -> true));
        try {
            return file.open();
        } finally {
            waiting.end();
        }
    }

    private synchronized void checkOpen(RemoteFile file) throws IOException {
        if (closed) {
            throw new IOException("the download of " + file.describe() + " has ended with its task");
        }
    }

    private synchronized void forget(Pooled pooled) {
        used.remove(pooled);
        notifyAll();
    }

    /**
     * Takes a stream back that did what was asked.
     *
     * @param needed whether the file may be read again: once it may not, {@link #closeIdle} is called
     */
    void give(Pooled pooled, BooleanSupplier needed) {
        Pooled unneeded = pooled;
        synchronized (this) {
            if (!used.remove(pooled)) {
                return;
            }
            notifyAll();
            if (needed.getAsBoolean()) {
                unneeded = idle.add(pooled);
            }
        }
        if (unneeded != null) {
            end(unneeded);
        }
    }

    /** What was read is here: nobody minds that the end of the stream failed. */
    private static void end(Pooled unneeded) {
        try {
            unneeded.stream.close();
        } catch (IOException e) {
            return;
        }
    }

    /** Takes a stream back that failed; what its end says matters less than why it failed. */
    void discard(Pooled pooled, IOException cause) {
        forget(pooled);
        try {
            pooled.stream.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Closes the streams of a file that are not in use. */
    void closeIdle(RemoteFile file) {
        closeIdle(each -> each.isOf(file));
    }

    private void closeIdle(Predicate<Pooled> unwanted) {
        List<Pooled> unneeded;
        synchronized (this) {
            unneeded = idle.pollAll(unwanted);
        }
        unneeded.forEach(RemoteStreams::end);
    }

    /** Closes all streams, also under those who use them. */
    void close() throws IOException {
        List<Pooled> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(idle.pollAll(each -> each.isOf(this)));
            used.stream().filter(pooled -> pooled.stream != null).forEach(open::add);
            used.clear();
            notifyAll();
        }
        closeAll(open);
    }

    private static void closeAll(List<Pooled> streams) throws IOException {
        IOException failure = null;
        for (Pooled pooled : streams) {
            try {
                pooled.stream.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
