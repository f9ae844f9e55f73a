package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.memory.SlabPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The parts of a worker that all its connections share. */
public final class WorkerState {
    private final Storage storage;
    private final SlabPool pool;
    private final Catalog catalog;
    private final Handshake handshake;
    private final long splitBytes;
    private final AtomicInteger readers = new AtomicInteger();
    private volatile boolean draining;
    private int writers;

    /** @param splitBytes length of a file at which its writer is asked to go on elsewhere */
    public WorkerState(Storage storage, SlabPool pool, Catalog catalog, Handshake handshake, long splitBytes) {
        this.storage = storage;
        this.pool = pool;
        this.catalog = catalog;
        this.handshake = handshake;
        this.splitBytes = splitBytes;
    }

    Storage storage() {
        return storage;
    }

    SlabPool pool() {
        return pool;
    }

    Catalog catalog() {
        return catalog;
    }

    Handshake handshake() {
        return handshake;
    }

    long splitBytes() {
        return splitBytes;
    }

    /** Writers that are open, or whose files are not closed yet. */
    public synchronized int writers() {
        return writers;
    }

    synchronized void writerOpened() {
        writers++;
    }

    synchronized void writerClosed() {
        writers--;
        notifyAll();
    }

    /** Waits until all writers have ended, or for so long. */
    synchronized void awaitWriters(long ms) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        boolean interrupted = false;
        while (writers > 0 && System.nanoTime() < end) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, end - System.nanoTime()));
            } catch (InterruptedException e) {
                interrupted = true;
                end = System.nanoTime();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Channels of readers that are open. */
    public AtomicInteger readers() {
        return readers;
    }

    public boolean isDraining() {
        return draining;
    }

    void drain() {
        draining = true;
    }
}
