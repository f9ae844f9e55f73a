package io.drey.store.compaction;

import io.drey.files.DiskFullException;
import io.drey.store.block.Compression;
import io.drey.store.run.Run;
import io.drey.store.run.RunView;
import io.drey.store.schedule.OwnedWork;
import io.drey.store.stats.StoreStats;
import io.drey.store.tuning.CompactionPace;
import io.drey.store.value.ValueLog;
import io.drey.store.version.FileRefs;
import io.drey.store.version.StoreFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Carries out one compaction; its inputs are held from its making until the owner has dealt with its end. */
public final class CompactionJob extends OwnedWork {
    /** The most that a part counts for: a pause of the process, or of the disk, is not what compacting costs. */
    private static final long PART_NANOS_MAX = 1_000_000_000;

    private final StoreFiles files;
    private final CompactionChoice choice;
    private final CompactionWriter.Target target;
    private final Collection<Run> inputs;
    private CompactionWriter compacting;
    private final long bytes;
    private final long bytesAfter;
    private final long youngBytes;
    private volatile long bytesRead;
    private volatile CompactionPace.Speed speed = CompactionPace.Speed.UNLIMITED;
    private volatile Compression compression;
    private volatile boolean givesWay;
    private List<Run> outputs = List.of();

    /** What its parts took so far. */
    private long nanos;

    public CompactionJob(StoreFiles files, CompactionChoice choice, CompactionWriter.Target target, Runnable signal) {
        super(files::isClosing, signal);
        this.bytes = choice.bytes();
        // Only now: runs of the version that it does not read may be gone when it ends.
        this.bytesAfter = choice.bytesAfter();
        this.youngBytes = choice.youngBytes();
        this.files = files;
        this.choice = choice;
        this.target = target;
        this.compression = target.options().compression();
        this.inputs = choice.inputs().stream()
                .flatMap(List::stream)
                .map(RunView::run)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        files.refs().hold(FileRefs.Holder.COMPACTION, inputs);
    }

    /** About how many bytes are still to be read. */
    public long bytesLeft() {
        return Math.max(0, bytes - bytesRead);
    }

    /** About how many bytes are to be compacted after this until its major compaction is over; 0 if it ends it. */
    public long bytesAfter() {
        return bytesAfter;
    }

    /** About how many bytes of young runs it takes. */
    public long youngBytes() {
        return youngBytes;
    }

    public long bytesRead() {
        return bytesRead;
    }

    public void pace(CompactionPace.Speed newSpeed) {
        speed = newSpeed;
    }

    public void compress(Compression next) {
        compression = next;
    }

    @Override
    public long bytesInAll() {
        return bytes;
    }

    @Override
    protected double pace() {
        return speed.bytes();
    }

    @Override
    public double steadyBytesPerSecond() {
        return speed.steadyBytes();
    }

    @Override
    public long bytes() {
        return bytesRead;
    }

    public CompactionChoice choice() {
        return choice;
    }

    /** The new runs, held for the owner. */
    public List<Run> outputs() {
        return outputs;
    }

    /** A flush has no room beside it: ends it, as if it had none itself, and waits for that; any thread. */
    public void giveWay() throws InterruptedException {
        givesWay = true;
        endSoon();
        await();
    }

    /** The owner is done with this compaction. */
    public void release() {
        files.refs().release(FileRefs.Holder.COMPACTION, inputs);
    }

    /** The store closes: neither inputs nor outputs are needed. */
    public void drop() {
        List<Run> unneeded = new ArrayList<>(inputs);
        unneeded.addAll(outputs);
        files.refs().release(FileRefs.Holder.COMPACTION, unneeded);
    }

    @Override
    protected boolean part(int bytes) throws IOException {
        if (givesWay) {
            throw new DiskFullException("a flush had no room beside a compaction", null);
        }
        long start = files.counters().now();
        boolean more = compact(bytes);
        nanos += Math.min(PART_NANOS_MAX, files.counters().now() - start);
        if (!more) {
            // Together with its bytes: else a byte would seem dear while a long compaction is under way.
            files.counters().compactionNanos.addAndGet(nanos);
        }
        return more;
    }

    private boolean compact(int bytes) throws IOException {
        if (compacting == null) {
            compacting = new CompactionWriter(choice, target, files.memory());
        }
        compacting.compress(compression);
        boolean more = compacting.step(bytes);
        bytesRead = compacting.bytesRead();
        if (more) {
            return true;
        }
        List<Run> compacted = compacting.runs();
        files.refs().hold(FileRefs.Holder.COMPACTION, compacted);
        outputs = compacted;
        files.counters().compactions.incrementAndGet();
        count(compacted);
        compacting.tellMoved(files.placement()::relocated);
        files.counters().entriesExpired.addAndGet(compacting.expired());
        return false;
    }

    @Override
    protected void discard(Throwable cause) {
        if (compacting != null) {
            compacting.discard(cause);
        }
    }

    private void count(List<Run> compacted) {
        Set<ValueLog> logs = new HashSet<>();
        compacted.forEach(run -> logs.addAll(run.logs()));
        inputs.forEach(run -> run.logs().forEach(logs::remove));
        long moved = logs.stream().mapToLong(ValueLog::bytes).sum();
        files.counters().bytesRelocated.addAndGet(moved);
        long bytesCompacted = StoreStats.Files.of(compacted).bytes();
        files.counters().runBytesCompacted.addAndGet(bytesCompacted);
        compacted.forEach(
                run -> files.counters().entriesCompacted.addAndGet(run.info().entries()));
        if (!choice.majorCompaction()) {
            files.counters().youngBytesCompacted.addAndGet(bytesCompacted);
        }
    }
}
