package io.drey.shuffle.worker.catalog;

import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.memory.SlabPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory while its worker starts: it is read in a thread of its own, beside the others. One that makes no step for
 * a minute hangs, and is given up; what is opened of it after that is closed again.
 */
final class DirectoryOpening {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryOpening.class);

    private static final int LOOK_MS = 100;

    private final Path path;
    private final Storage.Disks disks;
    private volatile WorkerDisk disk;
    private UUID owner;
    private CompletableFuture<StorageDirectory> end;

    /** Since when there has been no step after so many. */
    private long stillNanos;

    private long stepsThen;

    @FunctionalInterface
    private interface Work {
        StorageDirectory run() throws IOException;
    }

    DirectoryOpening(Path path, Storage.Disks disks) {
        this.path = path;
        this.disks = disks;
    }

    Path path() {
        return path;
    }

    /** Begins to look whose directory it is. */
    void find() {
        begin(() -> {
            disk = disks.of(path);
            owner = DirectoryIdentity.worker(disk, path);
            return null;
        });
    }

    /** Whose it is, as was found; null if it is of nobody yet. */
    UUID owner() {
        return owner;
    }

    /** Begins to open it, and to read what it holds. */
    void open(UUID worker, SlabPool pool) {
        begin(() -> {
            DirectoryIdentity identity = DirectoryIdentity.open(disk, path, worker);
            StorageDirectory directory = new StorageDirectory(path, identity, disk, pool, disks.driver(path));
            try {
                directory.found(new DirectoryRecovery(directory).recover());
            } catch (IOException | RuntimeException | Error e) {
                directory.close();
                throw e;
            }
            return directory;
        });
    }

    private void begin(Work work) {
        CompletableFuture<StorageDirectory> begun = new CompletableFuture<>();
        end = begun;
        stillNanos = System.nanoTime();
        disks.run(path, () -> {
            try {
                StorageDirectory made = work.run();
                if (!begun.complete(made)) {
                    LOG.warn("{} hangs no more; it is used when the worker starts again.", path);
                    Storage.closeAll(made == null ? List.of() : List.of(made));
                }
            } catch (UncheckedIOException e) {
                begun.completeExceptionally(e.getCause());
            } catch (IOException | RuntimeException | Error e) {
                begun.completeExceptionally(e);
            }
        });
    }

    /** Waits until what was begun has ended, or was given up, in each. */
    static void await(List<DirectoryOpening> all) {
        CompletableFuture<?> ends =
                CompletableFuture.allOf(all.stream().map(each -> each.end).toArray(CompletableFuture[]::new));
        while (!ends.isDone()) {
            ends.copy()
                    .completeOnTimeout(null, LOOK_MS, TimeUnit.MILLISECONDS)
                    .exceptionally(failure -> null)
                    .join();
            all.forEach(DirectoryOpening::look);
        }
    }

    private void look() {
        long steps = disk == null ? 0 : disk.steps();
        long patienceMs = disks.patienceMs(path);
        if (steps != stepsThen) {
            stepsThen = steps;
            stillNanos = System.nanoTime();
        } else if (System.nanoTime() - stillNanos >= TimeUnit.MILLISECONDS.toNanos(patienceMs)) {
            end.completeExceptionally(
                    new IOException("it hangs: nothing was read or written for " + patienceMs / 1000 + " s"));
        }
    }

    /** Fails with what it failed with. */
    void check() throws IOException {
        Throwable failure = end.handle((opened, failed) -> failed).join();
        if (failure instanceof IOException cause) {
            throw cause;
        }
        if (failure instanceof Error cause) {
            throw cause;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    /** What is to be closed, or null. */
    StorageDirectory opened() {
        return end.isCompletedExceptionally() ? null : end.getNow(null);
    }
}
