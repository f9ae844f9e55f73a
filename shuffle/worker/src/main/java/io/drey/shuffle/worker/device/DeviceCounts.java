package io.drey.shuffle.worker.device;

/** Counts of a device since it was opened. One thread counts, any may look. */
public final class DeviceCounts {
    private volatile long reads;
    private volatile long readBytes;
    private volatile long rangesRead;
    private volatile long writes;
    private volatile long writtenBytes;
    private volatile long failures;

    DeviceCounts() {}

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void countRead(long bytes, int ranges) {
        reads++;
        readBytes += bytes;
        rangesRead += ranges;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void countWrite(long bytes) {
        writes++;
        writtenBytes += bytes;
    }

    /** The device's thread: a read or write failed. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void countFailure() {
        failures++;
    }

    public long reads() {
        return reads;
    }

    public long readBytes() {
        return readBytes;
    }

    /** Ranges that reads served: of as many readers. */
    public long rangesRead() {
        return rangesRead;
    }

    public long writes() {
        return writes;
    }

    public long writtenBytes() {
        return writtenBytes;
    }

    public long failures() {
        return failures;
    }
}
