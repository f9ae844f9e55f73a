package io.drey.shuffle.worker.catalog;

import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fault.Reason;
import io.drey.shuffle.protocol.message.Leasing.Lease;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.protocol.message.Writing;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.catalog.StoredPartition.Place;
import io.drey.shuffle.worker.file.JournalRecord;
import io.drey.shuffle.worker.file.PartFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All partitions of a worker. Any thread may call it; what touches disks is done by the loops of the directories, and
 * answered from there. A commit is first in the journal, then known to readers; a release the other way round.
 */
public final class Catalog {
    private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

    /** Jobs of which there is something; a client that names another one is refused. */
    private static final int JOBS_MAX = 1 << 16;

    /** Files that a directory's loop deletes before it looks at other work. */
    private static final int DELETED_AT_ONCE = 16;

    /** Bytes of manifests in one answer. */
    private static final int LEASE_BYTES_MAX = 2 << 20;

    private final Storage storage;
    private final LongSupplier nowMs;
    private final LongSupplier wallClockMs;
    private final long keepMsMax;
    private final Map<String, JobEntry> jobs = new ConcurrentHashMap<>();

    /** A place for a new file of a partition. */
    public record Target(PartFile part, StorageDirectory directory) {}

    /**
     * Takes over what was found in the directories.
     *
     * @param nowMs a clock that never goes back
     * @param wallClockMs a clock that is later after a restart
     * @param keepMsMax how long a job's data is kept after its last sign of life
     */
    public Catalog(Storage storage, LongSupplier nowMs, LongSupplier wallClockMs, long keepMsMax) {
        this.storage = storage;
        this.nowMs = nowMs;
        this.wallClockMs = wallClockMs;
        this.keepMsMax = keepMsMax;
        for (StorageDirectory directory : storage.directories()) {
            directory.found().forEach(each -> entry(each.name()).adopt(each, wallClockMs.getAsLong()));
            directory.found(List.of());
        }
    }

    /** Sequences of a later start are higher than those of an earlier one: whoever asks hears all commits again. */
    private JobEntry entry(String job) {
        return jobs.computeIfAbsent(
                job, name -> new JobEntry(name, wallClockMs.getAsLong() << 20, nowMs.getAsLong(), keepMsMax));
    }

    /** Carries out something under the lock of a job that is not released meanwhile. */
    private <T> T locked(String job, Function<JobEntry, T> action) {
        if (jobs.size() >= JOBS_MAX && !jobs.containsKey(job)) {
            throw new ProtocolException("expected at most " + JOBS_MAX + " jobs at a worker, found job " + job
                    + " beyond them: release those that have ended");
        }
        while (true) {
            JobEntry entry = entry(job);
            synchronized (entry) {
                if (!entry.isGone()) {
                    return action.apply(entry);
                }
            }
        }
    }

    /** A file for a writer, or null and why not. */
    public Target open(PartitionKey key, Consumer<Fault> refused) {
        return locked(key.job(), job -> {
            StoredPartition partition = job.partitions().get(key);
            if (partition != null && !partition.isUncommitted()) {
                refused.accept(new Fault(Reason.CONFLICT, key + " is committed: it takes no more regions"));
                return null;
            }
            StorageDirectory directory = partition == null ? storage.choose(key.job()) : partition.directory();
            if (directory == null || storage.freeBytes(directory) == 0) {
                refused.accept(new Fault(Reason.FULL, storage.fullSentence(key.job())));
                return null;
            }
            if (partition == null) {
                partition = new StoredPartition(key, directory);
                job.partitions().put(key, partition);
            }
            job.directories().add(directory);
            job.renew(nowMs.getAsLong());
            int part = partition.nextPart();
            PartFile file = new PartFile(directory.nextFileId(), PartNames.path(directory.path(), key, part), part);
            partition.parts().add(file);
            return new Target(file, directory);
        });
    }

    /** A writer has done: if it left no region, its file is forgotten. */
    public void closed(PartitionKey key, PartFile part) {
        JobEntry job = jobs.get(key.job());
        if (job != null && part.end() == 0) {
            synchronized (job) {
                StoredPartition partition =
                        job.isGone() ? null : job.partitions().get(key);
                if (partition != null && partition.isUncommitted()) {
                    partition.parts().remove(part);
                    if (partition.parts().isEmpty()) {
                        job.partitions().remove(key);
                    }
                }
            }
        }
    }

    /** A committed partition, or null. */
    public StoredPartition.Content find(PartitionKey key) {
        JobEntry job = jobs.get(key.job());
        if (job == null) {
            return null;
        }
        synchronized (job) {
            StoredPartition partition = job.partitions().get(key);
            return partition == null ? null : partition.content();
        }
    }

    /** Commits a partition; tells the fault, or null when the commit is in the journal. */
    public void commit(Commit commit, Consumer<Fault> done) {
        Fault fault = locked(commit.key().job(), job -> prepare(job, commit, done));
        if (fault != null) {
            done.accept(fault.sentence().isEmpty() ? null : fault);
        }
    }

    private static final Fault COMMITTED_BEFORE = new Fault(Reason.OTHER, "");

    /** Under the job's lock: begins the commit and returns null, or says what the answer is. */
    private Fault prepare(JobEntry job, Commit commit, Consumer<Fault> done) {
        PartitionKey key = commit.key();
        PartitionManifest manifest = commit.manifest();
        StoredPartition partition = job.partitions().get(key);
        PartitionManifest before = partition == null
                ? null
                : partition.content() != null ? partition.content().manifest() : partition.committing();
        if (before != null && !before.equals(manifest)) {
            return new Fault(
                    Reason.CONFLICT,
                    "expected the manifest of " + key + " as committed: " + before + ", found " + manifest);
        }
        if (partition != null && partition.content() != null) {
            return COMMITTED_BEFORE;
        }
        if (partition != null && partition.directory().isHanging()) {
            return new Fault(
                    Reason.FAILING,
                    "expected to commit " + key + ", found "
                            + partition.directory().hanging());
        }
        Map<Integer, Place> places = new HashMap<>();
        for (int region = 0; region < manifest.regions(); region++) {
            if (manifest.holder(region).equals(storage.worker())) {
                Place place = partition == null ? null : partition.find(region);
                if (place == null) {
                    return new Fault(
                            Reason.LOST,
                            "expected region " + region + " of " + key + " at worker " + storage.worker()
                                    + " as its manifest says, found none: run its producer again");
                }
                places.put(region, place);
            }
        }
        if (partition == null) {
            StorageDirectory directory = storage.choose(key.job());
            if (directory == null) {
                return new Fault(Reason.FULL, storage.fullSentence(key.job()));
            }
            partition = new StoredPartition(key, directory);
            job.partitions().put(key, partition);
        }
        job.directories().add(partition.directory());
        job.renew(nowMs.getAsLong());
        partition.committing(manifest);
        StoredPartition target = partition;
        target.directory().loop().execute(() -> journal(job, target, manifest, places, done));
        return null;
    }

    /** The loop's thread: writes the commit into the journal and makes it known. */
    private void journal(
            JobEntry job,
            StoredPartition partition,
            PartitionManifest manifest,
            Map<Integer, Place> places,
            Consumer<Fault> done) {
        Fault fault = null;
        try {
            boolean again;
            JournalRecord record;
            synchronized (job) {
                again = partition.content() != null;
                record = JournalRecord.committed(
                        job.session(), partition.key(), manifest, StoredPartition.numbers(places));
                fault = partition.isReleased() ? released(partition.key()) : null;
            }
            if (fault == null && !again) {
                partition.directory().append(job.name(), List.of(record));
                synchronized (job) {
                    job.recorded(record.session());
                    partition.commit(manifest, places, job.nextSequence());
                    if (partition.isReleased()) {
                        fault = released(partition.key());
                    } else {
                        job.commits().put(partition.sequence(), partition);
                    }
                }
            }
        } catch (IOException e) {
            LOG.warn(
                    "The commit of {} could not be written to {}: {}",
                    partition.key(),
                    partition.directory(),
                    e.toString());
            synchronized (job) {
                partition.committing(null);
            }
            fault = new Fault(
                    Reason.FULL, "the commit of " + partition.key() + " could not be written: " + e.getMessage());
        }
        done.accept(fault);
    }

    private static Fault released(PartitionKey key) {
        return new Fault(Reason.UNKNOWN_PARTITION, key + " was released meanwhile");
    }

    /** Renews a lease; answers with the commits, or with a fault. */
    public void renew(Renew renew, Consumer<Lease> answer, Consumer<Fault> refused) {
        Runnable action = locked(renew.job(), job -> {
            long sinceMs = wallClockMs.getAsLong() - renew.ageMs();
            if (renew.session() < job.session()) {
                Fault fault = fenced(job, renew.session(), job.ledSinceMs() < sinceMs);
                return () -> refused.accept(fault);
            }
            long keepMs = renew.keepMs() == 0 ? keepMsMax : Math.min(renew.keepMs(), keepMsMax);
            job.renew(nowMs.getAsLong(), keepMs);
            List<StorageDirectory> directories =
                    renew.session() == job.recordedSession() ? List.of() : List.copyOf(job.directories());
            boolean isNew = renew.session() > job.session();
            job.session(renew.session());
            job.ledSince(sinceMs);
            return () -> SessionRecord.write(
                    job,
                    directories,
                    renew,
                    isNew,
                    () -> another(job),
                    () -> answer.accept(lease(job, renew.since())),
                    refused);
        });
        action.run();
    }

    /** A directory with space that has nothing of the job, and is one of its from now on; null if there is none. */
    private StorageDirectory another(JobEntry job) {
        synchronized (job) {
            return storage.directories().stream()
                    .filter(each -> !job.isGone() && storage.freeBytes(each, job.name()) > 0)
                    .filter(job.directories()::add)
                    .findFirst()
                    .orElse(null);
        }
    }

    private Fault fenced(JobEntry job, long session, boolean elder) {
        return new Fault(
                Reason.FENCED,
                "expected session " + job.session() + " of job " + job.name() + " or a newer one, found " + session
                        + ": another job manager leads the job",
                job.session(),
                nowMs.getAsLong() - job.renewedMs(),
                elder);
    }

    private Lease lease(JobEntry job, long heard) {
        synchronized (job) {
            // More than there is was told by a start whose clock was ahead.
            long since = heard > job.sequence() ? 0 : heard;
            List<Writing.Commit> commits = new ArrayList<>();
            long bytes = 0;
            long sequence = job.sequence();
            List<PartitionKey> uncommitted = since == 0 ? uncommitted(job) : List.of();
            for (StoredPartition each : job.commits().tailMap(since, false).values()) {
                PartitionManifest manifest = each.content().manifest();
                bytes += 256
                        + 6L * manifest.subpartitions()
                        + 4L * manifest.regions()
                        + 21L * manifest.workers().size();
                if (bytes > LEASE_BYTES_MAX && !commits.isEmpty()) {
                    return new Lease(storage.incarnation(), sequence, true, commits, uncommitted);
                }
                commits.add(new Writing.Commit(each.key(), manifest));
                sequence = each.sequence();
            }
            return new Lease(storage.incarnation(), job.sequence(), false, commits, uncommitted);
        }
    }

    private static List<PartitionKey> uncommitted(JobEntry job) {
        return job.partitions().values().stream()
                .filter(each -> each.content() == null)
                .limit(Lease.UNCOMMITTED_MAX)
                .map(StoredPartition::key)
                .toList();
    }

    /** Releases partitions, or the whole job; tells the fault, or null when they are gone. */
    public void release(Release release, Consumer<Fault> done) {
        JobEntry job = jobs.get(release.job());
        if (job == null) {
            done.accept(null);
            return;
        }
        Fault fault = null;
        Map<StorageDirectory, List<StoredPartition>> released = new LinkedHashMap<>();
        boolean whole = release.keys().isEmpty() && !release.uncommitted();
        synchronized (job) {
            if (release.session() < job.session() && !release.uncommitted()) {
                fault = fenced(job, release.session(), false);
            } else if (whole) {
                forgetAll(job);
            } else if (!job.isGone()) {
                for (PartitionKey key : release.keys()) {
                    StoredPartition partition = job.partitions().get(key);
                    if (partition != null && (partition.isUncommitted() || !release.uncommitted())) {
                        partition.release();
                        job.forget(partition);
                        released.computeIfAbsent(partition.directory(), any -> new ArrayList<>())
                                .add(partition);
                    }
                }
            }
        }
        if (fault != null) {
            done.accept(fault);
        } else if (whole) {
            deleteJob(job, () -> done.accept(null));
        } else {
            deletePartitions(job, released, () -> done.accept(null));
        }
    }

    /** Under the job's lock: nobody finds it any more. */
    private void forgetAll(JobEntry job) {
        job.goAway();
        jobs.remove(job.name(), job);
        job.partitions().values().forEach(StoredPartition::release);
    }

    private void deleteJob(JobEntry job, Runnable done) {
        AtomicInteger left = new AtomicInteger(job.directories().size());
        if (left.get() == 0) {
            done.run();
        }
        for (StorageDirectory directory : job.directories()) {
            deleteParts(job.name(), directory, job.partitions().values(), () -> {
                try {
                    if (hasComeBack(job.name(), directory)) {
                        // The directory's journal is the new entry's: only the old partitions go.
                        directory.append(
                                job.name(), releases(job, job.partitions().values(), directory));
                    } else {
                        directory.deleteJob(job.name());
                    }
                } catch (IOException e) {
                    LOG.warn("Job {} could not be deleted in {}: {}", job.name(), directory, e.toString());
                }
                if (left.decrementAndGet() == 0) {
                    done.run();
                }
            });
        }
    }

    private boolean hasComeBack(String name, StorageDirectory directory) {
        for (JobEntry entry = jobs.get(name); entry != null; entry = jobs.get(name)) {
            synchronized (entry) {
                if (!entry.isGone()) {
                    entry.directories().add(directory);
                    return true;
                }
            }
        }
        return false;
    }

    private void deletePartitions(JobEntry job, Map<StorageDirectory, List<StoredPartition>> released, Runnable done) {
        AtomicInteger left = new AtomicInteger(released.size());
        if (released.isEmpty()) {
            done.run();
        }
        released.forEach((directory, partitions) -> directory.loop().execute(() -> {
            try {
                List<JournalRecord> records = releases(job, partitions, directory);
                if (!records.isEmpty() && !job.isGone()) {
                    directory.append(job.name(), records);
                }
            } catch (IOException e) {
                // A full disk, of which this is the way out: without the record a restart finds out by the files.
                LOG.warn("Releases of job {} are not in the journal of {}: {}", job.name(), directory, e.toString());
            }
            deleteParts(job.name(), directory, partitions, () -> {
                if (left.decrementAndGet() == 0) {
                    done.run();
                }
            });
        }));
    }

    private static List<JournalRecord> releases(
            JobEntry job, Collection<StoredPartition> partitions, StorageDirectory directory) {
        List<JournalRecord> records = new ArrayList<>();
        synchronized (job) {
            for (StoredPartition each : partitions) {
                if (each.content() != null && each.directory() == directory) {
                    records.add(JournalRecord.released(job.session(), each.key()));
                }
            }
        }
        return records;
    }

    /** Deletes the files that partitions have in a directory, some at a time: others wait for its loop. */
    private static void deleteParts(
            String job, StorageDirectory directory, Collection<StoredPartition> partitions, Runnable then) {
        Iterator<PartFile> parts = partitions.stream()
                .filter(each -> each.directory() == directory)
                .flatMap(each -> each.parts().stream())
                .toList()
                .iterator();
        deleteSome(job, directory, parts, then);
    }

    private static void deleteSome(String job, StorageDirectory directory, Iterator<PartFile> parts, Runnable then) {
        directory.loop().execute(() -> {
            for (int i = 0; i < DELETED_AT_ONCE && parts.hasNext(); i++) {
                try {
                    directory.delete(parts.next());
                } catch (IOException e) {
                    LOG.warn("A partition of job {} could not be deleted in {}: {}", job, directory, e.toString());
                }
            }
            if (parts.hasNext()) {
                deleteSome(job, directory, parts, then);
            } else {
                then.run();
            }
        });
    }

    /** The worker's clock, more often: sees which directories hang. */
    public void watch() {
        storage.watch(nowMs.getAsLong());
    }

    /** The worker's clock: releases the jobs whose lease has ended, and tries directories that failed. */
    public void expire() {
        long now = nowMs.getAsLong();
        storage.directories().forEach(each -> each.retry(now));
        for (JobEntry job : jobs.values()) {
            int partitions;
            synchronized (job) {
                if (job.isGone() || job.deadlineMs() > now) {
                    continue;
                }
                partitions = job.partitions().size();
                forgetAll(job);
            }
            if (partitions > 0) {
                LOG.info("The lease of job {} ended: its {} partitions are deleted.", job.name(), partitions);
            }
            deleteJob(job, () -> {});
        }
    }

    /** Lines about the partitions of a job, or about all jobs if that is empty. */
    public void inspect(String job, Consumer<List<String>> answer) {
        if (job.isEmpty()) {
            answer.accept(CatalogView.jobs(jobs.values(), nowMs.getAsLong()));
        } else {
            JobEntry entry = jobs.get(job);
            answer.accept(entry == null ? List.of() : CatalogView.partitions(entry));
        }
    }

    /** Lines about what is in the directories and not here, or the other way round: none if all is well. */
    public void audit(Consumer<List<String>> answer) {
        List<String> lines = new ArrayList<>();
        AtomicInteger left = new AtomicInteger(storage.directories().size());
        for (StorageDirectory directory : storage.directories()) {
            Consumer<List<String>> found = more -> {
                synchronized (lines) {
                    more.forEach(line -> CatalogView.add(lines, line));
                }
                if (left.decrementAndGet() == 0) {
                    answer.accept(lines);
                }
            };
            if (directory.isHanging()) {
                found.accept(List.of("directory " + directory + " cannot be read, because of " + directory.hanging()));
            } else {
                directory.loop().execute(() -> found.accept(CatalogView.audit(directory, jobs.values())));
            }
        }
    }

    /** Bytes in files. */
    public long bytes() {
        long sum = 0;
        for (JobEntry job : jobs.values()) {
            synchronized (job) {
                for (StoredPartition each : job.partitions().values()) {
                    sum += each.parts().stream().mapToLong(PartFile::end).sum();
                }
            }
        }
        return sum;
    }

    /** Partitions that are committed. */
    public long committed() {
        long sum = 0;
        for (JobEntry job : jobs.values()) {
            synchronized (job) {
                sum += job.commits().size();
            }
        }
        return sum;
    }
}
