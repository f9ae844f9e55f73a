package io.drey.flink.state.changelog;

import io.drey.checkpoint.retention.SharedNames;
import io.drey.checkpoint.upload.SecondAttempts;
import io.drey.checkpoint.upload.Trash;
import io.drey.checkpoint.upload.Writes;
import io.drey.flink.state.changelog.ChangelogFileWrite.Written;
import io.drey.flink.state.changelog.ChangelogSection.State;
import io.drey.flink.state.options.DreyOptions;
import io.drey.flink.state.task.UploadThreads;
import io.drey.foundation.Arena;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.io.AvailabilityProvider;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Brings the sections of all logs of a job in this process into the checkpoint storage: those that wait at the same time
 * as one file. A file is due shortly after a checkpoint has asked for sections, so that others have asked too; or when
 * many wait; or when memory is short. One that cannot be written stays in memory: checkpoints that wait for it fail, and
 * the next one, or the next second if memory is short, tries again.
 *
 * <p>It is the lock of all that logs have in common; nobody waits for the storage under it, nor a task outside of it
 * unless memory is used up.
 */
final class ChangelogUploads implements AutoCloseable {
    /** Of the memory. */
    static final int PAGE_BYTES = 8 << 10;

    /** Files that are written at once, a thread each. */
    static final int FILES_MAX = 4;

    /** Larger files go up slower than the same bytes in several. */
    static final long FILE_BYTES_MAX = 16 << 20;

    /** Without a checkpoint, so much is worth a file, or a quarter of the memory: the more, the more a barrier finds. */
    static final long AHEAD_BYTES_MIN = 2 << 20;

    /** A section is finished at this size; with many logs earlier, so that what grows takes a quarter of the memory. */
    private static final int SECTION_BYTES_MAX = 512 << 10;

    /** A file is begun so long after the last log has asked for it. */
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Or so long after the first one. */
    private static final long WAIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

    /** What has failed is tried again after so long, unless a checkpoint asks for it before. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A write that takes so long hangs: a file is {@link #FILE_BYTES_MAX} large. */
    static final long HANGING_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int QUARTER = 4;

    /** Tasks stop working, rather than be stopped, if less than this part of the memory is free. */
    private static final int SHORT_PART = 8;

    /** A file that is being written, and since when. */
    private record Running(Set<ChangelogSection> sections, long beginNanos) {}

    private final long memoryBytes;
    private final Path directory;
    private final Executor threads;
    private final long hangingNanos;
    private final Trash<StreamStateHandle> trash;
    private final SharedNames names = new SharedNames(UUID.randomUUID());
    private final SecondAttempts second = new SecondAttempts();
    private final AvailabilityProvider.AvailabilityHelper availability = new AvailabilityProvider.AvailabilityHelper();
    private final ArrayDeque<ChangelogSection> waiting = new ArrayDeque<>();
    private final Map<Writes<Written>, Running> running = new HashMap<>();

    /** From the first log on. */
    private volatile Arena memory;

    private volatile int sectionBytes;
    private long waitingBytes;
    private int logs;
    private int writers;

    /** Whether a writer waits until a file is due. */
    private boolean awaited;

    /** Whether a checkpoint wants what waits, and since when, and when the last one has said so. */
    private boolean requested;

    private long requestedNanos;
    private long requestedLastNanos;

    /** Logs that have asked for the latest checkpoint: when all have, nobody is waited for. */
    private int asked;

    private long askedCheckpoint = -1;

    /** Nothing is due before, after a failure. */
    private long pausedUntilNanos = System.nanoTime();

    private boolean closed;
    private long filesStored;
    private long bytesStored;
    private long failures;

    /**
     * @param memoryBytes for sections that are not stored
     * @param directory for files
     * @param threads has one for each of {@link #FILES_MAX}
     * @param hangingNanos after which a write of a checkpoint that is given up is given up too
     */
    ChangelogUploads(
            long memoryBytes, Path directory, Executor threads, Trash<StreamStateHandle> trash, long hangingNanos) {
        this.memoryBytes = memoryBytes;
        this.directory = directory;
        this.threads = threads;
        this.hangingNanos = hangingNanos;
        this.trash = trash;
        availability.resetAvailable();
    }

    /** A log begins. */
    synchronized void opened() {
        if (closed) {
            throw new IllegalStateException("the changelog storage of the job has been closed");
        }
        long logsMax = memoryBytes / (QUARTER * ChangelogWriter.RAW_BYTES);
        if (logs + 1 > logsMax) {
            throw new IllegalStateException("expected at most " + logsMax + " keyed operators and subtasks in a process"
                    + " with " + DreyOptions.CHANGELOG_MEMORY.key() + ": " + memoryBytes
                    + " bytes, found one more: give it more");
        }
        if (memory == null) {
            memory = new Arena(memoryBytes, PAGE_BYTES);
        }
        logs++;
        share();
    }

    private void share() {
        sectionBytes = (int) Math.min(SECTION_BYTES_MAX, memoryBytes / QUARTER / Math.max(1, logs));
    }

    /** A log has ended, and taken back what it had. */
    synchronized void closed() {
        logs--;
        share();
        freeIfOver();
        notifyAll();
    }

    /** The size at which a section is finished. */
    int sectionBytes() {
        return sectionBytes;
    }

    /** A page for a section, or {@link Arena#FULL}. */
    long takePage() {
        // Before there is a page that nobody would give back: it fails if there is no thread to write with.
        if (isShort(SHORT_PART)) {
            becomeUnavailable();
        }
        return memory.take(Arena.Use.LOG);
    }

    /** Waits for a page: the storage is slower than the changes come. */
    synchronized long awaitPage() throws IOException {
        long page;
        while ((page = memory.take(Arena.Use.LOG)) == Arena.FULL) {
            if (closed) {
                throw new IOException("the changelog storage of the job has been closed");
            }
            wake();
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for memory of the changelog", e);
            }
        }
        return page;
    }

    /** Gives back what a section has taken. */
    synchronized void givePages(ChangelogSection section) {
        give(section.release());
    }

    private void give(long[] pages) {
        for (long page : pages) {
            memory.give(page, Arena.Use.LOG);
        }
        becomeAvailable();
        notifyAll();
    }

    private synchronized void becomeUnavailable() {
        // Pages may have come back meanwhile, and no others may come after them.
        if (isShort(SHORT_PART) && availability.isApproximatelyAvailable() && !closed) {
            availability.resetUnavailable();
            wake();
        }
    }

    private void becomeAvailable() {
        boolean enough = closed || !isShort(QUARTER);
        if (enough && !availability.isApproximatelyAvailable()) {
            // Tasks only note that they may go on: nothing of theirs runs under this lock.
            availability.getUnavailableToResetAvailable().complete(null);
        }
    }

    AvailabilityProvider availability() {
        return availability;
    }

    /** A section waits to be stored. */
    void add(ChangelogSection section) {
        give(section.trim());
        waiting.addLast(section);
        waitingBytes += section.storedBytes();
        wake();
    }

    /** A log asks for what a checkpoint wants of it. */
    void request(long checkpoint, boolean waits) {
        if (checkpoint != askedCheckpoint) {
            askedCheckpoint = checkpoint;
            asked = 0;
        }
        asked++;
        if (waits) {
            long now = System.nanoTime();
            requestedNanos = requested ? requestedNanos : now;
            requestedLastNanos = now;
            requested = true;
        }
        wake();
    }

    /** No checkpoint will list a section any more. One that is being written is among others that are wanted. */
    void drop(ChangelogSection section) {
        if (section.state == State.WAITING) {
            waiting.remove(section);
            waitingBytes -= section.storedBytes();
            give(section.release());
        } else if (section.state == State.STORED && !section.listed) {
            release(section.file);
        }
        section.state = State.GONE;
    }

    private void release(ChangelogFile file) {
        if (file.release()) {
            trash.accept(file.handle());
        }
    }

    /** Sees to it that what is due, or will be, has a thread. */
    private void wake() {
        notifyAll();
        if (!closed && !awaited && writers < FILES_MAX && dueNanos() != Long.MAX_VALUE) {
            awaited = true;
            writers++;
            try {
                threads.execute(this::writeFiles);
            } catch (RuntimeException | Error e) {
                // There is no thread for it: the task that wants one fails, and the next one asks again.
                awaited = false;
                writers--;
                throw e;
            }
        }
    }

    /** When the next file is due; {@link Long#MAX_VALUE} if something has to happen first. */
    private long dueNanos() {
        if (waiting.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (requested) {
            boolean all = asked >= logs;
            return all
                    ? requestedLastNanos
                    : Math.min(requestedLastNanos + WAIT_NANOS, requestedNanos + WAIT_NANOS_MAX);
        }
        boolean many = waitingBytes >= Math.min(AHEAD_BYTES_MIN, memoryBytes / QUARTER);
        return many || isShort(QUARTER) ? pausedUntilNanos : Long.MAX_VALUE;
    }

    private boolean isShort(int part) {
        return memory.freePages() < memory.pages() / part;
    }

    private void writeFiles() {
        try {
            List<ChangelogSection> sections;
            while ((sections = next()) != null) {
                write(sections);
            }
        } catch (Throwable e) {
            // Whoever asks next gets another thread.
            leave();
            throw e;
        }
    }

    private synchronized void leave() {
        awaited = false;
        writers--;
        freeIfOver();
    }

    /** The sections of the next file; null if none will be due, or another thread waits for that. */
    private synchronized List<ChangelogSection> next() {
        awaited = true;
        long due;
        while (!closed && (due = dueNanos()) != Long.MAX_VALUE) {
            long left = due - System.nanoTime();
            if (left <= 0) {
                awaited = false;
                List<ChangelogSection> taken = take();
                try {
                    wake();
                } catch (RuntimeException | Error e) {
                    // There is no thread for the rest: this one writes it after what it has.
                }
                return taken;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                // Nobody interrupts it but the end of the process.
                break;
            }
        }
        leave();
        return null;
    }

    /**
     * Sections of one first checkpoint: from then on each checkpoint lists the file, by one log or another, until none
     * does any more. One that is listed first, left out of a checkpoint and listed again is deleted between. Those that a
     * checkpoint waits for go before what has failed and nobody asks for: else it would never hear that they fail too.
     */
    private List<ChangelogSection> take() {
        requested &= isAwaited();
        long first = waiting.stream()
                .filter(section -> !requested || section.awaited > 0)
                .mapToLong(section -> section.first)
                .min()
                .orElseThrow();
        List<ChangelogSection> taken = new ArrayList<>();
        long bytes = 0;
        for (Iterator<ChangelogSection> each = waiting.iterator(); each.hasNext(); ) {
            ChangelogSection section = each.next();
            if (section.first != first) {
                continue;
            }
            if (!taken.isEmpty() && bytes + section.storedBytes() > FILE_BYTES_MAX) {
                break;
            }
            each.remove();
            section.state = State.WRITING;
            bytes += section.storedBytes();
            taken.add(section);
        }
        waitingBytes -= bytes;
        requested &= isAwaited();
        return taken;
    }

    private boolean isAwaited() {
        return waiting.stream().anyMatch(section -> section.awaited > 0);
    }

    private void write(List<ChangelogSection> sections) {
        List<Runnable> tell = new ArrayList<>();
        try {
            stored(sections, writeFile(sections), tell);
        } catch (IOException e) {
            failed(sections, e, tell);
        } catch (CancellationException e) {
            givenUp(sections, e, tell);
        } catch (InterruptedException e) {
            failed(sections, new IOException("the write of the changelog was interrupted", e), tell);
        } catch (RuntimeException | Error e) {
            // The top of this piece of work: whoever waits for it is told.
            failed(sections, new IOException("the changelog could not be stored: " + e, e), tell);
        }
        tell.forEach(Runnable::run);
    }

    private Written writeFile(List<ChangelogSection> sections) throws IOException, InterruptedException {
        ChangelogFileWrite write = new ChangelogFileWrite(sections, directory, names, trash);
        Writes<Written> writes = new Writes<>(
                List.of(write),
                1,
                UploadThreads.get(),
                second,
                System::nanoTime,
                unwanted -> trash.accept(unwanted.handle()));
        synchronized (this) {
            if (closed) {
                writes.close();
            }
            running.put(writes, new Running(Set.copyOf(sections), System.nanoTime()));
        }
        try {
            return writes.run().get(0);
        } finally {
            synchronized (this) {
                running.remove(writes);
            }
        }
    }

    /**
     * The writes of some sections that hang, for whoever gives a checkpoint up: the sections go with the next one. Others
     * are spared, as that one needs them as well.
     */
    List<Writes<Written>> hanging(Collection<ChangelogSection> sections) {
        long now = System.nanoTime();
        List<Writes<Written>> hanging = new ArrayList<>();
        running.forEach((writes, what) -> {
            if (now - what.beginNanos() >= hangingNanos && !Collections.disjoint(what.sections(), sections)) {
                hanging.add(writes);
            }
        });
        return hanging;
    }

    private synchronized void stored(List<ChangelogSection> sections, Written written, List<Runnable> tell) {
        ChangelogFile file = new ChangelogFile(written.handle(), sections.size());
        Set<ChangelogSections> logsTold = new HashSet<>();
        for (int i = 0; i < sections.size(); i++) {
            ChangelogSection section = sections.get(i);
            give(section.release());
            if (section.state == State.GONE) {
                release(file);
            } else {
                section.state = State.STORED;
                section.file = file;
                section.offset = written.offsets()[i];
                logsTold.add(section.log);
            }
        }
        filesStored++;
        bytesStored += written.handle().getStateSize();
        logsTold.forEach(log -> log.stored(tell));
    }

    /** It hung, and its checkpoint was aborted; others may wait for the same sections by now. */
    private synchronized void givenUp(
            List<ChangelogSection> sections, CancellationException cause, List<Runnable> tell) {
        if (closed) {
            failed(sections, new IOException("the changelog storage of the job was closed", cause), tell);
            return;
        }
        failures++;
        waitAgain(sections);
        requested = true;
        requestedNanos = System.nanoTime();
        requestedLastNanos = requestedNanos;
    }

    private synchronized void failed(List<ChangelogSection> sections, IOException cause, List<Runnable> tell) {
        failures++;
        pausedUntilNanos = System.nanoTime() + RETRY_NANOS;
        waitAgain(sections);
        for (ChangelogSection section : sections) {
            if (section.state != State.GONE) {
                section.log.failed(section, cause, tell);
            }
        }
    }

    private void waitAgain(List<ChangelogSection> sections) {
        for (int i = sections.size() - 1; i >= 0; i--) {
            ChangelogSection section = sections.get(i);
            if (section.state == State.GONE) {
                give(section.release());
            } else {
                section.state = State.WAITING;
                waiting.addFirst(section);
                waitingBytes += section.storedBytes();
            }
        }
    }

    synchronized long filesStored() {
        return filesStored;
    }

    synchronized long bytesStored() {
        return bytesStored;
    }

    synchronized long failures() {
        return failures;
    }

    synchronized long secondAttempts() {
        return second.begun();
    }

    /** Bytes of memory in use. */
    synchronized long memoryUsed() {
        return memory == null ? 0 : memory.usedBytes(Arena.Use.LOG);
    }

    /** The job has ended here. Logs that are still open, because a task hangs, keep the memory until they are closed. */
    @Override
    public void close() {
        List<Writes<Written>> cancelled;
        synchronized (this) {
            closed = true;
            if (memory != null) {
                becomeAvailable();
            }
            cancelled = new ArrayList<>(running.keySet());
            freeIfOver();
            notifyAll();
        }
        cancelled.forEach(Writes::close);
    }

    private void freeIfOver() {
        if (closed && logs == 0 && writers == 0 && memory != null) {
            memory.close();
            memory = null;
        }
    }
}
