package io.drey.store;

import io.drey.store.block.Compression;
import io.drey.store.merge.MergeChoice;
import io.drey.store.merge.MergeJob;
import io.drey.store.run.Run;
import io.drey.store.run.Slice;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.MergePace;
import io.drey.store.value.ValueLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;

/** Carries out one merge; its inputs are pinned from its making until the owner has dealt with its end. */
final class MergeTask implements Background.Work {
    private final StoreFiles files;
    private final MergeChoice choice;
    private final MergeJob.Target target;
    private final Runnable signal;
    private final Collection<Run> inputs;
    private Background.Job job;
    private MergeJob merging;
    private final long bytes;
    private final long bytesAfter;
    private final long youngBytes;
    private volatile long bytesRead;
    private volatile MergePace.Speed speed = MergePace.Speed.UNLIMITED;
    private volatile Compression compression;
    private List<Run> outputs = List.of();
    private Throwable failure;
    private volatile boolean done;

    MergeTask(StoreFiles files, MergeChoice choice, MergeJob.Target target, Runnable signal) {
        this.bytes = choice.bytes();
        // Only now: runs of the version that it does not read may be gone when it ends.
        this.bytesAfter = choice.bytesAfter();
        this.youngBytes = choice.youngBytes();
        this.files = files;
        this.choice = choice;
        this.target = target;
        this.compression = target.options().compression();
        this.signal = signal;
        this.inputs =
                choice.inputs().stream().flatMap(List::stream).map(Slice::run).collect(Collectors.toSet());
        files.pins().pin(inputs);
    }

    void started(Background.Job started) {
        job = started;
    }

    /** Waits for the end, which is urgent therefore. */
    void await() throws InterruptedException {
        job.hurry();
        job.await();
    }

    /** About how many bytes are still to be read. */
    long bytesLeft() {
        return Math.max(0, bytes - bytesRead);
    }

    /** About how many bytes are to be merged after this until its major compaction is over; 0 if it ends it. */
    long bytesAfter() {
        return bytesAfter;
    }

    /** About how many bytes of young runs it takes. */
    long youngBytes() {
        return youngBytes;
    }

    long bytesRead() {
        return bytesRead;
    }

    void pace(MergePace.Speed newSpeed) {
        speed = newSpeed;
    }

    void compress(Compression next) {
        compression = next;
    }

    @Override
    public long bytesInAll() {
        return bytes;
    }

    @Override
    public double bytesPerSecond() {
        return files.isClosing() ? Double.POSITIVE_INFINITY : speed.bytes();
    }

    @Override
    public double steadyBytesPerSecond() {
        return speed.steadyBytes();
    }

    @Override
    public long bytes() {
        return bytesRead;
    }

    boolean isDone() {
        return done;
    }

    Throwable failure() {
        return failure;
    }

    /** The runs that it reads. */
    Collection<Run> inputs() {
        return inputs;
    }

    MergeChoice choice() {
        return choice;
    }

    /** The new runs, pinned once for the owner. */
    List<Run> outputs() {
        return outputs;
    }

    /** The owner is done with this merge. */
    void release() {
        files.pins().unpin(inputs);
    }

    /** The store closes: neither inputs nor outputs are needed. */
    void drop() {
        List<Run> unneeded = new ArrayList<>(inputs);
        unneeded.addAll(outputs);
        files.pins().unpin(unneeded);
    }

    @Override
    public boolean step(int bytes) {
        boolean more = false;
        long start = System.nanoTime();
        try {
            more = merge(bytes);
        } catch (Throwable e) {
            failure = e;
        } finally {
            files.counters().mergeNanos.addAndGet(System.nanoTime() - start);
            if (!more) {
                done = true;
                signal.run();
            }
        }
        return more;
    }

    private boolean merge(int bytes) throws IOException {
        if (merging == null) {
            merging = new MergeJob(choice, target, files.memory());
        }
        if (files.isClosing()) {
            CancellationException cancelled = new CancellationException("the store is closing");
            merging.discard(cancelled);
            throw cancelled;
        }
        merging.compress(compression);
        boolean more = merging.step(bytes);
        bytesRead = merging.bytesRead();
        if (more) {
            return true;
        }
        List<Run> merged = merging.runs();
        files.pins().pin(merged);
        outputs = merged;
        files.counters().merges.incrementAndGet();
        count(merged);
        files.counters().entriesExpired.addAndGet(merging.expired());
        return false;
    }

    private void count(List<Run> merged) {
        Set<ValueLog> logs = new HashSet<>();
        merged.forEach(run -> logs.addAll(run.logs()));
        inputs.forEach(run -> run.logs().forEach(logs::remove));
        long moved = logs.stream().mapToLong(ValueLog::bytes).sum();
        files.counters().bytesRelocated.addAndGet(moved);
        files.counters().runBytesMerged.addAndGet(StoreStats.Files.of(merged).bytes());
    }
}
