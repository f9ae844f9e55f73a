package io.drey.flink.state.pack;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.checkpoint.manifest.ManifestFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.PhysicalStateHandleID;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * A file that is a part of an object of the checkpoint storage. Never leaves the process: Flink is given a handle of the
 * whole object, and the manifest says where in it the file is.
 */
public final class SectionHandle implements StreamStateHandle {
    private static final long serialVersionUID = 1L;

    private final StreamStateHandle object;
    private final long offset;
    private final long bytes;

    /** Null if this process has not written it. */
    private final transient Pack pack;

    private boolean forgotten;
    private boolean released;

    /** Whether it was the last one that the object was kept for. */
    private boolean last;

    SectionHandle(StreamStateHandle object, long offset, long bytes, Pack pack) {
        this.object = object;
        this.offset = offset;
        this.bytes = bytes;
        this.pack = pack;
    }

    /** The files of a checkpoint: of those that are in packs, the part that the manifest says. */
    public static Map<String, StreamStateHandle> unpacked(Manifest manifest, Map<String, StreamStateHandle> objects) {
        Map<String, StreamStateHandle> files = new HashMap<>(objects);
        for (ManifestFile file : manifest.files()) {
            if (file.isPacked()) {
                files.computeIfPresent(
                        file.name(), (name, object) -> new SectionHandle(object, file.offset(), file.bytes(), null));
            }
        }
        return files;
    }

    /** What a checkpoint lists for a file: the object that it is in, or the file itself. */
    public static StreamStateHandle listed(StreamStateHandle file) {
        return file instanceof SectionHandle packed ? packed.object : file;
    }

    /** Where in that object the file begins. */
    public static long offset(StreamStateHandle file) {
        return file instanceof SectionHandle packed ? packed.offset : ManifestFile.WHOLE;
    }

    /** Whether checkpoints should go on to list it: else a pack would be kept of which hardly anything is of use. */
    public static boolean isWorthListing(StreamStateHandle file) {
        return !(file instanceof SectionHandle packed) || packed.pack.isWorthKeeping();
    }

    /** No further checkpoint lists a file. */
    public static void forget(StreamStateHandle file) {
        if (file instanceof SectionHandle packed) {
            packed.forget();
        }
    }

    private synchronized void forget() {
        if (!forgotten) {
            forgotten = true;
            pack.forget(bytes);
        }
    }

    @Override
    public FSDataInputStream openInputStream() throws IOException {
        FSDataInputStream in = object.openInputStream();
        boolean done = false;
        try {
            in.seek(offset);
            done = true;
            return new Part(in, offset, bytes);
        } finally {
            if (!done) {
                in.close();
            }
        }
    }

    @Override
    public Optional<byte[]> asBytesIfInMemory() {
        return object.asBytesIfInMemory()
                .map(all -> Arrays.copyOfRange(all, Math.toIntExact(offset), Math.toIntExact(offset + bytes)));
    }

    @Override
    public Optional<Path> maybeGetPath() {
        return object.maybeGetPath();
    }

    @Override
    public PhysicalStateHandleID getStreamStateHandleID() {
        return object.getStreamStateHandleID();
    }

    @Override
    public long getStateSize() {
        return bytes;
    }

    /** No checkpoint has listed the file, and none will: deletes the object if that holds for all files in it. */
    @Override
    public void discardState() throws Exception {
        if (isLast()) {
            object.discardState();
        }
    }

    /** The same answer again if a deletion has failed and is tried once more. */
    private synchronized boolean isLast() {
        if (!released) {
            released = true;
            forget();
            last = pack.release();
        }
        return last;
    }

    @Override
    public String toString() {
        return bytes + " bytes from " + offset + " on of " + object;
    }

    /** The part of a stream. */
    private static final class Part extends FSDataInputStream {
        private final FSDataInputStream in;
        private final long begin;
        private final long end;

        Part(FSDataInputStream in, long begin, long bytes) {
            this.in = in;
            this.begin = begin;
            this.end = begin + bytes;
        }

        @Override
        public void seek(long position) throws IOException {
            if (position < 0 || position > end - begin) {
                throw new IOException("expected a position of 0.." + (end - begin) + ", found " + position);
            }
            in.seek(begin + position);
        }

        @Override
        public long getPos() throws IOException {
            return in.getPos() - begin;
        }

        @Override
        public int read() throws IOException {
            return in.getPos() < end ? in.read() : -1;
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            long left = end - in.getPos();
            if (length == 0) {
                return 0;
            }
            return left <= 0 ? -1 : in.read(into, at, (int) Math.min(length, left));
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
