package io.drey.shuffle.worker.device;

import io.drey.shuffle.worker.file.PartFile;
import java.io.IOException;

/** Someone who reads: it names a range of a file, gets it, and names the next. All in the loop's thread. */
public abstract class ReadSource extends DeviceWork {
    private boolean isPending;
    private PartFile file;
    private long offset;
    private int wanted;
    private int least;

    /** Names the next range by {@link #want} if there is one that can be taken now. */
    protected abstract boolean prepare(DeviceLoop loop) throws IOException;

    /** Whether its range shall be read now; if not, it is submitted again when it shall. */
    protected abstract boolean admit();

    /** At least the first {@code least} bytes of the range are there: takes what it can use. */
    protected abstract void deliver(ReadSpan span);

    /** The read failed: it will not be asked again. Must only tell others. */
    protected abstract void failed(Throwable cause);

    protected final void want(PartFile newFile, long newOffset, int newWanted, int newLeast) {
        file = newFile;
        offset = newOffset;
        wanted = newWanted;
        least = newLeast;
    }

    @Override
    final void arrive(DeviceLoop loop) {
        if (!isPending) {
            isPending = true;
            loop.elevator().add(this);
        }
    }

    final void idle() {
        isPending = false;
    }

    final PartFile file() {
        return file;
    }

    final long offset() {
        return offset;
    }

    final int wanted() {
        return wanted;
    }

    /** Bytes without which the range is of no use. */
    final int least() {
        return least;
    }

    final long end() {
        return offset + wanted;
    }
}
