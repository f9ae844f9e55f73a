package io.drey.shuffle.worker.catalog;

import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.worker.device.DeviceDriver;
import io.drey.shuffle.worker.device.DeviceLoop;
import io.drey.shuffle.worker.disk.IoFailure;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import io.drey.shuffle.worker.file.CommitJournal;
import io.drey.shuffle.worker.file.JournalRecord;
import io.drey.shuffle.worker.file.PartFile;
import io.drey.shuffle.worker.memory.SlabPool;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One directory of a worker: its identity, its loop, and the journals of jobs in it. */
public final class StorageDirectory implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(StorageDirectory.class);

    /** A directory that failed is left alone for so long: then it is tried by a small file. */
    private static final long RETRY_MS = 5 * 60_000;

    /** A read or write of at most some MB that takes longer has failed, whatever becomes of it. */
    static final long HANGING_MS = 60_000;

    private static final long NEVER = Long.MAX_VALUE;
    private static final String PROBE = "worker.probe";
    private static final int PROBE_BYTES = 4096;

    private final Path path;
    private final DirectoryIdentity identity;
    private final DeviceLoop loop;

    /** Used by the loop's thread only, but for the time before it has work. */
    private final Map<String, CommitJournal> journals = new HashMap<>();

    /** Jobs whose files here are not to be touched, and why; as a restart found them. */
    private final Map<String, String> leftOut = new TreeMap<>();

    private final AtomicLong fileIds = new AtomicLong();
    private List<JobEntry> found = List.of();
    private volatile String trouble = "";

    private volatile boolean isHanging;

    /** Of the worker's clock: when to try what failed, and since when the loop has stood still after so many steps. */
    private long retryMs = NEVER;

    private long stillMs;
    private long stepsThen = -1;

    StorageDirectory(Path path, DirectoryIdentity identity, WorkerDisk disk, SlabPool pool, DeviceDriver driver) {
        this.path = path;
        this.identity = identity;
        this.loop = new DeviceLoop(path.toString(), disk, pool, driver);
    }

    public Path path() {
        return path;
    }

    UUID id() {
        return identity.id();
    }

    public DeviceLoop loop() {
        return loop;
    }

    long nextFileId() {
        return fileIds.incrementAndGet();
    }

    void found(List<JobEntry> jobs) {
        found = jobs;
    }

    /** What was found here at the start. */
    List<JobEntry> found() {
        return found;
    }

    /** Why nothing new is placed here; empty if it is. */
    public String trouble() {
        return trouble;
    }

    /** The same for a job. */
    String troubleOf(String job) {
        return leftOut.getOrDefault(job, trouble);
    }

    /** The jobs that were left out, in the order of their names. */
    Set<String> leftOut() {
        return leftOut.keySet();
    }

    /** Before the loop has work: nothing of a job is placed here, and nothing is written to what is there of it. */
    void leaveOut(String job, String why) {
        leftOut.put(job, why);
    }

    /** Nothing new is placed here for some time; the first reason counts. */
    public void trouble(String sentence) {
        if (trouble.isEmpty()) {
            LOG.warn("{} gets no new partitions for some minutes: {}", path, sentence);
            trouble = sentence;
        }
    }

    /** What a reader should find here is lost to it. */
    public void readFailed(PartitionKey key, Throwable cause) {
        loop.counts().countFailure();
        // Not of each reader of a broken disk.
        if (trouble.isEmpty()) {
            LOG.warn("{} is lost to a reader: {}", key, cause.toString());
        }
        boolean isOfDisk = cause instanceof IOException && !(cause instanceof NoSuchFileException);
        if (isOfDisk && IoFailure.of(cause) == IoFailure.DISK) {
            trouble("a read failed: " + cause.getMessage());
        }
    }

    /** Again and again: looks whether the loop gets on with its work. */
    void watch(long nowMs) {
        long steps = loop.isAtWork() ? loop.steps() : -1;
        if (steps < 0 || steps != stepsThen) {
            stepsThen = steps;
            stillMs = nowMs;
            isHanging = false;
        } else if (nowMs - stillMs >= HANGING_MS && !isHanging) {
            isHanging = true;
            trouble("a read or write has not ended for " + HANGING_MS / 1000
                    + " s; what is there is lost to its readers until it ends");
        }
    }

    /** Whether what is here can neither be read nor written now, nor be waited for. */
    public boolean isHanging() {
        return isHanging;
    }

    /** What to say to those who wait for it. */
    public String hanging() {
        return "a read or write of " + path + " that has not ended for " + HANGING_MS / 1000 + " s";
    }

    /** Again and again: gives a directory that failed a chance some minutes after that was seen. */
    void retry(long nowMs) {
        if (trouble.isEmpty() || isHanging) {
            retryMs = NEVER;
        } else if (retryMs == NEVER) {
            retryMs = nowMs + RETRY_MS;
        } else if (nowMs >= retryMs) {
            retryMs = NEVER;
            loop.execute(this::probe);
        }
    }

    /** The loop's thread. */
    private void probe() {
        Path file = path.resolve(PROBE);
        byte[] bytes = new byte[PROBE_BYTES];
        Arrays.fill(bytes, (byte) 'd');
        try {
            loop.disk().delete(file);
            try (WorkerFile probe = loop.disk().create(file)) {
                probe.append(0, new ByteBuffer[] {ByteBuffer.wrap(bytes)}, 1);
                // Else it is in memory only.
                probe.sync();
            }
            boolean isRead = Arrays.equals(WorkerFile.readAll(loop.disk(), file), bytes);
            loop.disk().delete(file);
            if (!isRead) {
                throw new IOException("expected what was written to " + file + ", found something else");
            }
            LOG.info("{} gets new partitions again. It got none because {}.", path, trouble);
            trouble = "";
        } catch (IOException e) {
            LOG.warn("{} still gets no new partitions, because {}. The last try: {}", path, trouble, e.toString());
        }
    }

    /** Space for new partitions; 0 if nothing is placed here. */
    long freeBytes(long keepFree) {
        try {
            return trouble.isEmpty() ? Math.max(0, loop.disk().freeBytes() - keepFree) : 0;
        } catch (IOException e) {
            trouble("the space of " + path + " is not known: " + e.getMessage());
            return 0;
        }
    }

    Path job(String job) {
        return path.resolve(job);
    }

    /** Before the loop has work: a journal that a restart found. */
    void adopt(String job, CommitJournal journal) {
        journals.put(job, journal);
    }

    /** The loop's thread: appends to the journal of a job, which is begun if there is none. */
    void append(String job, List<JournalRecord> records) throws IOException {
        CommitJournal journal = journals.get(job);
        if (journal == null) {
            journal = CommitJournal.create(loop.disk(), job(job).resolve(CommitJournal.NAME));
            journals.put(job, journal);
        }
        journal.append(records);
    }

    /** The loop's thread: deletes a file, and the directory of its exchange if that is empty now. */
    void delete(PartFile part) throws IOException {
        loop.delete(part);
        deleteIfEmpty(part.path().getParent());
    }

    /** A directory in which there are other partitions, or files of somebody else, stays. */
    private void deleteIfEmpty(Path directory) throws IOException {
        try {
            loop.disk().delete(directory);
        } catch (DirectoryNotEmptyException e) {
            return;
        }
    }

    /** The loop's thread: deletes all of a job; the journal goes last, so that half a job is never new to a restart. */
    void deleteJob(String job) throws IOException {
        WorkerDisk disk = loop.disk();
        Path root = job(job);
        Path last = root.resolve(CommitJournal.NAME);
        for (Path each : disk.list(root)) {
            if (disk.isDirectory(each)) {
                for (Path file : disk.list(each)) {
                    if (PartNames.parse(file) != null) {
                        disk.delete(file);
                    }
                }
                deleteIfEmpty(each);
            }
        }
        disk.delete(last);
        // Not before: while it is there, a job of this name that comes back goes on in it.
        CommitJournal journal = journals.remove(job);
        try (journal) {
            deleteIfEmpty(root);
        }
    }

    /** Ends the loop; files stay. One that hangs keeps others out, as it may still write. */
    @Override
    public void close() throws IOException {
        loop.close();
        List<Closeable> all = new ArrayList<>(journals.values());
        all.add(identity.lock());
        Storage.closeAll(all);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
