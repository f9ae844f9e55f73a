package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.registry.WorkerRegistry;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.memory.SlabPool;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The parts of a worker that all its connections share. */
public final class WorkerState {
    private final Storage storage;
    private final SlabPool pool;
    private final Catalog catalog;
    private final Handshake handshake;
    private final long splitBytes;
    private final WorkerRegistry registry;
    private final Supplier<WorkerReport> report;
    private final AtomicInteger readers = new AtomicInteger();
    private final CompletableFuture<Void> drainRequested = new CompletableFuture<>();
    private volatile boolean draining;
    private int writers;

    /** Those that can be asked to make room, in the order in which they came. */
    private final Set<PartitionWriter> open = new LinkedHashSet<>();

    private volatile boolean roomWanted;

    /**
     * @param splitBytes length of a file at which its writer is asked to go on elsewhere
     * @param report how the worker is
     */
    public WorkerState(
            Storage storage,
            SlabPool pool,
            Catalog catalog,
            Handshake handshake,
            long splitBytes,
            WorkerRegistry registry,
            Supplier<WorkerReport> report) {
        this.storage = storage;
        this.pool = pool;
        this.catalog = catalog;
        this.handshake = handshake;
        this.splitBytes = splitBytes;
        this.registry = registry;
        this.report = report;
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

    WorkerRegistry registry() {
        return registry;
    }

    WorkerReport report() {
        return report.get();
    }

    /** How it is, of a worker that is reached there; what the supplier of reports makes. */
    public WorkerReport report(String host, int port, int httpPort, String version) {
        long free = storage.freeBytes();
        WorkerReport.State now = draining
                ? WorkerReport.State.DRAINING
                : free == 0 ? WorkerReport.State.READ_ONLY : WorkerReport.State.RUNNING;
        return new WorkerReport(
                storage.worker(),
                storage.incarnation(),
                host,
                port,
                httpPort,
                version,
                now,
                new WorkerReport.Load(
                        free,
                        storage.totalBytes(),
                        catalog.bytes(),
                        pool.bytes(),
                        pool.usedBytes(),
                        writers(),
                        Math.max(0, readers.get()),
                        catalog.committed()));
    }

    /** Done when an operator asks for a drain. */
    public CompletableFuture<Void> drainRequested() {
        return drainRequested;
    }

    long splitBytes() {
        return splitBytes;
    }

    /** Writers that are open, or whose files are not closed yet. */
    public synchronized int writers() {
        return writers;
    }

    synchronized void writerOpened(PartitionWriter writer) {
        writers++;
        open.add(writer);
    }

    synchronized void writerClosed(PartitionWriter writer) {
        writers--;
        open.remove(writer);
        notifyAll();
    }

    /**
     * There is no memory for another writer: a quiet one makes room, or else the next one that has written a region.
     */
    void wantRoom(long nanos) {
        PartitionWriter quiet = takeQuiet(nanos);
        if (quiet == null) {
            roomWanted = true;
        } else {
            quiet.makeRoom();
        }
    }

    private synchronized PartitionWriter takeQuiet(long nanos) {
        for (PartitionWriter each : open) {
            if (each.isQuiet(nanos)) {
                open.remove(each);
                return each;
            }
        }
        return null;
    }

    /** A writer that seemed quiet is not: another one makes room. */
    void makesNoRoom(PartitionWriter writer) {
        synchronized (this) {
            open.add(writer);
        }
        roomWanted = true;
    }

    /** Whether a writer that has written a region shall leave, for one that came in vain. */
    boolean takeRoomWanted() {
        if (!roomWanted) {
            return false;
        }
        roomWanted = false;
        return true;
    }

    /** Waits until all writers have ended, or for so long. */
    public synchronized void awaitWriters(long ms) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        boolean interrupted = false;
        while (writers > 0 && end - System.nanoTime() > 0) {
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
