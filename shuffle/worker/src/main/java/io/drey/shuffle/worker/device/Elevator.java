package io.drey.shuffle.worker.device;

import io.drey.shuffle.worker.disk.DataFile;
import io.drey.shuffle.worker.memory.SlabPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads for all readers of a disk, in sweeps:
 *
 * <ol>
 *   <li>at the begin of a sweep every reader that waits names its next range;
 *   <li>ranges are sorted by file and offset; files are in the order in which they were begun;
 *   <li>ranges that overlap or are close become one read of limited size, which serves all of them;
 *   <li>whoever comes meanwhile waits for the next sweep: nobody waits for more than two.
 * </ol>
 */
public final class Elevator {
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
    private int at;

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
        if (at == sweep.size() && !begin()) {
            return false;
        }
        ReadSource first = sweep.get(at);
        int last = at;
        long end = first.end();
        while (last + 1 < sweep.size() && isJoined(first, end, sweep.get(last + 1))) {
            end = Math.max(end, sweep.get(++last).end());
        }
        long start = first.offset();
        if (!span.take(start, (int) (end - start))) {
            last = at;
            if (!takeOne(first)) {
                return false;
            }
        }
        List<ReadSource> group = sweep.subList(at, last + 1);
        at = last + 1;
        try {
            read(group);
        } finally {
            span.release();
        }
        return true;
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
            } catch (IOException | RuntimeException e) {
                source.failed(e);
            }
        }
        asking.clear();
        sweep.sort(ORDER);
        return !sweep.isEmpty();
    }

    private void read(List<ReadSource> group) {
        ReadSource first = group.get(0);
        try {
            DataFile file = loop.openFile(first.file());
            span.length(file.read(first.offset(), span.views(), span.count()));
        } catch (IOException e) {
            group.forEach(source -> source.failed(e));
            return;
        }
        loop.counts().countRead(span.end() - first.offset(), group.size());
        for (ReadSource source : group) {
            try {
                source.deliver(span);
                pending.add(source);
            } catch (RuntimeException e) {
                source.failed(e);
            }
        }
    }
}
