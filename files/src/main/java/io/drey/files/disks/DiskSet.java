package io.drey.files.disks;

import io.drey.files.DelegatingReader;
import io.drey.files.Directory;
import io.drey.files.DiskFullException;
import io.drey.files.FileChecksum;
import io.drey.files.FileNames;
import io.drey.files.ReadableFile;
import io.drey.files.SparseFile;
import io.drey.files.WritableFile;
import io.drey.files.remote.Downloads;
import io.drey.files.remote.PartialFile;
import io.drey.files.remote.RemoteFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Several directories, on disks of their own maybe, as one. Names are unique over all of them; a file lies in one.
 *
 * <ol>
 *   <li>A new file goes where I/Os take least time by recent experience, counting the files that are being written
 *       there, among the directories with enough space; if none has enough, where there is most.
 *   <li>If that directory fails, the next one is tried, and this one is a bad choice for some minutes.
 *   <li>If a directory is full in the midst of a file, or fails, what was written moves to the next one, and the writer
 *       notices nothing.
 *   <li>Only if all are full is that an error, a {@link DiskFullException} that says so.
 * </ol>
 *
 * <p>Of each file that was written here it knows the checksum, so that whoever copies it elsewhere sees what a disk made
 * of it. Files may be here in part, and come by and by ({@link Downloads}).
 */
public final class DiskSet implements Directory {
    private final List<Disk> disks;
    private final long spaceMin;
    private final LongSupplier nanoClock;

    /** Where files are that this directory made or found; all others are looked for. */
    private final ConcurrentHashMap<String, Disk> known = new ConcurrentHashMap<>();

    /** The checksums of files whose bytes have passed through here. */
    private final ConcurrentHashMap<String, Long> checksums = new ConcurrentHashMap<>();

    /** Files that came here in part, until they are deleted or, at the next checkpoint, found whole. */
    private final ConcurrentHashMap<String, PartialFile> partial = new ConcurrentHashMap<>();

    /** @param spaceMin bytes that a directory should have left to be given a new file */
    public DiskSet(List<? extends Directory> directories, long spaceMin, LongSupplier nanoClock) {
        if (directories.isEmpty()) {
            throw new IllegalArgumentException("expected at least one directory, found none");
        }
        this.disks = directories.stream()
                .map(directory -> new Disk(directory, nanoClock))
                .toList();
        this.spaceMin = spaceMin;
        this.nanoClock = nanoClock;
    }

    /** What each directory has done, in the order in which they were given. */
    public List<DirectoryStats> stats() {
        return disks.stream().map(Disk::stats).toList();
    }

    /** The directory that holds the file, or, if there is none of that name, in which to make one. */
    public Directory home(String name) throws IOException {
        Disk disk = find(FileNames.check(name));
        if (disk == null) {
            disk = ranked().get(0);
            known.put(name, disk);
        }
        return disk.directory();
    }

    @Override
    public WritableFile create(String name) throws IOException {
        return new DiskSetFile(this, name, find(FileNames.check(name)));
    }

    /** Creates it where there is room for all of it, which stays reserved. */
    @Override
    public synchronized SparseFile createSparse(String name, long bytes) throws IOException {
        Disk holder = find(FileNames.check(name));
        if (holder != null) {
            return holder.directory().createSparse(name, bytes);
        }
        IOException failure = null;
        boolean allFull = true;
        for (Disk disk : ranked()) {
            if (disk.lastUsableBytes() >= bytes) {
                try {
                    SparseFile file = disk.directory().createSparse(name, bytes);
                    disk.promise(bytes);
                    moved(name, disk);
                    return new DiskSetSparseFile(this, name, disk, file, bytes);
                } catch (IOException e) {
                    disk.failed();
                    allFull &= isFull(disk, bytes, e);
                    failure = e;
                }
            }
        }
        throw allFull ? full(name, failure) : refused(name, failure);
    }

    /**
     * Takes a file that is far away, and comes by and by: it can be opened at once, and what is read of it comes first.
     *
     * @param checksum of its bytes, {@link FileChecksum#NONE} if it is not known
     */
    public void add(Downloads downloads, RemoteFile remote, long checksum) throws IOException {
        SparseFile local = createSparse(remote.name(), remote.bytes());
        PartialFile file = null;
        try {
            file = downloads.add(remote, checksum, local);
        } finally {
            if (file == null) {
                local.close();
            }
        }
        partial.put(remote.name(), file);
        if (checksum != FileChecksum.NONE) {
            written(remote.name(), checksum);
        }
    }

    /** Brings the begin of a file here that comes by and by, and its end too if that is wanted. */
    public void fetchBegin(String name, boolean withEnd) throws IOException {
        PartialFile file = partial.get(name);
        if (file != null) {
            file.requireBegin(withEnd);
        }
    }

    /** Whether all of a file is here. */
    public boolean isWhole(String name) {
        PartialFile file = partial.get(name);
        return file == null || file.isWhole();
    }

    /**
     * Brings files here as a whole that are here in part. A file that goes meanwhile, because nobody needs it, is fine.
     *
     * @param others names of files that need not come
     */
    public void completeExcept(Collection<String> others) throws IOException {
        partial.values().removeIf(PartialFile::isWhole);
        for (PartialFile file : partial.values()) {
            if (!others.contains(file.name())) {
                file.complete();
            }
        }
    }

    /** The disk of a file, or null. */
    private Disk find(String name) throws IOException {
        Disk disk = known.get(name);
        if (disk != null) {
            return disk;
        }
        for (Disk candidate : disks) {
            if (candidate.directory().exists(name)) {
                known.put(name, candidate);
                return candidate;
            }
        }
        return null;
    }

    /** The {@link FileChecksum} of what was written into a file, {@link FileChecksum#NONE} if it is not known. */
    public long checksum(String name) {
        return checksums.getOrDefault(name, FileChecksum.NONE);
    }

    /** Takes note of a finished file, also of one that came here by another way. */
    public void written(String name, long checksum) {
        checksums.put(FileNames.check(name), checksum);
    }

    void moved(String name, Disk disk) {
        known.put(name, disk);
    }

    /** The disks, the best for a new file first; one that does not answer is not among them. */
    List<Disk> ranked() throws IOException {
        List<Disk> roomy = new ArrayList<>();
        List<Disk> tight = new ArrayList<>();
        IOException failure = null;
        for (Disk disk : disks) {
            try {
                (disk.usableBytes() >= spaceMin ? roomy : tight).add(disk);
            } catch (IOException e) {
                disk.failed();
                failure = e;
            }
        }
        if (roomy.isEmpty() && tight.isEmpty()) {
            throw new IOException(
                    "expected one of the local directories " + describe() + " to answer, found none: "
                            + failure.getMessage(),
                    failure);
        }
        long now = nanoClock.getAsLong();
        // Each is looked at once: other threads change them while disks are sorted.
        Map<Disk, Double> loads = roomy.stream().collect(Collectors.toMap(disk -> disk, disk -> disk.load(now)));
        Map<Disk, Long> left = tight.stream().collect(Collectors.toMap(disk -> disk, Disk::lastUsableBytes));
        roomy.sort(Comparator.comparing(loads::get));
        tight.sort(Comparator.comparing(left::get).reversed());
        roomy.addAll(tight);
        return roomy;
    }

    /**
     * Whether a write failed because the disk is full: by the space that is left, because the system's words for it are
     * in any language. A quota that the file system does not count as such is a failure like others.
     *
     * @param bytes what was to be written
     */
    boolean isFull(Disk disk, long bytes, IOException failure) {
        try {
            return disk.freeBytes() < Math.max(spaceMin, bytes);
        } catch (IOException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    DiskFullException full(String name, Throwable cause) {
        String left = disks.stream()
                .map(disk -> disk.describe() + " (" + disk.lastUsableBytes() + " bytes left)")
                .collect(Collectors.joining(", "));
        return new DiskFullException(
                "expected room for " + name + " in a local directory, found all of them full: " + left
                        + ": free space there, or add a directory to state.backend.drey.local-dir",
                cause);
    }

    /** For a failure of which the system says a path at most. */
    IOException refused(String name, IOException cause) {
        return new IOException(
                "expected a local directory to take file " + name + ", found none in " + describe() + ": " + cause
                        + ": look at the disk, at its quotas and inodes (df -i), and at limits (ulimit -n, -f)",
                cause);
    }

    @Override
    public ReadableFile open(String name) throws IOException {
        Disk disk = find(FileNames.check(name));
        if (disk == null) {
            throw FileNames.missing(describe(), name);
        }
        ReadableFile reader = new DiskSetReader(disk, disk.directory().open(name));
        PartialFile file = partial.get(name);
        return file == null || file.isWhole() ? reader : new PartialReader(reader, file);
    }

    @Override
    public void delete(String name) throws IOException {
        Disk disk = find(FileNames.check(name));
        if (disk != null) {
            PartialFile file = partial.remove(name);
            if (file != null) {
                file.drop();
            }
            deleteFrom(disk, name);
            known.remove(name);
            checksums.remove(name);
        }
    }

    /**
     * Deletes a file that is not needed there. One of several disks may refuse, as a file system does that is read-only
     * now, or full: counted as its failure, and the file goes with its directory.
     */
    void deleteFrom(Disk disk, String name) throws IOException {
        try {
            disk.directory().delete(name);
        } catch (IOException e) {
            disk.failed();
            if (disks.size() == 1) {
                throw e;
            }
        }
    }

    @Override
    public boolean exists(String name) throws IOException {
        Disk disk = find(FileNames.check(name));
        return disk != null && disk.directory().exists(name);
    }

    @Override
    public List<String> list() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (Disk disk : disks) {
            names.addAll(disk.directory().list());
        }
        return new ArrayList<>(names);
    }

    /** The most that one of the directories has left: a file lies in one. */
    @Override
    public long usableBytes() throws IOException {
        long most = 0;
        for (Disk disk : ranked()) {
            most = Math.max(most, disk.lastUsableBytes());
        }
        return most;
    }

    @Override
    public String describe() {
        return disks.stream().map(Disk::describe).collect(Collectors.joining(", "));
    }

    /** An open file of a disk, whose reads are counted there. */
    private static final class DiskSetReader extends DelegatingReader {
        private final Disk disk;

        DiskSetReader(Disk disk, ReadableFile file) {
            super(file);
            this.disk = disk;
        }

        @Override
        public void read(long position, ByteBuffer into) throws IOException {
            disk.read(file, position, into);
        }
    }

    /** An open file that is here in part: what is missing comes before it is read. */
    private static final class PartialReader extends DelegatingReader {
        private final PartialFile partial;

        PartialReader(ReadableFile file, PartialFile partial) {
            super(file);
            this.partial = partial;
        }

        @Override
        public void read(long position, ByteBuffer into) throws IOException {
            partial.require(position, into.remaining());
            file.read(position, into);
        }

        @Override
        public void expect(long position, long length) {
            partial.expect(position, length);
        }

        @Override
        public boolean isWhole() {
            return partial.isWhole();
        }
    }
}
