package io.drey.shuffle.worker;

import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.registry.WorkerRegistry;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.memory.DirectMemory;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.metric.Metric;
import io.drey.shuffle.worker.metric.MetricBeans;
import io.drey.shuffle.worker.metric.MetricServer;
import io.drey.shuffle.worker.server.RegistryLink;
import io.drey.shuffle.worker.server.ShuffleServer;
import io.drey.shuffle.worker.server.WorkerState;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker in this process: open from the time it is made until it is closed. Its files stay. It is a registry too: its
 * own, unless its options name others.
 */
public final class ShuffleWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShuffleWorker.class);
    private static final long NANOS_PER_MS = 1_000_000;
    private static final long CHECK_MS = 10_000;

    /** How often in its time a lease is looked at. */
    private static final int EXPIRY_CHECKS = 20;

    private static final long EXPIRY_CHECK_MS_MAX = 60_000;

    private final WorkerOptions options;
    private final SlabPool pool;
    private final Storage storage;
    private final Catalog catalog;
    private final WorkerState state;
    private final ShuffleServer server;
    private final WorkerRegistry registry;
    private final MetricServer metrics;
    private final MetricBeans beans;
    private final List<RegistryLink> links;
    private final ScheduledExecutorService clock;

    private ShuffleWorker(WorkerOptions options, Storage.Disks disks, LongSupplier nowMs) throws IOException {
        this.options = options;
        options.checkAddresses();
        DirectMemory.check(options.memoryBytes());
        this.pool = new SlabPool(options.memoryBytes());
        long beginMs = nowMs();
        LOG.info("Reads what is in {}, and listens then.", options.directories());
        this.storage = Storage.open(options.directories(), disks, pool, options.freeBytesMin());
        ShuffleServer listening = null;
        MetricBeans registered = null;
        boolean opened = false;
        try {
            this.catalog = new Catalog(
                    storage,
                    nowMs,
                    System::currentTimeMillis,
                    options.leaseKeep().toMillis());
            LOG.info(
                    "Found {} partitions, {} bytes of data in {} ms.",
                    catalog.committed(),
                    catalog.bytes(),
                    nowMs() - beginMs);
            ExclusionFiles exclusions = new ExclusionFiles(storage);
            this.registry = new WorkerRegistry(nowMs, exclusions.newest(), exclusions::keep);
            Handshake handshake = new Handshake(secret(options.secretFile()));
            this.state =
                    new WorkerState(storage, pool, catalog, handshake, options.splitBytes(), registry, this::report);
            this.server = new ShuffleServer(
                    new InetSocketAddress(options.host(), options.port()),
                    options.threads(),
                    options.connectionsMax(),
                    options.registries().size(),
                    state);
            listening = server;
            this.beans = new MetricBeans(storage.worker(), this::metrics);
            registered = beans;
            this.metrics = options.httpPort() < 0
                    ? null
                    : new MetricServer(
                            new InetSocketAddress(options.host(), options.httpPort()),
                            this::metrics,
                            () -> WorkerMetrics.health(report()));
            opened = true;
        } finally {
            if (!opened) {
                close(registered, null, listening, storage);
            }
        }
        this.links = options.registries().stream()
                .map(each -> server.link(each.host(), each.port()))
                .toList();
        this.clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "drey-shuffle-clock");
            thread.setDaemon(true);
            return thread;
        });
        // So often that the clock does not take the process for one that stood still.
        every(RunningTime.ASKED_MS, catalog::watch);
        every(Math.min(EXPIRY_CHECK_MS_MAX, options.leaseKeep().toMillis() / EXPIRY_CHECKS), catalog::expire);
        every(CHECK_MS, server.connections()::check);
        beat();
        every(WorkerRegistry.HEARTBEAT_MS, this::beat);
        LOG.info("Worker {} listens at {}:{}, data in {}.", id(), host(), port(), storage.directories());
    }

    /** Closes those that there are, from the first to the last, each whatever becomes of the others. */
    private static void close(MetricBeans beans, MetricServer metrics, ShuffleServer server, Storage storage)
            throws IOException {
        Closeable threads = server == null ? null : server::shutdown;
        try (threads;
                storage;
                server;
                metrics;
                beans) {
            // Backwards: what devices have to say at their end goes to threads that are there.
        }
    }

    private List<Metric> metrics() {
        return WorkerMetrics.all(report(), server.connections().size(), storage);
    }

    static long nowMs() {
        return System.nanoTime() / NANOS_PER_MS;
    }

    private static String secret(Path file) throws IOException {
        try {
            return file == null ? null : Handshake.secret(Files.readAllBytes(file), file);
        } catch (FileSystemException e) {
            // Its message may be the path alone.
            throw new IOException(
                    "expected the secret of the cluster in " + file + ", found no way to read it: " + e, e);
        }
    }

    private void every(long ms, Runnable task) {
        clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException | Error e) {
                        LOG.error("A task of the worker's clock failed; it is tried again.", e);
                    }
                },
                ms,
                ms,
                TimeUnit.MILLISECONDS);
    }

    private void beat() {
        if (links.isEmpty()) {
            registry.heard(report());
        }
        links.forEach(RegistryLink::beat);
    }

    /** Opens a worker: it has read its directories and listens when this returns. */
    public static ShuffleWorker open(WorkerOptions options) throws IOException {
        return open(options, LocalDisk::new);
    }

    /** The same on other disks than the local ones. */
    static ShuffleWorker open(WorkerOptions options, Storage.Disks disks) throws IOException {
        return open(options, disks, new RunningTime(System::nanoTime));
    }

    /** The same by another clock. */
    static ShuffleWorker open(WorkerOptions options, Storage.Disks disks, LongSupplier nowMs) throws IOException {
        return new ShuffleWorker(options, disks, nowMs);
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

    /** The port of metrics and health; 0 without. */
    public int httpPort() {
        return metrics == null ? 0 : metrics.port();
    }

    /** How it is. */
    public WorkerReport report() {
        String version = ShuffleWorker.class.getPackage().getImplementationVersion();
        return state.report(options.advertisedHost(), port(), httpPort(), version == null ? "" : version);
    }

    /** New writers and regions are refused from now on; readers and commits go on. */
    public void drain() {
        server.connections().drain();
        beat();
    }

    /** Waits until no writer is left, for as long as a drain may take. */
    public void awaitDrained() {
        state.awaitWriters(options.drainTimeout().toMillis());
    }

    /** Done when an operator's command asks for a drain. */
    public CompletableFuture<Void> drainRequested() {
        return state.drainRequested();
    }

    @Override
    public void close() throws IOException {
        clock.shutdownNow();
        links.forEach(RegistryLink::close);
        close(beans, metrics, server, storage);
    }
}
