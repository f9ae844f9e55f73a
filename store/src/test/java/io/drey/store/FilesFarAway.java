package io.drey.store;

import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.files.disks.DiskSet;
import io.drey.files.memory.MemoryDirectory;
import io.drey.files.remote.Downloads;
import io.drey.files.remote.RemoteFile;
import io.drey.files.remote.RemoteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A restore of a store that does not wait: files of another directory come by tiny ranges, in steps of the test. */
final class FilesFarAway implements Downloads.Listener, AutoCloseable {
    private static final Downloads.Limits LIMITS = new Downloads.Limits(200, 2, 1, 0);
    private static final int PARALLEL = 2;

    private final MemoryDirectory far;
    private final ArrayDeque<Runnable> steps = new ArrayDeque<>();
    private final List<IOException> failures = new ArrayList<>();
    private long readBefore;
    final Downloads downloads = new Downloads(LIMITS, System::nanoTime, this);

    FilesFarAway(MemoryDirectory far) {
        this.far = far;
    }

    void begin() {
        downloads.begin(steps::add, PARALLEL);
        readBefore = downloads.rangesRead();
    }

    /** Fetches a little in the background. */
    void step() {
        Runnable step = steps.poll();
        if (step != null) {
            step.run();
        }
    }

    /** Ranges that somebody waited for since the store was open. */
    long rangesRead() {
        return downloads.rangesRead() - readBefore;
    }

    /** All files of an image come by and by into a directory. */
    void bring(StoreImage image, DiskSet local) throws IOException {
        for (StoreImage.FileInfo file : image.files()) {
            local.add(downloads, file(file.name(), file.bytes()), FileChecksum.NONE);
        }
    }

    RemoteFile file(String name, long bytes) {
        return new Far(name, bytes);
    }

    @Override
    public void whole(long nanos) {}

    @Override
    public void failed(IOException cause) {
        failures.add(cause);
    }

    @Override
    public void close() throws IOException {
        downloads.close();
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    private final class Far implements RemoteFile {
        private final String name;
        private final long bytes;

        Far(String name, long bytes) {
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public String describe() {
            return "far/" + name;
        }

        @Override
        public RemoteStream open() throws IOException {
            return new Stream(far.open(name));
        }
    }

    /** Notices what is deleted far away at its next read, as an object store would. */
    private final class Stream implements RemoteStream {
        private final ReadableFile file;
        private long position;

        Stream(ReadableFile file) {
            this.file = file;
        }

        @Override
        public void seek(long to) {
            position = to;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (!far.exists(file.name())) {
                throw new IOException("it was deleted");
            }
            int count = (int) Math.min(length, file.size() - position);
            file.read(position, ByteBuffer.wrap(into, offset, count));
            position += count;
            return count;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
