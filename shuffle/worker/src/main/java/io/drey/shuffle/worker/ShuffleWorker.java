package io.drey.shuffle.worker;

import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.server.ShuffleServer;
import io.drey.shuffle.worker.server.WorkerState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A worker in this process: open from the time it is made until it is closed. Its files stay. */
public final class ShuffleWorker implements AutoCloseable {
    private static final long NANOS_PER_MS = 1_000_000;
    private static final int EXPIRY_CHECKS = 20;

    private final WorkerOptions options;
    private final Storage storage;
    private final Catalog catalog;
    private final WorkerState state;
    private final ShuffleServer server;
    private final ScheduledExecutorService clock;

    private ShuffleWorker(WorkerOptions options, Storage.Disks disks) throws IOException {
        this.options = options;
        SlabPool pool = new SlabPool(options.memoryBytes());
        this.storage = Storage.open(options.directories(), disks, pool, options.freeBytesMin());
        boolean opened = false;
        try {
            long keepMs = options.leaseKeep().toMillis();
            this.catalog = new Catalog(storage, () -> System.nanoTime() / NANOS_PER_MS, keepMs);
            this.state = new WorkerState(storage, pool, catalog, new Handshake(options.secret()), options.splitBytes());
            this.server = new ShuffleServer(
                    new InetSocketAddress(options.host(), options.port()),
                    options.threads(),
                    options.connectionsMax(),
                    state);
            opened = true;
        } finally {
            if (!opened) {
                storage.close();
            }
        }
        this.clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "drey-shuffle-clock");
            thread.setDaemon(true);
            return thread;
        });
        long everyMs = Math.max(1, options.leaseKeep().toMillis() / EXPIRY_CHECKS);
        clock.scheduleWithFixedDelay(catalog::expire, everyMs, everyMs, TimeUnit.MILLISECONDS);
    }

    /** Opens a worker: it has read its directories and listens when this returns. */
    public static ShuffleWorker open(WorkerOptions options) throws IOException {
        return open(options, LocalDisk::new);
    }

    /** The same on other disks than the local ones. */
    static ShuffleWorker open(WorkerOptions options, Storage.Disks disks) throws IOException {
        return new ShuffleWorker(options, disks);
    }

    public UUID id() {
        return storage.worker();
    }

    public String host() {
        return options.host();
    }

    /** The port it listens at. */
    public int port() {
        return server.port();
    }

    /** New writers and regions are refused from now on; readers and commits go on. */
    public void drain() {
        server.drain();
    }

    @Override
    public void close() throws IOException {
        clock.shutdownNow();
        server.close();
        storage.close();
        server.shutdown();
    }
}
