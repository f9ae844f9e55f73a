package io.drey.shuffle.worker.catalog;

import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import io.drey.shuffle.worker.file.CommitJournal;
import io.drey.shuffle.worker.file.PartFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The view of operators on a catalog: lines of text. */
final class CatalogView {
    /** An answer has no more lines. */
    private static final int LINES_MAX = 10_000;

    private CatalogView() {}

    /** A line a job. */
    static List<String> jobs(Collection<JobEntry> jobs, long nowMs) {
        List<String> lines = new ArrayList<>();
        for (JobEntry job : jobs) {
            synchronized (job) {
                long bytes = job.partitions().values().stream()
                        .mapToLong(CatalogView::bytes)
                        .sum();
                add(
                        lines,
                        String.format(
                                Locale.ROOT,
                                "job %s: %d partitions, %d committed, %d bytes, lease ends in %d s",
                                job.name(),
                                job.partitions().size(),
                                job.commits().size(),
                                bytes,
                                Math.max(0, job.deadlineMs() - nowMs) / 1000));
            }
        }
        return lines;
    }

    /** A line a partition. */
    static List<String> partitions(JobEntry job) {
        List<String> lines = new ArrayList<>();
        synchronized (job) {
            for (StoredPartition each : job.partitions().values()) {
                String state = each.content() == null
                        ? "not committed"
                        : "committed, " + each.content().manifest().regions() + " regions";
                add(
                        lines,
                        String.format(
                                Locale.ROOT,
                                "exchange %s partition %d attempt %x: %s, %d bytes in %d files of %s",
                                each.key().exchange(),
                                each.key().partition(),
                                each.key().attempt(),
                                state,
                                bytes(each),
                                each.parts().size(),
                                each.directory()));
            }
        }
        return lines;
    }

    static void add(List<String> lines, String line) {
        if (lines.size() < LINES_MAX) {
            lines.add(line);
        } else if (lines.size() == LINES_MAX) {
            lines.add("and more");
        }
    }

    private static long bytes(StoredPartition partition) {
        return partition.parts().stream().mapToLong(PartFile::end).sum();
    }

    private static List<Path> files(WorkerDisk disk, Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path each : disk.list(directory)) {
            if (disk.isDirectory(each)) {
                files.addAll(files(disk, each));
            } else {
                files.add(each);
            }
        }
        return files;
    }

    private static long size(WorkerDisk disk, Path path) throws IOException {
        try (WorkerFile file = disk.open(path)) {
            return file.size();
        }
    }

    /** Tells the files of a job, as far as it can be read; notes those that nobody knows of. */
    private static Set<Path> audit(WorkerDisk disk, Path job, Set<Path> known, List<String> lines) {
        Set<Path> found = new TreeSet<>();
        try {
            for (Path file : files(disk, job)) {
                found.add(file);
                if (!known.contains(file)) {
                    add(lines, "nobody knows of " + file + ", " + size(disk, file) + " bytes");
                }
            }
        } catch (IOException e) {
            add(lines, "not all of " + job + " can be read: " + e);
        }
        return found;
    }

    /** The directory's loop: what is in a directory and not in the catalog, and the other way round. */
    static List<String> audit(StorageDirectory directory, Collection<JobEntry> jobs) {
        Set<Path> known = new TreeSet<>();
        Set<Path> expected = new TreeSet<>();
        for (JobEntry job : jobs) {
            synchronized (job) {
                for (StoredPartition each : job.partitions().values()) {
                    if (each.directory() == directory) {
                        each.parts().forEach(part -> known.add(part.path()));
                        each.parts().stream().filter(part -> part.end() > 0).forEach(part -> expected.add(part.path()));
                    }
                }
                known.add(directory.job(job.name()).resolve(CommitJournal.NAME));
            }
        }
        List<String> lines = new ArrayList<>();
        try {
            WorkerDisk disk = directory.loop().disk();
            for (Path job : disk.list(directory.path())) {
                expected.removeAll(audit(disk, job, known, lines));
            }
        } catch (IOException e) {
            add(lines, "directory " + directory + " cannot be read: " + e.getMessage());
        }
        expected.forEach(file -> add(lines, "missing: " + file));
        return lines;
    }
}
