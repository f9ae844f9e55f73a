package io.drey.shuffle.worker.device;

import io.drey.shuffle.worker.disk.WorkerFile;
import io.drey.shuffle.worker.file.PartFile;
import io.drey.shuffle.worker.memory.SlabStream;
import java.io.IOException;

/** A file that is being written: the bytes that wait for the disk are in its stream. */
public abstract class WriteSource extends DeviceWork {
    private final PartFile part;
    private final SlabStream stream;
    private WorkerFile file;
    private boolean isWaiting;
    private boolean isFinished;

    protected WriteSource(PartFile part, SlabStream stream) {
        this.part = part;
        this.stream = stream;
    }

    public final PartFile part() {
        return part;
    }

    protected final SlabStream stream() {
        return stream;
    }

    /** The loop, in its thread: more of the stream is written. Must only tell others. */
    protected abstract void flushed();

    /** The loop, in its thread: a write failed, and it will not look at the stream again. Must only tell others. */
    protected abstract void failed(IOException cause);

    @Override
    final void arrive(DeviceLoop loop) {
        if (!isWaiting && !isFinished && !stream.isEmpty()) {
            isWaiting = true;
            loop.addWriter(this);
        }
    }

    final void doneWaiting() {
        isWaiting = false;
    }

    final boolean isFinished() {
        return isFinished;
    }

    final WorkerFile file(DeviceLoop loop) throws IOException {
        if (file == null) {
            if (part.isReleased()) {
                throw new IOException("the partition of " + part + " was released while it was written");
            }
            file = loop.disk().create(part.path());
        }
        return file;
    }

    /** No more is written; cuts the file where its last complete region ends. Without one there is no file. */
    final void finish(DeviceLoop loop) throws IOException {
        isFinished = true;
        if (file != null) {
            try (WorkerFile closed = file) {
                file = null;
                if (part.end() == 0 || part.isReleased()) {
                    loop.disk().delete(part.path());
                } else {
                    closed.truncate(part.end());
                }
            }
        }
    }

    final void giveUp() {
        isFinished = true;
    }
}
