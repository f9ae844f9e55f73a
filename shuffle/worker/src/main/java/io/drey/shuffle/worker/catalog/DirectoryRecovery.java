package io.drey.shuffle.worker.catalog;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.worker.catalog.StoredPartition.Place;
import io.drey.shuffle.worker.disk.IoFailure;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import io.drey.shuffle.worker.file.CommitJournal;
import io.drey.shuffle.worker.file.JournalRecord;
import io.drey.shuffle.worker.file.PartFile;
import io.drey.shuffle.worker.file.PartScan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what a directory holds, before its loop has work:
 *
 * <ol>
 *   <li>the journal of each job says what is committed;
 *   <li>a file that a commit names is taken as it is; one that the journal says is released, or that a committed
 *       partition does not need, is deleted;
 *   <li>any other is scanned, cut behind its last complete region, and kept: its writer may commit it yet.
 * </ol>
 *
 * A job of which any of this fails is left out: nobody knows of what it has here, and it gets nothing else.
 */
final class DirectoryRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryRecovery.class);

    private final StorageDirectory directory;
    private final WorkerDisk disk;

    DirectoryRecovery(StorageDirectory directory) {
        this.directory = directory;
        this.disk = directory.loop().disk();
    }

    /** The jobs, each with what is here of it. */
    List<JobEntry> recover() throws IOException {
        List<JobEntry> found = new ArrayList<>();
        for (Path each : disk.list(directory.path())) {
            String name = each.getFileName().toString();
            if (disk.isDirectory(each) && isJob(name)) {
                JobEntry job = new JobEntry(name, 0, 0, 0);
                try {
                    if (isOurs(each)) {
                        found.add(job);
                        recoverJob(job, each);
                    }
                } catch (IOException | UncheckedIOException | DreyException e) {
                    if (IoFailure.of(e) == IoFailure.PROCESS) {
                        // The next start may have more file handles: nothing is given up for that.
                        throw e;
                    }
                    leaveOut(job, each, e);
                }
            }
        }
        return found;
    }

    /** One bad sector, or a directory of another user, does not keep all others from being served. */
    private void leaveOut(JobEntry job, Path root, Exception cause) {
        LOG.error(
                "{} cannot be read and is left as it is, without what it has and without new partitions of this job,"
                        + " until the worker starts again: mend or delete it before. The reason: {}",
                root,
                cause.toString());
        directory.leaveOut(root.getFileName().toString(), root + " could not be read at the start: " + cause);
        job.directories().clear();
        job.partitions().clear();
        job.commits().clear();
    }

    private static boolean isJob(String name) {
        try {
            PartitionKey.checkName("a job", name);
            return true;
        } catch (ProtocolException e) {
            // A directory of somebody else, such as lost+found.
            return false;
        }
    }

    /** Whether a worker made it: what anybody else keeps in the data directory is never a job, and stays. */
    private boolean isOurs(Path root) throws IOException {
        for (Path each : disk.list(root)) {
            if (each.getFileName().toString().equals(CommitJournal.NAME)) {
                return true;
            }
            if (disk.isDirectory(each) && disk.list(each).stream().anyMatch(file -> PartNames.parse(file) != null)) {
                return true;
            }
        }
        return false;
    }

    private void recoverJob(JobEntry job, Path root) throws IOException {
        List<Path> inside = disk.list(root);
        Map<PartitionKey, JournalRecord> last = readJournal(job, root.resolve(CommitJournal.NAME), inside);
        Map<PartitionKey, StoredPartition> found = new LinkedHashMap<>();
        for (Path exchange : inside) {
            if (disk.isDirectory(exchange)) {
                findFiles(exchange, found);
            }
        }
        job.directories().add(directory);
        last.forEach((key, record) -> {
            if (record.manifest() != null) {
                found.computeIfAbsent(key, any -> new StoredPartition(key, directory));
            }
        });
        for (StoredPartition each : found.values()) {
            JournalRecord record = last.get(each.key());
            each.parts().sort(Comparator.comparingInt(PartFile::part));
            if (record == null) {
                scan(job, each);
            } else if (record.manifest() != null) {
                commit(job, each, record);
            } else {
                for (PartFile part : each.parts()) {
                    directory.delete(part);
                }
            }
        }
    }

    private Map<PartitionKey, JournalRecord> readJournal(JobEntry job, Path path, List<Path> inside)
            throws IOException {
        Map<PartitionKey, JournalRecord> last = new TreeMap<>(Comparator.comparing(PartitionKey::exchange)
                .thenComparingInt(PartitionKey::partition)
                .thenComparingLong(PartitionKey::attempt));
        if (inside.contains(path)) {
            // Each as it comes: manifests of what was released since would take more memory than a worker has.
            directory.adopt(job.name(), CommitJournal.open(disk, path, each -> {
                job.session(Math.max(job.session(), each.session()));
                job.recorded(each.session());
                if (each.key() != null) {
                    last.put(each.key(), each);
                }
            }));
        }
        return last;
    }

    private void findFiles(Path exchange, Map<PartitionKey, StoredPartition> found) throws IOException {
        for (Path file : disk.list(exchange)) {
            PartNames.Name name = PartNames.parse(file);
            if (name == null) {
                LOG.warn("File {} is none of a partition: it is left alone.", file);
            } else {
                found.computeIfAbsent(name.key(), key -> new StoredPartition(key, directory))
                        .parts()
                        .add(new PartFile(directory.nextFileId(), file, name.part()));
            }
        }
    }

    private void scan(JobEntry job, StoredPartition partition) throws IOException {
        List<PartFile> kept = new ArrayList<>();
        for (PartFile part : partition.parts()) {
            try (WorkerFile file = disk.openToChange(part.path())) {
                PartScan.scan(file, part);
                if (file.size() > part.end()) {
                    LOG.info(
                            "The last {} bytes of {} are no complete region and cut off.",
                            file.size() - part.end(),
                            part);
                    file.truncate(part.end());
                }
            }
            if (part.end() > 0) {
                kept.add(part);
            } else {
                directory.delete(part);
            }
        }
        partition.parts().retainAll(kept);
        if (!kept.isEmpty()) {
            job.partitions().put(partition.key(), partition);
        }
    }

    private void commit(JobEntry job, StoredPartition partition, JournalRecord record) throws IOException {
        Map<Integer, Place> places = partition.places(record);
        if (places == null || !areWhole(partition)) {
            LOG.error(
                    "{} was committed, and its files in {} are gone or too short: it is lost.",
                    partition.key(),
                    directory);
            try {
                directory.append(job.name(), List.of(JournalRecord.released(job.session(), partition.key())));
            } catch (IOException e) {
                // A full disk, which keeps nobody from what is whole: the next restart finds this out as this one did.
                LOG.warn("That {} is lost could not be written to {}: {}", partition.key(), directory, e.toString());
            }
            for (PartFile part : partition.parts()) {
                directory.delete(part);
            }
            return;
        }
        for (PartFile part : List.copyOf(partition.parts())) {
            if (part.end() == 0) {
                partition.parts().remove(part);
                directory.delete(part);
            }
        }
        partition.commit(record.manifest(), places, job.nextSequence());
        job.partitions().put(partition.key(), partition);
        job.commits().put(partition.sequence(), partition);
    }

    private boolean areWhole(StoredPartition partition) throws IOException {
        for (PartFile part : partition.parts()) {
            try (WorkerFile file = disk.open(part.path())) {
                if (file.size() < part.end()) {
                    return false;
                }
            }
        }
        return true;
    }
}
