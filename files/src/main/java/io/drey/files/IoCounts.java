package io.drey.files;

import java.util.concurrent.atomic.LongAdder;

/**
 * Reads and writes of files that one cause had, and their bytes; they only grow. Any thread; once per file or job, not
 * per I/O.
 */
public final class IoCounts {
    private final LongAdder reads = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();

    public void read(long count, long bytes) {
        reads.add(count);
        bytesRead.add(bytes);
    }

    public void wrote(long count, long bytes) {
        writes.add(count);
        bytesWritten.add(bytes);
    }

    public long reads() {
        return reads.sum();
    }

    public long bytesRead() {
        return bytesRead.sum();
    }

    public long writes() {
        return writes.sum();
    }

    public long bytesWritten() {
        return bytesWritten.sum();
    }
}
