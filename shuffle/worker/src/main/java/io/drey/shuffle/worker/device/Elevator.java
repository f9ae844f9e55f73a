package io.drey.shuffle.worker.device;

import io.drey.shuffle.worker.disk.WorkerFile;
import io.drey.shuffle.worker.memory.SlabPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Reads for all readers of a disk, in sweeps:
 *
 * <ol>
 *   <li>at the begin of a sweep every reader that waits names its next range;
 *   <li>ranges are sorted by file and offset, and begin where the last read ended; files are in the order in which they
 *       were begun;
 *   <li>ranges that overlap or are close become one read of limited size, which serves all of them;
 *   <li>a range is left out if its reader does not take what it got before; it says when it does again;
 *   <li>whoever comes meanwhile waits for the next sweep: nobody waits for more than two.
 * </ol>
 */
final class Elevator {
    /** Most bytes of a read. */
    static final int READ_BYTES_MAX = 4 << 20;

    /** Ranges with a smaller gap are read in one. */
    static final int GAP_BYTES_MAX = 64 << 10;

    private static final Comparator<ReadSource> ORDER =
            Comparator.<ReadSource>comparingLong(each -> each.file().id()).thenComparingLong(ReadSource::offset);

    private final DeviceLoop loop;
    private final ReadSpan span;
    private List<ReadSource> pending = new ArrayList<>();
    private List<ReadSource> asking = new ArrayList<>();
    private final List<ReadSource> sweep = new ArrayList<>();
    private final List<ReadSource> group = new ArrayList<>();
    private int at;
    private long lastFile;
    private long lastEnd;

    Elevator(DeviceLoop loop, SlabPool pool) {
        this.loop = loop;
        this.span = new ReadSpan(pool, READ_BYTES_MAX);
    }

    void add(ReadSource source) {
        pending.add(source);
    }

    int waiting() {
        return pending.size() + sweep.size() - at;
    }

    /** One read, if there is one to do and memory for it. */
    boolean step() {
        try {
            return tryStep();
        } catch (RuntimeException | Error e) {
            group.clear();
            if (at < sweep.size()) {
                sweep.get(at++).failed(e);
            }
            return true;
        }
    }

    private boolean tryStep() {
        ReadSource first = first();
        if (first == null) {
            return false;
        }
        long start = first.offset();
        long end = first.end();
        group.add(first);
        int next = at + 1;
        while (next < sweep.size() && isJoined(first, end, sweep.get(next))) {
            ReadSource each = sweep.get(next);
            if (isAdmitted(each)) {
                end = Math.max(end, each.end());
                group.add(each);
                next++;
            } else {
                // It says itself when it is to be read: if this sweep came to it again, it would be read twice.
                sweep.remove(next);
            }
        }
        if (!span.take(start, (int) (end - start))) {
            // Those that were joined are read by themselves.
            group.clear();
            group.add(first);
            next = at + 1;
            if (!takeOne(first)) {
                group.clear();
                return false;
            }
        }
        at = next;
        try {
            read();
        } finally {
            span.release();
            group.clear();
        }
        return true;
    }

    /** The next range of the sweep, or of the next one. */
    private ReadSource first() {
        boolean begun = false;
        while (true) {
            while (at < sweep.size()) {
                if (isAdmitted(sweep.get(at))) {
                    return sweep.get(at);
                }
                at++;
            }
            if (begun || !begin()) {
                return null;
            }
            begun = true;
        }
    }

    private static boolean isAdmitted(ReadSource source) {
        if (source.admit()) {
            return true;
        }
        source.idle();
        return false;
    }

    /** Memory for one range alone, or for its least part; without it the loop is woken when there is some. */
    private boolean takeOne(ReadSource first) {
        if (span.take(first.offset(), first.wanted()) || span.take(first.offset(), first.least())) {
            return true;
        }
        // Said before the last try, so that a release between the two is not missed.
        loop.starve();
        return span.take(first.offset(), first.least());
    }

    private static boolean isJoined(ReadSource first, long end, ReadSource next) {
        return next.file() == first.file()
                && next.offset() >= first.offset()
                && next.offset() - end < GAP_BYTES_MAX
                && next.end() - first.offset() <= READ_BYTES_MAX;
    }

    /** Begins a sweep with all that wait and have something to ask for. */
    private boolean begin() {
        sweep.clear();
        at = 0;
        List<ReadSource> each = pending;
        pending = asking;
        asking = each;
        for (ReadSource source : asking) {
            try {
                if (source.prepare(loop)) {
                    sweep.add(source);
                } else {
                    source.idle();
                }
            } catch (IOException | RuntimeException | Error e) {
                source.failed(e);
            }
        }
        asking.clear();
        sweep.sort(ORDER);
        int from = 0;
        while (from < sweep.size() && isBefore(sweep.get(from))) {
            from++;
        }
        Collections.rotate(sweep, -from);
        return !sweep.isEmpty();
    }

    /** Whether it lies before the place where the last read ended. */
    private boolean isBefore(ReadSource source) {
        long file = source.file().id();
        return file < lastFile || (file == lastFile && source.offset() < lastEnd);
    }

    private void read() {
        ReadSource first = group.get(0);
        try {
            WorkerFile file = loop.openFile(first.file());
            span.length(file.read(first.offset(), span.views(), span.count()));
        } catch (IOException | RuntimeException | Error e) {
            group.forEach(source -> source.failed(e));
            return;
        }
        lastFile = first.file().id();
        lastEnd = span.end();
        loop.counts().countRead(span.end() - first.offset(), group.size());
        for (ReadSource source : group) {
            try {
                source.deliver(span);
                pending.add(source);
            } catch (RuntimeException | Error e) {
                source.failed(e);
            }
        }
    }
}
