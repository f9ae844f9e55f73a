package io.drey.shuffle.worker;

import io.drey.shuffle.registry.Exclusions;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.catalog.StorageDirectory;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list of exclusions, in a file of each directory: any of them may be left out, emptied or another one at the next
 * start, and of the lists that can be read then the newest counts. Files are the loops' to read and write.
 */
final class ExclusionFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ExclusionFiles.class);

    private static final String NAME = "worker.exclusions";
    private static final int READ_SECONDS = 10;

    private final Storage storage;

    ExclusionFiles(Storage storage) {
        this.storage = storage;
    }

    /** The newest list, which is in each directory then. */
    Exclusions newest() {
        List<CompletableFuture<byte[]>> reads = new ArrayList<>();
        for (StorageDirectory each : storage.directories()) {
            reads.add(CompletableFuture.supplyAsync(() -> read(each), each.loop()::execute)
                    .completeOnTimeout(null, READ_SECONDS, TimeUnit.SECONDS));
        }
        List<Exclusions> found = new ArrayList<>();
        for (int i = 0; i < reads.size(); i++) {
            Path file = storage.directories().get(i).path().resolve(NAME);
            byte[] bytes = reads.get(i).join();
            if (bytes == null) {
                LOG.error("{} cannot be read: workers that are excluded in no other directory are not.", file);
            }
            found.add(bytes == null ? Exclusions.NONE : Exclusions.parse(bytes, file));
        }
        // Of several without a number the first: earlier versions had no other.
        Exclusions newest = found.stream()
                .reduce((one, other) -> other.number() > one.number() ? other : one)
                .orElseThrow();
        if (found.stream().anyMatch(each -> !each.equals(newest))) {
            keep(newest);
        }
        return newest;
    }

    /** The loop's thread: what is in the file, which need not be there; null if that cannot be known. */
    private static byte[] read(StorageDirectory directory) {
        WorkerDisk disk = directory.loop().disk();
        Path file = directory.path().resolve(NAME);
        try {
            return disk.list(directory.path()).contains(file) ? WorkerFile.readAll(disk, file) : new byte[0];
        } catch (IOException e) {
            LOG.error("Reading {} failed: {}", file, e.toString());
            return null;
        }
    }

    /** Writes a list, in the order of the calls; done with the first directory that has it. */
    CompletableFuture<Void> keep(Exclusions list) {
        CompletableFuture<Void> kept = new CompletableFuture<>();
        AtomicInteger left = new AtomicInteger(storage.directories().size());
        for (StorageDirectory each : storage.directories()) {
            each.loop().execute(() -> {
                try {
                    WorkerFile.replace(each.loop().disk(), each.path().resolve(NAME), list.bytes());
                    kept.complete(null);
                } catch (IOException e) {
                    LOG.warn("The list of exclusions could not be written to {}: {}", each, e.toString());
                    if (left.decrementAndGet() == 0) {
                        kept.completeExceptionally(e);
                    }
                }
            });
        }
        return kept;
    }
}
