package io.drey.shuffle.worker.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.foundation.DreyException;
import io.drey.foundation.Hash;
import io.drey.shuffle.worker.device.DeviceDriver;
import io.drey.shuffle.worker.device.DeviceThread;
import io.drey.shuffle.worker.disk.IoFailure;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.memory.SlabPool;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directories of a worker, and its identity, which they keep. */
public final class Storage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);

    private static final long FILLING_BYTES = 256L << 20;

    private final List<StorageDirectory> directories;
    private final Set<Path> leftOut;
    private final UUID worker;
    private final UUID incarnation;
    private final long keepFree;
    private int next;

    /** Makes the disk of a directory, which is there then, and what drives its loop. */
    @FunctionalInterface
    public interface Disks {
        WorkerDisk of(Path directory) throws IOException;

        default DeviceDriver driver(Path directory) {
            return new DeviceThread("drey-shuffle-device " + directory, patienceMs(directory));
        }

        /** Without a step for so long a directory hangs, while it is opened or closed. */
        default long patienceMs(Path directory) {
            return StorageDirectory.HANGING_MS;
        }

        /** Does what may hang while a directory is opened. */
        default void run(Path directory, Runnable task) {
            Thread thread = new Thread(task, "drey-shuffle-open " + directory);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private Storage(
            List<StorageDirectory> directories, Set<Path> leftOut, UUID worker, UUID incarnation, long keepFree) {
        this.directories = List.copyOf(directories);
        this.leftOut = leftOut;
        this.worker = worker;
        this.incarnation = incarnation;
        this.keepFree = keepFree;
    }

    /** @param keepFree bytes that are left free in each directory's file system */
    public static Storage open(List<Path> paths, Disks disks, SlabPool pool, long keepFree) throws IOException {
        if (paths.isEmpty()) {
            throw new DreyException("expected a directory for the worker's data, found none");
        }
        List<DirectoryOpening> all = new ArrayList<>();
        paths.stream().distinct().forEach(each -> all.add(new DirectoryOpening(each, disks)));
        List<DirectoryOpening> left = new ArrayList<>(all);
        try {
            // The first of them may have been replaced: whose the others are, it is.
            left.forEach(DirectoryOpening::find);
            IOException failure = await(left, null);
            UUID owner = left.stream()
                    .map(DirectoryOpening::owner)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            if (owner == null && failure != null) {
                // Those that are left are of nobody yet, and would be another worker's than those that are not.
                throw failure;
            }
            UUID worker = owner == null ? UUID.randomUUID() : owner;
            left.forEach(each -> each.open(worker, pool));
            failure = await(left, failure);
            if (left.isEmpty()) {
                throw failure;
            }
            Set<Path> leftOut = new TreeSet<>(paths);
            Set<String> ids = new TreeSet<>();
            List<StorageDirectory> opened =
                    left.stream().map(DirectoryOpening::opened).toList();
            for (StorageDirectory each : opened) {
                leftOut.remove(each.path());
                ids.add(each.id().toString());
                // It may have lost what somebody counts on.
                each.leftOut().forEach(job -> ids.add("without " + each.job(job)));
            }
            leftOut.forEach(each -> ids.add("without " + each));
            UUID incarnation = idOf(String.join(" ", ids));
            return new Storage(opened, Set.copyOf(leftOut), worker, incarnation, keepFree);
        } catch (IOException | RuntimeException | Error e) {
            try {
                closeAll(all.stream()
                        .map(DirectoryOpening::opened)
                        .filter(Objects::nonNull)
                        .toList());
            } catch (IOException another) {
                e.addSuppressed(another);
            }
            throw e;
        }
    }

    /** The same for the same text; by a hash that every JVM has, as one with FIPS rules may lack MD5. */
    private static UUID idOf(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return new UUID(Hash.hash(bytes, 0, bytes.length, 1), Hash.hash(bytes, 0, bytes.length, 2));
    }

    /** Waits for all, and takes away those that cannot be used; tells why the last one of these cannot. */
    private static IOException await(List<DirectoryOpening> left, IOException before) throws IOException {
        DirectoryOpening.await(left);
        IOException failure = before;
        for (DirectoryOpening each : List.copyOf(left)) {
            try {
                each.check();
            } catch (IOException e) {
                failure = unusable(each.path(), e);
                left.remove(each);
            }
        }
        return failure;
    }

    /** A broken disk keeps the others from nothing; what it has is missing, which clients see by the incarnation. */
    private static IOException unusable(Path path, IOException cause) throws IOException {
        if (IoFailure.of(cause) == IoFailure.PROCESS) {
            // The next start may have more file handles.
            throw cause;
        }
        LOG.error(
                "{} cannot be used and is left out, with what it has, until the worker starts again. The reason: {}",
                path,
                cause.toString());
        return cause;
    }

    /** Closes each, whatever becomes of the others; tells the first failure, with the others in it. */
    static void closeAll(List<? extends Closeable> all) throws IOException {
        IOException first = null;
        for (Closeable each : all) {
            try {
                each.close();
            } catch (IOException | RuntimeException | Error e) {
                if (first == null) {
                    first = e instanceof IOException failure ? failure : new IOException(e);
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    public List<StorageDirectory> directories() {
        return directories;
    }

    /** Those that could not be used at the start. */
    public Set<Path> leftOut() {
        return leftOut;
    }

    public UUID worker() {
        return worker;
    }

    /** Another one after a directory was emptied, added or taken away, and while jobs are left out. */
    public UUID incarnation() {
        return incarnation;
    }

    /** Again and again: sees which directories hang. */
    void watch(long nowMs) {
        directories.forEach(each -> each.watch(nowMs));
    }

    /** Whether a directory hangs. */
    public boolean isHanging() {
        return directories.stream().anyMatch(StorageDirectory::isHanging);
    }

    long freeBytes(StorageDirectory directory) {
        return directory.freeBytes(keepFree);
    }

    /** Whether a directory has little space left: files in it should go on elsewhere. */
    public boolean isFilling(StorageDirectory directory) {
        return freeBytes(directory) < FILLING_BYTES;
    }

    /** Some file systems say of a size only that it is huge. */
    static long sum(long bytes, long more) {
        return bytes > Long.MAX_VALUE - more ? Long.MAX_VALUE : bytes + more;
    }

    /** Space for partitions in all directories, of which some may share it. */
    public long freeBytes() {
        Map<Object, Long> free = new HashMap<>();
        for (StorageDirectory each : directories) {
            free.merge(each.loop().disk().fileSystem(), freeBytes(each), Math::max);
        }
        return free.values().stream().reduce(0L, Storage::sum);
    }

    public long totalBytes() {
        Map<Object, Long> total = new HashMap<>();
        for (StorageDirectory each : directories) {
            try {
                total.put(each.loop().disk().fileSystem(), each.loop().disk().totalBytes());
            } catch (IOException e) {
                each.trouble("the size of " + each + " is not known: " + e.getMessage());
            }
        }
        return total.values().stream().reduce(0L, Storage::sum);
    }

    /** Space for a job's partitions. */
    long freeBytes(StorageDirectory directory, String job) {
        return directory.troubleOf(job).isEmpty() ? freeBytes(directory) : 0;
    }

    /**
     * Where the next partition of a job goes: in turn, but never where less than half of the most space is left; null
     * if all are full.
     */
    synchronized StorageDirectory choose(String job) {
        long most = directories.stream()
                .mapToLong(each -> freeBytes(each, job))
                .max()
                .orElse(0);
        for (int i = 0; i < directories.size() && most > 0; i++) {
            StorageDirectory each = directories.get(Math.floorMod(next++, directories.size()));
            if (freeBytes(each, job) >= Math.max(1, most / 2)) {
                return each;
            }
        }
        return null;
    }

    String fullSentence(String job) {
        StringBuilder sentence = new StringBuilder("expected space for a partition at worker " + worker + ", found");
        for (StorageDirectory each : directories) {
            String trouble = each.troubleOf(job);
            String why = trouble.isEmpty() ? freeBytes(each) + " bytes beyond what is kept free" : trouble;
            sentence.append(" in ").append(each).append(": ").append(why).append(';');
        }
        return sentence.append(" free some, or add a directory").toString();
    }

    /** Those that are at work are last: one of them may hang, and the process be killed while it is waited for. */
    @Override
    public void close() throws IOException {
        List<StorageDirectory> order = new ArrayList<>();
        directories.forEach(each -> order.add(each.loop().isAtWork() ? order.size() : 0, each));
        closeAll(order);
    }
}
