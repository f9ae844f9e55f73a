package io.drey.files.remote;

import io.drey.files.FarAwayException;
import io.drey.files.FileChecksum;
import io.drey.files.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A file that is here in part, and as a whole in a storage far away. Whoever reads it asks for what is to be here first
 * ({@link #require}); each range is fetched once, however many ask for it, and stays. When all are here, the checksum of
 * the file is compared, and the storage is not asked any more. Thread safe; {@link #require} costs nothing once the file
 * is whole.
 */
public final class PartialFile {
    /** Ranges that one fetch takes, if they are wanted. */
    static final int RANGES_AT_ONCE = 16;

    private static final int BITS = 6;

    private final Downloads downloads;
    private final RemoteFile remote;
    private final long checksum;
    private final SparseFile local;
    private final int rangeBytes;
    private final int ranges;

    /** A bit for each range: set after its bytes are in the local file, which readers of the bit see then. */
    private final AtomicLongArray present;

    private volatile boolean whole;
    private volatile boolean dropped;

    /** The checksum of each range that is here. As all below, under the lock of this. */
    private final long[] sums;

    /** Ranges that a thread fetches now. */
    private final BitSet claimed = new BitSet();

    private final ExpectedRanges expected = new ExpectedRanges(this::isFree);

    private int missing;

    PartialFile(Downloads downloads, RemoteFile remote, long checksum, SparseFile local) {
        this.downloads = downloads;
        this.remote = remote;
        this.checksum = checksum;
        this.local = local;
        this.rangeBytes = downloads.limits().rangeBytes();
        this.ranges = Math.toIntExact((remote.bytes() + rangeBytes - 1) / rangeBytes);
        this.present = new AtomicLongArray((ranges >>> BITS) + 1);
        this.sums = new long[ranges];
        this.missing = ranges;
    }

    /** A file without bytes is here as it is. */
    void begin() throws IOException {
        if (ranges == 0) {
            finish();
        }
    }

    RemoteFile remote() {
        return remote;
    }

    /** Whether all of it is here, and is what it should be. */
    public boolean isWhole() {
        return whole;
    }

    private boolean isPresent(int range) {
        return (present.get(range >>> BITS) & 1L << range) != 0;
    }

    private long begin(int range) {
        return (long) range * rangeBytes;
    }

    private int length(int range) {
        return (int) Math.min(rangeBytes, remote.bytes() - begin(range));
    }

    /** Bytes that are not here yet. */
    long bytesMissing() {
        long bytes = 0;
        for (int range = 0; range < ranges && !whole; range++) {
            bytes += isPresent(range) ? 0 : length(range);
        }
        return bytes;
    }

    /**
     * Brings bytes here, unless they are; the end of the file bounds them. Throws {@link FarAwayException} if they do
     * not come; a file that came, and is damaged, is a failure like any other.
     */
    public void require(long position, long length) throws IOException {
        try {
            bring(position, length);
        } catch (DamagedFileException e) {
            throw e;
        } catch (IOException e) {
            throw new FarAwayException(e);
        }
    }

    private void bring(long position, long length) throws IOException {
        long end = Math.min(position + length, remote.bytes());
        if (whole || position < 0 || position >= end) {
            return;
        }
        int last = (int) ((end - 1) / rangeBytes);
        for (int range = (int) (position / rangeBytes); range <= last; range++) {
            while (!isPresent(range)) {
                int to = claimOrAwait(range, last + 1);
                if (to > range) {
                    fetch(range, to, false);
                    downloads.countRead(to - range);
                }
            }
        }
    }

    /** Says that bytes will be asked for soon: the background brings them before others. Waits for nothing. */
    public void expect(long position, long length) {
        long end = Math.min(position + length, remote.bytes());
        if (whole || position < 0 || position >= end) {
            return;
        }
        synchronized (this) {
            expected.add(downloads.expectation(), (int) (position / rangeBytes), (int) ((end - 1) / rangeBytes) + 1);
        }
        downloads.wanted();
    }

    /** Brings its begin here, and its end too if that is wanted: there it says what it is, and where the rest is. */
    public void requireBegin(boolean withEnd) throws IOException {
        if (withEnd) {
            require(Math.max(0, remote.bytes() - rangeBytes), rangeBytes);
        }
        require(0, 1);
        downloads.closeIdle(remote);
    }

    public String name() {
        return remote.name();
    }

    /** Brings all of it here, unless it is dropped before. */
    public void complete() throws IOException {
        try {
            require(0, remote.bytes());
        } catch (IOException e) {
            if (!dropped) {
                throw e;
            }
        }
    }

    /** Claims ranges up to some end, or waits while another thread fetches the first one, and claims none. */
    private synchronized int claimOrAwait(int range, int end) throws IOException {
        checkUsable();
        while (claimed.get(range)) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw Waits.interrupted(describe(range, range + 1), e);
            }
            checkUsable();
        }
        return isPresent(range) ? range : claim(range, end);
    }

    private int claim(int range, int end) {
        int to = range;
        int most = Math.min(end, range + RANGES_AT_ONCE);
        do {
            claimed.set(to++);
        } while (to < most && !isPresent(to) && !claimed.get(to));
        return to;
    }

    /** Fetches the next ranges that nobody fetches, those that are expected first; false if there are none. */
    boolean fetchNext() throws IOException {
        int from;
        int to;
        boolean forward;
        synchronized (this) {
            from = expected.take();
            forward = from < 0;
            if (forward) {
                from = firstFree();
            }
            if (dropped || from == ranges) {
                return false;
            }
            to = claim(from, forward ? ranges : expected.end(from));
        }
        fetch(from, to, forward);
        return true;
    }

    /** Whether a range is neither here nor on its way. */
    private boolean isFree(int range) {
        return !isPresent(range) && !claimed.get(range);
    }

    private int firstFree() {
        int range = 0;
        while (range < ranges && !isFree(range)) {
            range++;
        }
        return range;
    }

    /** How urgent it is that some of what nobody fetches comes; 0 if none of it is expected. */
    synchronized long urgency() {
        return expected.urgency();
    }

    /** Whether there are ranges that nobody fetches. */
    synchronized boolean isWanting() {
        return !dropped && missing > claimed.cardinality();
    }

    private void fetch(int from, int to, boolean forward) throws IOException {
        boolean done = false;
        try {
            for (int range = from; range < to; range++) {
                downloads.fetch(this, range, forward);
            }
            done = true;
        } finally {
            synchronized (this) {
                claimed.clear(from, to);
                notifyAll();
            }
            if (!done) {
                downloads.wanted();
            }
        }
    }

    /** Reads a range from the storage. */
    RemoteStreams.Pooled read(RemoteStreams streams, int range, boolean forward) throws IOException {
        RemoteStreams.Pooled stream = streams.take(remote, forward);
        boolean done = false;
        try {
            int found = stream.read(begin(range), length(range));
            if (found < length(range)) {
                throw new IOException("it ends at " + (begin(range) + found));
            }
            if (range == ranges - 1 && !stream.isAtEnd()) {
                throw new IOException("it is longer");
            }
            done = true;
            return stream;
        } catch (IOException e) {
            streams.discard(stream, e);
            done = true;
            throw e;
        } finally {
            if (!done) {
                streams.discard(stream, new IOException("a read of " + remote.describe() + " ended"));
            }
        }
    }

    /** Keeps a range that has come. */
    void store(int range, byte[] bytes) throws IOException {
        int length = length(range);
        FileChecksum sum = new FileChecksum();
        sum.add(bytes, 0, length);
        local.write(begin(range), ByteBuffer.wrap(bytes, 0, length));
        synchronized (this) {
            sums[range] = sum.value();
            int word = range >>> BITS;
            present.set(word, present.get(word) | 1L << range);
            claimed.clear(range);
            missing--;
            notifyAll();
            if (missing > 0) {
                return;
            }
        }
        finish();
    }

    private void finish() throws IOException {
        long found = ranges == 0 ? new FileChecksum().value() : sums[0];
        for (int range = 1; range < ranges; range++) {
            found = FileChecksum.joined(found, sums[range], length(range));
        }
        if (checksum != FileChecksum.NONE && checksum != found) {
            throw new DamagedFileException("expected file " + remote.name() + " of " + remote.describe()
                    + " to have the checksum " + Long.toHexString(checksum) + ", found " + Long.toHexString(found)
                    + ": it is damaged, restore from another checkpoint");
        }
        local.close();
        whole = true;
        downloads.finished(this);
    }

    /** Bytes that are nowhere to be had any more: then nobody may wait for them. */
    private void checkUsable() throws IOException {
        downloads.checkUsable(remote);
        if (dropped) {
            throw new IOException("expected nobody to read " + remote.name() + ", found a reader of its bytes in "
                    + remote.describe() + " after it was deleted");
        }
    }

    boolean isDropped() {
        return dropped;
    }

    /** Nobody needs the file any more: ends its download. */
    public void drop() throws IOException {
        synchronized (this) {
            if (whole || dropped) {
                return;
            }
            dropped = true;
            notifyAll();
        }
        downloads.finished(this);
        local.close();
    }

    /** Those who wait look again. */
    synchronized void wake() {
        notifyAll();
    }

    void closeLocal() throws IOException {
        local.close();
    }

    /** A range, for messages. */
    String describe(int from, int to) {
        return "bytes " + begin(from) + " to " + (begin(to - 1) + length(to - 1)) + " of " + remote.describe();
    }
}
