package io.drey.files.remote;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The open streams of a batch of remote files: a bounded number, kept for the next read of the same file. A thread has
 * at most one at a time, and gives it back without waiting for anything but its own read. Thread safe.
 */
final class RemoteStreams {
    private final int streamsMax;
    private final int bytesAtOnce;

    /** Not in use; the one used last is the last. */
    private final ArrayDeque<Pooled> idle = new ArrayDeque<>();

    private final Set<Pooled> used = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean closed;

    /** A stream with the place where it stands and memory for a range. */
    static final class Pooled {
        final byte[] buffer;
        private final RemoteFile file;
        private RemoteStream stream;
        private long position;

        Pooled(RemoteFile file, int bytes) {
            this.file = file;
            this.buffer = new byte[bytes];
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

    RemoteStreams(int streamsMax, int bytesAtOnce) {
        this.streamsMax = streamsMax;
        this.bytesAtOnce = bytesAtOnce;
    }

    /** A stream of the file; waits while too many are in use. */
    Pooled take(RemoteFile file) throws IOException {
        Pooled taken;
        Pooled unwanted = null;
        synchronized (this) {
            Pooled known;
            while ((known = pollIdle(file)) == null && used.size() == streamsMax && !closed) {
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
            if (used.size() + idle.size() == streamsMax) {
                unwanted = idle.pollFirst();
            }
            taken = new Pooled(file, bytesAtOnce);
            used.add(taken);
        }
        boolean opened = false;
        try {
            if (unwanted != null) {
                end(unwanted);
            }
            RemoteStream stream = file.open();
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

    private synchronized void checkOpen(RemoteFile file) throws IOException {
        if (closed) {
            throw new IOException("the download of " + file.describe() + " has ended with its task");
        }
    }

    private Pooled pollIdle(RemoteFile file) {
        for (Iterator<Pooled> each = idle.descendingIterator(); each.hasNext(); ) {
            Pooled pooled = each.next();
            if (pooled.file == file) {
                each.remove();
                return pooled;
            }
        }
        return null;
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
        synchronized (this) {
            if (!used.remove(pooled)) {
                return;
            }
            notifyAll();
            if (needed.getAsBoolean()) {
                idle.addLast(pooled);
                return;
            }
        }
        end(pooled);
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
        List<Pooled> unneeded = new ArrayList<>();
        synchronized (this) {
            Pooled pooled;
            while ((pooled = pollIdle(file)) != null) {
                unneeded.add(pooled);
            }
        }
        unneeded.forEach(RemoteStreams::end);
    }

    /** Closes all streams, also under those who use them. */
    void close() throws IOException {
        List<Pooled> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(idle);
            used.stream().filter(pooled -> pooled.stream != null).forEach(open::add);
            idle.clear();
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
